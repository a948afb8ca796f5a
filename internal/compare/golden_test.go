package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// TestGolden compares inputs and holds the reports: an archive of testdata has the reference in the
// folder "reference", inputs in folders of other names, overrides in overrides.yaml, and the report
// for each choice of options.
func TestGolden(t *testing.T) {
	testkit.Each(t, "testdata/run/*.txtar", func(t *testing.T, a *testkit.Archive) {
		t.Chdir(t.TempDir())
		reference, inputs := fstest.MapFS{}, map[string]string{}
		for name, text := range a.Texts() {
			switch inReference, is := strings.CutPrefix(name, "reference/"); {
			case is:
				reference[inReference] = &fstest.MapFile{Data: []byte(text)}
			case strings.Contains(name, "/"):
				inputs[name] = text
			}
		}
		testkit.Files(t, ".", inputs)
		for _, f := range a.Files {
			if words, isWanted := strings.CutPrefix(f.Name, "want"); isWanted {
				a.Want(t, f.Name, reported(t, a, reference, strings.Fields(words)))
			}
		}
	})
}

// reported returns what a comparison with options reports.
func reported(t *testing.T, a *testkit.Archive, reference fs.FS, words []string) string {
	ref, engine := given.Load(t, reference, "reference")
	read := cluster.Options{Inputs: []string{"in"}}
	opt := Options{Workers: 1, Today: "2024-01-01", Show: diff.Show{Accepted: true}}
	studies := false
	for _, word := range words {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "all":
			opt.EveryKind, opt.ListUnmatched = true, true
		case "overrides":
			text, _ := a.Text("overrides.yaml")
			var faults []refconfig.Problem
			if opt.Overrides, opt.Warnings, faults = refconfig.ParseOverrides("overrides.yaml", []byte(text)); len(faults) > 0 {
				t.Fatal(faults)
			}
		case "wrapped":
			read.Wrapped = true
		case "each":
			read.Each = true
		case "skip":
			read.SkipUnreadable = true
		case "fix":
			opt.Fix = true
		case "input":
			read.Inputs = append(read.Inputs, value)
		case "placeholders":
			read.Placeholders, opt.Placeholders = true, true
		case "validate":
			opt.Validate = true
		case "nearest":
			opt.Nearest = true
		case "suppressed":
			opt.Suppressed = Listed
		case "shown":
			fmt.Sscan(value, &opt.Shown)
		case "study":
			studies = true
		case "secrets":
			opt.Show.Secrets = true
		case "expected":
			opt.Show.Expected = true
		case "manual":
			opt.Manual = map[string]*refconfig.Template{value: ref.Templates[0], "v1_ConfigMap_none": ref.Templates[0]}
		case "component":
			opt.Chosen = []string{value}
			opt.Keep = func(c *refconfig.Component) bool { return c.Name == value }
		default:
			t.Fatalf("no option %s", word)
		}
	}
	opt.Wanted = Wants(ref, engine, opt)
	reading := cluster.Read(t.Context(), read)
	if opt.Wanted.Files {
		reading.KeepNames()
	}
	all, err := reading.Collect(opt.Wanted.Trim)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, in := range all {
		if studies {
			study(t, &b, NewStudy(t.Context(), ref, engine, in, opt))
			continue
		}
		res, err := Run(t.Context(), ref, engine, in, opt)
		if err != nil {
			t.Fatal(err)
		}
		print(t, &b, res)
	}
	return b.String()
}

// study writes what is explained of each object and of each template.
func study(t *testing.T, b *strings.Builder, s *Study) {
	if err := s.Complete(); err != nil {
		t.Fatal(err)
	}
	path := func(t *render.Template) string {
		if t == nil {
			return "none"
		}
		return t.Ref.Path
	}
	for i := range s.Objects() {
		o := s.Object(i)
		fmt.Fprintf(b, "%s with %s, left out %v, %d copies: %s\n", o.Object.ID, path(o.With), o.LeftOut, len(o.Copies), o.Correlation.Words())
		for _, r := range o.Refusals {
			fmt.Fprintf(b, "  refused by %s: %s %s\n", r.Template.Path, r.At, r.Reason)
		}
		for _, a := range o.Attempts {
			fmt.Fprintf(b, "  %s: %s, score %d, omitted %q, overrides %v\n", path(a.Template), a.Comparison.Result, a.Score, a.Omitted, a.Overrides)
		}
		for _, w := range o.Warnings {
			fmt.Fprintf(b, "  %s\n", w)
		}
	}
	for _, one := range s.Templates() {
		nearest, notCollected, why := s.Absent(one)
		fmt.Fprintf(b, "%s is analysed: %v, nearest %+v, not collected %v %s\n", path(one), s.Analyses(one), nearest, notCollected, why)
	}
	for _, p := range s.Unreadable() {
		fmt.Fprintln(b, p)
	}
}

// print writes a report without what is usual, an element of a list in a line.
func print(t *testing.T, b *strings.Builder, run *finding.Run) {
	fmt.Fprintf(b, "%s\n", run.Sentence(nil))
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	usual := `"(correlation":{"by":"fixed","fields":[^}]*}|fingerprint":"[^"]*"|[a-zA-Z]+":0),?`
	text = regexp.MustCompile(usual).ReplaceAll(text, nil)
	text = bytes.ReplaceAll(text, []byte(",}"), []byte("}"))
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.Token()
	for _, c := range run.Comparisons {
		if c.Fix != nil {
			fmt.Fprintf(b, "fix of %s: %+v\n", c.Object, *c.Fix)
		}
	}
	for _, r := range run.Rules {
		for _, m := range r.Missing {
			if m.Fix != nil {
				fmt.Fprintf(b, "fix of %s: %+v\n", m.Template, *m.Fix)
			}
		}
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil {
			fmt.Fprintf(b, "%s: %s\n", key, value)
		}
		for _, one := range list {
			fmt.Fprintf(b, "%s: %s\n", key, one)
		}
	}
}
