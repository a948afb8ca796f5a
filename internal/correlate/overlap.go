package correlate

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// Overlaps warns of templates that may meet the same objects, a warning for each set of them.
func Overlaps(templates []*render.Template) []refconfig.Problem {
	var out []refconfig.Problem
	done := make([]bool, len(templates))
	for i, t := range templates {
		if done[i] {
			continue
		}
		names := []string{t.Ref.Path}
		for j := i + 1; j < len(templates); j++ {
			if !done[j] && Overlap(t.Identity, templates[j].Identity) {
				done[j] = true
				names = append(names, templates[j].Ref.Path)
			}
		}
		if len(names) > 1 {
			slices.Sort(names[1:])
			out = append(out, refconfig.Place{File: t.Ref.File}.Problem(code.RefOverlap,
				"%d templates meet the same CRs (%s): %s; each such CR is compared with all of them, and the smallest difference counts",
				len(names), identityText(t.Identity), strings.Join(names, ", ")))
		}
	}
	return out
}

// identityText says which objects a template is for.
func identityText(id template.Identity) string {
	var parts []string
	for _, f := range []struct {
		name string
		m    template.Matcher
	}{{"apiVersion", id.APIVersion}, {"kind", id.Kind}, {"namespace", id.Namespace}, {"name", id.Name}} {
		if f.m.Fixed() {
			parts = append(parts, f.name+" "+f.m.String())
		}
	}
	return strings.Join(parts, ", ")
}
