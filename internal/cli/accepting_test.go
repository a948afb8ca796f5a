package cli

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/browse"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// browsing compares inputs as the command browse does, and calls a function with the report in place of
// a terminal. The earlier report is "" for none.
func browsing(
	t *testing.T, args, overrides []string, earlier string, f func(*finding.Report, *browse.Accepting),
) {
	t.Helper()
	p := &program{io: IO{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: noEnv, Terminal: isTerminal},
		name: finding.ToolName, limits: limits{}}
	ctx, guard := watch.Start(t.Context(), watch.Limits{}, nil)
	defer guard.Stop()
	p.watch = guard
	o := p.browseOptions()
	o.overrides, o.baselineFile = overrides, earlier
	must(o.Validate(args))
	must(p.compare(ctx, &o.compareOptions, func(found *finding.Report) error {
		f(found, o.acceptor.accepting())
		return nil
	}))
}

// partsOf returns everything of a cluster that a user can accept by itself.
func partsOf(r *finding.Run, failOn finding.FailOn) (all []browse.Part) {
	for _, c := range r.Comparisons {
		fails := slices.ContainsFunc(c.Findings(failOn), func(f finding.Finding) bool { return f.Level() > 0 })
		if c.Error != nil || !fails {
			continue
		}
		all = append(all, browse.Part{CR: c})
		for _, f := range c.Findings(failOn) {
			if f.Level() > 0 {
				all = append(all, browse.Part{CR: c, Path: f.Path, Lacks: f.Reference != nil && f.Input == nil})
			}
		}
	}
	for i := range r.Rules {
		b := &r.Rules[i]
		all = append(all, browse.Part{Rule: b})
		for _, m := range b.Missing {
			if b.IsMissing() {
				all = append(all, browse.Part{Rule: b, Missing: m.Template})
			}
		}
	}
	return all
}

// nameOf names a part of a cluster.
func nameOf(p browse.Part) string {
	if p.CR != nil {
		return p.CR.Object.String() + " " + p.CR.Template.Path + " " + p.Path
	}
	return p.Rule.Identity() + p.Missing
}

// countsOf returns what a report counts, and its verdict.
func countsOf(r *finding.Report) string {
	said := r.Sentence() + "\n"
	for _, run := range r.Runs {
		summary, err := json.Marshal(run.Summary)
		must(err)
		said += run.Sentence(r.FailOn) + "\n" + string(summary) + "\n"
		for _, w := range slices.Concat(run.Alarms, run.Warnings) {
			said += w.Message + "\n"
		}
	}
	return said
}

// TestTheBrowserSaysWhatTheNextRunSays accepts findings of the examples, in turns each by itself and all
// of them one after the other, and writes what it has accepted. A comparison with the file counts what
// the browser showed, also since an earlier report.
func TestTheBrowserSaysWhatTheNextRunSays(t *testing.T) {
	besideOthers(t)
	eachExample(t, func(t *testing.T, reference string, objects []map[string]any) {
		dir := t.TempDir()
		in := filepath.Join(dir, "in")
		var all, before []string
		r := rand.New(rand.NewPCG(54, uint64(len(objects))))
		for _, o := range objects {
			before = append(before, tree.YAML(o))
			if r.IntN(12) > 0 {
				all = append(all, tree.YAML(damagedInput(r, o, r.IntN(3))))
			}
		}
		pack.Files(t, dir, map[string]string{
			"in/all.yaml": strings.Join(all, "---\n"), "before/all.yaml": strings.Join(before, "---\n"),
		})
		args, earlier := []string{reference, in}, filepath.Join(dir, "before.json")
		_, report, _ := outcome("-o", "json", reference, filepath.Join(dir, "before"))
		pack.Files(t, dir, map[string]string{"before.json": report})
		browsing(t, args, nil, earlier, func(found *finding.Report, a *browse.Accepting) {
			run := found.Runs[0]
			document := func(r *finding.Report) string {
				text, err := json.Marshal(r)
				must(err)
				return string(text)
			}
			same, err := a.Apply(nil)
			must(err)
			if diff := cmp.Diff(document(found), document(same)); diff != "" {
				t.Fatalf("without acceptances there is another report: %s", diff)
			}
			var made []refconfig.Override
			parts := partsOf(run, found.FailOn)
			step := max(1, len(parts)/25)
			if len(parts) < 5 {
				t.Errorf("there are only %d findings to accept", len(parts))
			}
			for i := 0; i < len(parts); i += step {
				one, left := a.Propose(run, parts[i:i+1], made)
				if len(one) == 0 {
					if len(left) == 0 && len(made) == 0 {
						t.Errorf("%s: nothing is said", nameOf(parts[i]))
					}
					continue
				}
				for i := range one {
					one[i].Reason = "because"
				}
				made = append(made, one...)
				shown, err := a.Apply(made)
				must(err)
				for _, other := range partsOf(shown.Runs[0], found.FailOn) {
					if len(left) == 0 && nameOf(other) == nameOf(parts[i]) {
						t.Errorf("%s is not accepted", nameOf(other))
					}
				}
				file := filepath.Join(dir, "accepted.yaml")
				browsing(t, args, nil, "", func(_ *finding.Report, other *browse.Accepting) {
					pack.Files(t, dir, map[string]string{"accepted.yaml": ""})
					must(other.Write(file, made))
				})
				browsing(t, args, []string{file}, earlier, func(next *finding.Report, _ *browse.Accepting) {
					if diff := cmp.Diff(countsOf(shown), countsOf(next)); diff != "" {
						t.Errorf("%s: -browser +next run\n%s", nameOf(parts[i]), diff)
					}
				})
				if i/step%2 == 0 {
					made = nil
				}
			}
		})
	})
}

// accepted is a reference with two components, and inputs.
const accepted = `
-- ref/metadata.yaml --
apiVersion: v2
parts:
- name: shop
  components:
  - name: one
    allOf:
    - path: one.yaml
    - path: two.yaml
  - name: either
    oneOf:
    - path: left.yaml
    - path: right.yaml
-- ref/one.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {namespace: x, name: one}
data: {size: small, color: red}
-- ref/two.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {namespace: x, name: two}
-- ref/left.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {namespace: x, name: left}
data: {size: small}
-- ref/right.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {namespace: x, name: right}
-- a.yaml --
apiVersion: config.openshift.io/v1
kind: Infrastructure
metadata: {name: cluster}
status: {infrastructureName: a}
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: x, name: one}
data: {size: large, color: blue}
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: x, name: left}
data: {size: large}
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: x, name: right}
-- b.yaml --
apiVersion: config.openshift.io/v1
kind: Infrastructure
metadata: {name: cluster}
status: {infrastructureName: b}
---
apiVersion: v1
kind: ConfigMap
metadata: {namespace: x, name: one}
data: {size: large, color: green}
-- mine.yaml --
# mine
- kind: ConfigMap
  name: two
  missing: true
  reason: mine
-- other.yaml --
- kind: ConfigMap
  name: two
  missing: true
  reason: other
-- list.yaml --
a: b
-- all.yaml --
- kind: ConfigMap
  type: mergepatch
  patch: {data: {color: blue}}
  reason: all
`

// TestWhatIsAccepted accepts parts of clusters: nothing is accepted that was not named, and of several
// clusters only what is the same in all of them.
func TestWhatIsAccepted(t *testing.T) {
	inFolder(t, accepted)
	one := func(r *finding.Run, path string) browse.Part {
		at := slices.IndexFunc(r.Comparisons, func(c *finding.Comparison) bool { return c.Object.Name == "one" })
		return browse.Part{CR: r.Comparisons[at], Path: path}
	}
	rule := func(name string) func(r *finding.Run) browse.Part {
		return func(r *finding.Run) browse.Part {
			at := slices.IndexFunc(r.Rules, func(b finding.Rule) bool { return b.Component == name })
			return browse.Part{Rule: &r.Rules[at]}
		}
	}
	for name, c := range map[string]struct {
		inputs string
		part   func(*finding.Run) browse.Part
		then   string // the verdict
		left   string // what is said if nothing is accepted
	}{
		"a field": {"a.yaml", func(r *finding.Run) browse.Part { return one(r, "data.size") },
			"2 of 3 CRs differ from the reference, 1 required CR was not found, 1 rule is broken; 1 deviation", ""},
		"a CR": {"a.yaml", func(r *finding.Run) browse.Part { return one(r, "") },
			"1 of 3 CRs differs from the reference, 1 required CR was not found, 1 rule is broken; 2 deviations", ""},
		"a missing CR": {"a.yaml", rule("one"), "2 of 3 CRs differ from the reference, 1 rule is broken; 1 deviation", ""},
		"a rule, and no difference of its CRs": {"a.yaml", rule("either"),
			"2 of 3 CRs differ from the reference, 1 required CR was not found; 2 deviations", ""},
		"the same in all clusters": {"a.yaml b.yaml", func(r *finding.Run) browse.Part { return one(r, "data.size") },
			"", ""},
		"another value in another cluster": {"a.yaml b.yaml", func(r *finding.Run) browse.Part { return one(r, "data.color") },
			"", "cannot tell them apart"},
		"the CR as a whole": {"a.yaml", func(r *finding.Run) browse.Part { return one(r, ".") }, "", "accept the CR"},
	} {
		browsing(t, append([]string{"ref"}, strings.Fields(c.inputs)...), nil, "", func(r *finding.Report, a *browse.Accepting) {
			made, left := a.Propose(r.Runs[0], []browse.Part{c.part(r.Runs[0])}, nil)
			if said := strings.Join(left, "\n"); (len(made) == 0) != (c.left != "") || !strings.Contains(said, c.left) {
				t.Errorf("%s: %d overrides, and it says %q", name, len(made), said)
			}
			next, err := a.Apply(made)
			must(err)
			for _, run := range next.Runs {
				if said := run.Sentence(next.FailOn); c.then != "" && !strings.HasPrefix(said, "DRIFT: "+c.then) {
					t.Errorf("%s: %s, want %s", name, said, c.then)
				}
				if len(c.inputs) > 6 && c.left == "" && run.Summary.AcceptedDeviations != 1 {
					t.Errorf("%s: %s accepts %d", name, run.Name(), run.Summary.AcceptedDeviations)
				}
			}
		})
	}
}

// TestAnAcceptanceKeepsOthers: an override for one CR takes the place of a less specific one, and accepts
// what that accepted too.
func TestAnAcceptanceKeepsOthers(t *testing.T) {
	inFolder(t, accepted)
	browsing(t, []string{"ref", "a.yaml"}, []string{"all.yaml"}, "", func(r *finding.Report, a *browse.Accepting) {
		run := r.Runs[0]
		at := slices.IndexFunc(run.Comparisons, func(c *finding.Comparison) bool { return c.Object.Name == "one" })
		before := run.Comparisons[at]
		made, left := a.Propose(run, []browse.Part{{CR: before, Path: "data.size"}}, nil)
		next, err := a.Apply(made)
		must(err)
		if c := next.Runs[0].Comparisons[at]; before.Counts.Drift != 1 || c.Counts.Drift != 0 || c.Override.Deviations != 2 {
			t.Errorf("%v: first %+v, then %+v, and %+v is accepted", left, before.Counts, c.Counts, c.Override)
		}
	})
}

// TestWhereAcceptancesAreWritten: a file of overrides keeps what it has. No other file is touched, and
// none of --overrides that was changed since it was read.
func TestWhereAcceptancesAreWritten(t *testing.T) {
	for name, c := range map[string]struct{ given, to, wrong string }{
		"a new file":               {"", "new.yaml", ""},
		"another file":             {"", "other.yaml", ""},
		"the file of the run":      {"mine.yaml", "mine.yaml", ""},
		"its other name":           {"mine.yaml", "./mine.yaml", "is also read, as --overrides"},
		"an input":                 {"", "a.yaml", "is also read, as the INPUT"},
		"a file of the reference":  {"", "ref/one.yaml", "is a file inside the REFERENCE"},
		"no overrides":             {"", "list.yaml", "must be a list"},
		"a folder":                 {"", "ref", "is no file"},
		"standard output":          {"", "-", "is no file"},
		"a pipe":                   {"", "/dev/null", "is no file"},
		"no name":                  {"", "", "is no file"},
		"no folder":                {"", "none/x.yaml", "no such file"},
		"changed by somebody else": {"other.yaml", "other.yaml", "was changed after it was read"},
	} {
		inFolder(t, accepted)
		var given []string
		if c.given != "" {
			given = append(given, c.given)
		}
		browsing(t, []string{"ref", "a.yaml"}, given, "", func(r *finding.Report, a *browse.Accepting) {
			made, _ := a.Propose(r.Runs[0], []browse.Part{{CR: r.Runs[0].Comparisons[0]}}, nil)
			made[0].Reason = "because"
			if c.wrong == "was changed after it was read" {
				must(os.WriteFile("other.yaml", []byte(read(t, "mine.yaml")), 0o666))
			}
			before, _ := os.ReadFile(c.to)
			err := a.Write(c.to, made)
			after, _ := os.ReadFile(c.to)
			switch {
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("%s: %v, want %q", name, err, c.wrong)
			case c.wrong != "" && string(after) != string(before):
				t.Errorf("%s: %s was written", name, c.to)
			case c.wrong == "" && (err != nil || !strings.HasPrefix(string(after), string(before)) || len(after) == len(before)):
				t.Errorf("%s: %v: %s", name, err, after)
			case c.wrong == "":
				must(a.Write(c.to, made)) // the second time
			}
		})
	}
}

// TestAMissingCRIsAcceptedInItsCluster: also if one input holds several clusters.
func TestAMissingCRIsAcceptedInItsCluster(t *testing.T) {
	inFolder(t, accepted)
	pack.Files(t, "both", map[string]string{"a.yaml": read(t, "a.yaml"), "b.yaml": read(t, "b.yaml")})
	browsing(t, []string{"ref", "both"}, nil, "", func(found *finding.Report, a *browse.Accepting) {
		for i, run := range found.Runs {
			at := slices.IndexFunc(run.Rules, func(b finding.Rule) bool { return b.Component == "either" })
			made, left := a.Propose(run, []browse.Part{{Rule: &run.Rules[at]}}, nil)
			next, err := a.Apply(made)
			must(err)
			for j, accepted := range next.Runs {
				if want := i == j; want != (accepted.Summary.AcceptedCRs == 2) {
					t.Errorf("accepted of %s: %s accepts %d: %v", run.Name(), accepted.Name(), accepted.Summary.AcceptedCRs, left)
				}
			}
		}
	})
}
