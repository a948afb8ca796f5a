package lint

import (
	"cmp"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Disagree adds warnings about CRs of the reference's own, such as its source CRs and examples, that
// differ from their templates. Each is at the first line of the CR.
func (l *Document) Disagree(ref *refconfig.Reference, runs []*finding.Run) {
	var all []Flaw
	add := func(at refconfig.Place, format string, args ...any) {
		all = append(all, Flaw{Severity: Doubtful, Problem: at.Problem(code.RefDisagrees, format, args...)})
	}
	compared := 0
	wants := []finding.Class{
		finding.ClassError, finding.ClassDrift, finding.ClassMissing, finding.ClassExtra, finding.ClassUnreadable,
	}
	for _, run := range runs {
		compared += len(run.Comparisons)
		for f := range run.Findings(finding.FailOn{}, func(c finding.Class) bool { return slices.Contains(wants, c) }) {
			at := refconfig.Place{File: f.Source.File, Line: f.Source.Line}
			switch f.Class {
			case finding.ClassUnreadable:
				add(at, "the CR cannot be read, and was not compared: %s", f.Words)
			case finding.ClassError:
				add(at, "%s cannot be evaluated for %s: %s", f.Template.Path, f.Object, f.Words)
			default:
				add(at, "%s and %s disagree: %s", f.Template.Path, f.Object, f.Words)
			}
		}
	}
	if compared == 0 {
		add(refconfig.Place{File: cmp.Or(ref.Metadata, ref.Path)}, "no CR of --crs matches a template, so nothing was compared")
	}
	slices.SortFunc(all, compareFlaws)
	l.Flaws = append(l.Flaws, slices.Compact(all)...)
}
