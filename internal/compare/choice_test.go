package compare

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/finding"
)

// TestQuestions checks the questions about objects with several matching templates: they come one
// at a time, in the order of the objects, with any number of workers. The answer decides the
// comparison; without an answer, the smallest difference decides the rest.
func TestQuestions(t *testing.T) {
	ref, engine := load(t, "../../examples/ran-du/reference")
	in := loadRun(t, "../../examples/ran-du/reference", "../../examples/ran-du/cluster").in
	plain, err := Run(context.Background(), ref, engine, in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := func(workers int, answers ...int) (*finding.Run, []string) {
		var asked []string
		res, err := Run(
			context.Background(),
			ref,
			engine,
			in,
			Options{Workers: workers, Choose: func(q finding.Question) (int, bool) {
				for i, c := range q.Choices[1:] {
					if c.Score < q.Choices[i].Score {
						t.Errorf("%s: the choices are not sorted", q.Object)
					}
				}
				if q.Of != 2 || q.Number != len(asked)+1 {
					t.Errorf("question %d of %d", q.Number, q.Of)
				}
				asked = append(asked, q.Object.Name)
				if len(answers) < len(asked) {
					return 0, false
				}
				return answers[len(asked)-1], true
			}},
		)
		if err != nil {
			t.Fatal(err)
		}
		return res, asked
	}
	chosen := func(r *finding.Run) (all []string) {
		for _, c := range r.Comparisons {
			if len(c.Correlation.Candidates) > 1 {
				if c.Correlation.Candidates[0].Path != c.Template.Path {
					t.Errorf("%s: the chosen candidate is not the first", c.Object)
				}
				path := strings.TrimSuffix(strings.TrimPrefix(c.Template.Path, "sriov/SriovNetworkNodePolicy"), ".yaml")
				all = append(all, c.Object.Name+" "+path+" "+string(c.Correlation.By))
			}
		}
		return all
	}
	for workers := 1; workers < 5; workers++ {
		res, asked := run(workers, 1, 0)
		if d := cmp.Diff([]string{"fronthaul", "midhaul"}, asked); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"fronthaul Userspace interactive", "midhaul Userspace interactive"}, chosen(res)); d != "" {
			t.Error(d)
		}
		res, asked = run(workers, 1)
		if d := cmp.Diff([]string{"fronthaul Userspace interactive", "midhaul Userspace fixed"}, chosen(res)); d != "" ||
			len(asked) != 2 {
			t.Errorf("%v %s", asked, d)
		}
		res, asked = run(workers, -1, 2) // no choice has these numbers, so the smallest difference decides
		zero, _ := run(workers, 0, 0)
		if d := cmp.Diff(chosen(zero), chosen(res)); d != "" || len(asked) != 2 {
			t.Errorf("%v %s", asked, d)
		}
		if res, asked = run(workers); !reflect.DeepEqual(res, plain) || len(asked) != 1 {
			t.Errorf("%v: without an answer the result is another one", asked)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	count := 0
	cut, err := Run(ctx, ref, engine, in, Options{Choose: func(finding.Question) (int, bool) {
		count++
		stop()
		return 0, true
	}})
	if err == nil || count != 1 || !cut.Interrupted || len(cut.Comparisons) != len(plain.Comparisons)-2 {
		t.Errorf(
			"a run that was interrupted asked %d questions and ended with %v and %d comparisons",
			count,
			err,
			len(cut.Comparisons),
		)
	}
}
