package cli

import (
	"encoding/json"
	"io"
	"math/rand/v2"
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
// a terminal.
func browsing(t *testing.T, args []string, overrides []string, f func(*finding.Report, *browse.Accepting)) {
	t.Helper()
	p := &program{io: IO{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: noEnv, Terminal: isTerminal},
		name: finding.ToolName, limits: limits{}}
	ctx, guard := watch.Start(t.Context(), watch.Limits{}, nil)
	defer guard.Stop()
	p.watch = guard
	o := p.browseOptions()
	o.overrides = overrides
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
				all = append(all, browse.Part{CR: c, Path: f.Path})
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
// the browser showed.
func TestTheBrowserSaysWhatTheNextRunSays(t *testing.T) {
	besideOthers(t)
	eachExample(t, func(t *testing.T, reference string, objects []map[string]any) {
		dir := t.TempDir()
		in := filepath.Join(dir, "in")
		var all []string
		r := rand.New(rand.NewPCG(54, uint64(len(objects))))
		for _, o := range objects {
			if r.IntN(12) > 0 {
				all = append(all, tree.YAML(damagedInput(r, o, r.IntN(3))))
			}
		}
		pack.Files(t, dir, map[string]string{"in/all.yaml": strings.Join(all, "---\n")})
		browsing(t, []string{reference, in}, nil, func(found *finding.Report, a *browse.Accepting) {
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
				browsing(t, []string{reference, in}, nil, func(_ *finding.Report, other *browse.Accepting) {
					pack.Files(t, dir, map[string]string{"accepted.yaml": ""})
					must(other.Write(file, made))
				})
				browsing(t, []string{reference, in}, []string{file}, func(next *finding.Report, _ *browse.Accepting) {
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
