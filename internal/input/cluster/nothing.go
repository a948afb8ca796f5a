package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
)

// noObjects returns the error for inputs that contain nothing to compare. It mentions unopened
// archives and links in them.
func noObjects(inputs []string, s source.Summary, passed passedOver) error {
	pretender := "" // an input with the name of an archive that is not one
	for _, in := range s.Inputs {
		if _, _, packed := archive.SplitName(in.Path); packed && in.Format == "file" {
			pretender = in.Path
		}
	}
	links := slice.Without(s.Problems, func(p source.Problem) bool {
		return p.Code != code.LinkSkipped
	})
	own, others := s.Skipped[source.ReasonReference], passed[source.ReasonTemplate]
	hint := "name the folder or archive that holds the CRs as YAML or JSON"
	switch {
	case own > 0:
		hint = fmt.Sprintf(
			"%s to the reference, and a reference is not compared with itself: name the CRs of a cluster",
			finding.Plural(own, "file belongs", "files belong"),
		)
	case others != nil:
		hint = fmt.Sprintf("%s to another reference: name the CRs of a cluster, or compare two references with diff",
			finding.Plural(others.count, "file belongs", "files belong"))
	case len(s.NotRead) > 0:
		do := "read inner archives with --nested, or name them as inputs"
		at := slices.IndexFunc(s.NotRead, func(p source.Problem) bool { return p.Foreign == "" })
		if at < 0 {
			at, do = 0, "it is "+s.NotRead[0].Foreign
		}
		hint = fmt.Sprintf(
			"%s not opened, such as %s: %s",
			finding.Plural(len(s.NotRead), "archive was", "archives were"),
			s.NotRead[at].Place,
			do,
		)
	case len(links) > 0:
		hint = fmt.Sprintf(
			"%s not followed, such as %s: name the targets of the links",
			finding.Plural(len(links), "link was", "links were"),
			links[0].Place,
		)
	case pretender != "":
		hint = fmt.Sprintf("%s has the name of an archive, but not the content: copy it again", pretender)
	}
	named := slices.Clone(inputs)
	if at := slices.Index(named, "-"); at >= 0 {
		named[at] = "standard input"
	}
	return fmt.Errorf(
		"%s: %s: no Kubernetes object was found; %s", code.InputNoObjects, strings.Join(named, ", "), hint,
	)
}
