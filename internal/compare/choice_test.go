package compare

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/given"
)

// TestQuestions: objects that several templates fit are asked about in their order, one at a time,
// whatever the number of workers; the answer is the object's comparison, and no answer leaves the
// rest to the smallest difference.
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

// TestChoicesAreShownOnRequest: a question makes the lines of the closest template alone; those of
// another are made when somebody asks for them, once.
func TestChoicesAreShownOnRequest(t *testing.T) {
	const templates = 30
	files, listed := fstest.MapFS{}, ""
	lines := func(begin string) (text string) {
		for i := range 60 {
			text += fmt.Sprintf("k%d: \"a\\n%s\\nb\\n\", ", i, begin)
		}
		return "apiVersion: v1\nkind: A\nmetadata: {namespace: ns, name: a}\nx: {" + text + "}\n"
	}
	for i := range templates {
		path := fmt.Sprintf("t%d.yaml", i)
		files[path], listed = &fstest.MapFile{
			Data: []byte(lines(fmt.Sprintf("kindSecret %d", i))),
		}, listed+"{path: "+path+"}, "
	}
	files["metadata.yaml"] = &fstest.MapFile{
		Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [" + listed + "]}]}]\n"),
	}
	ref, engine := given.Load(t, files, "ref")
	in := Collected{Objects: given.Objects(t, "in.yaml", lines("kind Secret"))}
	allocated := func(look func(finding.Question)) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		asked := false
		if _, err := Run(t.Context(), ref, engine, in, Options{Choose: func(q finding.Question) (int, bool) {
			asked = len(q.Choices) == templates
			look(q)
			return 0, true
		}}); err != nil || !asked {
			t.Errorf("asked %v, %v", asked, err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	none := allocated(func(finding.Question) {})
	all := allocated(func(q finding.Question) {
		for _, c := range q.Choices {
			if one := c.Shown(); one.Sides == "" || one != c.Shown() || one.Counts != c.Counts ||
				one.Template != c.Template {
				t.Errorf("%s: %+v", c.Template.Path, one)
			}
		}
	})
	if 3*none > 2*all {
		t.Errorf("%d KiB are allocated where nobody looks, and %d where all choices are looked at", none>>10, all>>10)
	}
}
