package patch_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// TestGolden holds fixes, the overrides that accept findings and the state of given overrides: an
// archive of testdata has the reference in the folder "reference", the CRs in in.yaml, overrides in
// overrides.yaml, and the results: of fixes, of the given overrides, and for each choice of what to
// accept.
func TestGolden(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		files, texts := fstest.MapFS{}, a.Texts()
		for name, text := range texts {
			if inReference, is := strings.CutPrefix(name, "reference/"); is {
				files[inReference] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		ref, engine := given.Load(t, files, "reference")
		for _, f := range a.Files {
			what, words, _ := strings.Cut(f.Name, " ")
			opt := compare.Options{Today: "2024-01-01"}
			switch what {
			case "fixes":
				opt.Fix = true
			case "overridden", "explained":
				opt.Show.Accepted = true
				var faults []refconfig.Problem
				opt.Overrides, opt.Warnings, faults = refconfig.ParseOverrides("overrides.yaml", []byte(texts["overrides.yaml"]))
				if len(faults) > 0 {
					t.Fatal(faults)
				}
			case "accepts":
				targets, err := patch.ParseTargets(strings.Fields(words), ref, engine.Templates())
				if err != nil {
					a.Want(t, f.Name, err.Error()+"\n")
					continue
				}
				opt.Accept = &patch.Request{Extra: len(targets) == 0, Targets: targets}
			default:
				continue
			}
			in := compare.Collected{Objects: given.Objects(t, "in.yaml", texts["in.yaml"]), Gathered: strings.Contains(string(a.Comment), "gathered")}
			if what == "explained" {
				a.Want(t, f.Name, explained(t, compare.NewStudy(t.Context(), ref, engine, in, opt)))
				continue
			}
			run, err := compare.Run(t.Context(), ref, engine, in, opt)
			if err != nil {
				t.Fatal(err)
			}
			text := told(run, opt)
			for _, name := range opt.Accept.Unmet(&finding.Report{Runs: []*finding.Run{run}}) {
				text += "unmet: " + name + "\n"
			}
			a.Want(t, f.Name, text)
		}
	})
}

// explained returns what is explained of the overrides for each object and template.
func explained(t *testing.T, s *compare.Study) string {
	if err := s.Complete(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range s.Objects() {
		o := s.Object(i)
		for _, a := range o.Attempts {
			fmt.Fprintf(&b, "%s with %s: %+v\n", o.Object.ID, a.Template.Ref.Path, a.Overrides)
		}
	}
	return b.String()
}

// told returns what is told of fixes and overrides.
func told(run *finding.Run, opt compare.Options) string {
	var b strings.Builder
	accepts := func(what string, a *finding.Acceptance) {
		if a == nil {
			return
		}
		for _, o := range a.Overrides {
			fmt.Fprintf(&b, "%s is accepted: %s %s %s %s %s %s missing %v present %v %s\n",
				what, o.ExactMatch, o.APIVersion, o.Kind, o.Name, o.TemplatePath, o.Type, o.Missing, o.Present, o.Patch)
		}
		for _, left := range a.Left {
			fmt.Fprintf(&b, "%s is not accepted: %s %s\n", what, left.Path, left.Message)
		}
	}
	fix := func(what string, f *finding.Fix) {
		if f != nil {
			fmt.Fprintf(&b, "the fix of %s:\n%s%s%v\n", what, f.CR, f.Patch, f.Open)
			if f.Held != "" {
				fmt.Fprintln(&b, f.Held)
			}
		}
	}
	for _, c := range run.Comparisons {
		accepts(c.Object.Short(), c.Acceptance)
		fix(c.Object.Short(), c.Fix)
		if len(opt.Overrides) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n", c.Object.Short(), c.Result)
		if c.Override != nil {
			for _, d := range c.Override.Accepted {
				fmt.Fprintf(&b, "  accepted %s: %s\n", d.Reason, d.Words())
			}
		}
		for _, d := range c.Differences {
			fmt.Fprintf(&b, "  %s %s\n", d.Category, d.Words())
		}
	}
	for _, r := range run.Rules {
		accepts(r.Message, r.Acceptance)
		for _, m := range r.Missing {
			fix(m.Object.Short(), m.Fix)
		}
	}
	for _, o := range run.Overrides {
		fmt.Fprintf(&b, "%+v\n", o)
	}
	if len(opt.Overrides) > 0 {
		for _, w := range append(run.Alarms, run.Warnings...) {
			fmt.Fprintf(&b, "%s: %s (%s)\n", w.Place, w.Message, w.Code)
		}
	}
	return b.String()
}
