package compare

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// TestNeitherOrderNorWorkersShow checks that the result depends neither on the order of the objects
// nor on the number of workers.
func TestNeitherOrderNorWorkersShow(t *testing.T) {
	for _, example := range []string{"quickstart", "ran-du", "annotations", "config-connector"} {
		base := loadRun(t, "../../examples/"+example+"/reference", "../../examples/"+example+"/cluster")
		ref, engine := load(t, "../../examples/"+example+"/reference")
		in := base.in
		opt := Options{
			Workers:       1,
			Nearest:       ref.Format == refconfig.Annotations,
			EveryKind:     true,
			ListUnmatched: true,
			Show:          diff.Show{Expected: true, Lines: true},
		}
		want, err := Run(context.Background(), ref, engine, in, opt)
		if err != nil || want.Summary.Objects.Compared == 0 {
			t.Fatalf("%s: %+v %v", example, want.Summary, err)
		}
		r := rand.New(rand.NewPCG(3, 4))
		for range 20 {
			r.Shuffle(len(in.Objects), func(i, j int) { in.Objects[i], in.Objects[j] = in.Objects[j], in.Objects[i] })
			opt.Workers = 1 + r.IntN(8)
			got, err := Run(context.Background(), ref, engine, in, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(want, got) {
				t.Fatalf("%s: another order or %d workers give another result", example, opt.Workers)
			}
		}
	}
}

func load(t *testing.T, reference string) (*refconfig.Reference, *render.Engine) {
	t.Helper()
	ref, engine := given.Load(t, os.DirFS(reference), "")
	return ref, engine
}

// TestAnAcceptedItemIsNotMissing checks that the note of a value goes with the value if a patch
// moves it.
func TestAnAcceptedItemIsNotMissing(t *testing.T) {
	fsys := fuzzReference(
		"apiVersion: v1\nkind: Thing\nmetadata: {name: x}\nl: [\"{{ .gone }}\", b]\nm: {{ .m }}\n", "status", "", 0,
	)
	ref, engine := given.Load(t, fsys, "")
	in := Collected{
		Objects: given.Objects(t, "in.yaml", "apiVersion: v1\nkind: Thing\nmetadata: {name: x}\nl: [b]\nm: 1\n"),
	}
	opt := Options{
		Overrides: []refconfig.Override{
			{Type: refconfig.JSONPatch, Patch: `[{"op": "remove", "path": "/l/0"}]`, Reason: "accepted"},
		},
	}
	for _, c := range []struct {
		opt  Options
		want string
	}{{Options{}, "missing l.0\nexpected m"}, {opt, "expected m"}} {
		c.opt.Show.Expected = true
		res, err := Run(context.Background(), ref, engine, in, c.opt)
		if err != nil || len(res.Comparisons) != 1 || lines(res.Comparisons[0].Differences) != c.want {
			t.Errorf("%v %+v", err, res.Comparisons)
		}
	}
}

// TestPathsAreThoseOfTheCR checks that omitted elements of lists do not change the paths of the
// others.
func TestPathsAreThoseOfTheCR(t *testing.T) {
	head := "apiVersion: v1\nkind: Thing\nmetadata: {name: x}\nl:\n"
	for _, c := range []struct{ omit, template, object, want string }{
		{"l.0", "- {n: a}\n- {n: b, v: 1}\n- {n: c}\n", "- {n: z}\n- {n: b, v: 2}\n", "drift l.1.v:6\nmissing l.2:4"},
		{"l.1", "- {n: a}\n- {n: b}\n- {n: c, m: [x]}\n", "- {n: a}\n- {n: q}\n- {n: c, m: [x, y]}\n- {n: d}\n", "extra l.2.m.1:7\nextra l.3:8"},
		{"l.*", "- 1\n", "- 2\n", ""}, {"l.*.m.0", "- {n: a, m: [1, 2, 3]}\n", "- {n: a, m: [9, 2, 4]}\n", "drift l.0.m.2:5"},
	} {
		ref, engine := given.Load(t, fuzzReference(head+c.template, c.omit, "", 0), "")
		res, err := Run(
			context.Background(),
			ref,
			engine,
			Collected{Objects: given.Objects(t, "in.yaml", head+c.object)},
			Options{},
		)
		if err != nil || len(res.Comparisons) != 1 {
			t.Fatalf("%v %+v", err, res)
		}
		var got []string
		for _, d := range res.Comparisons[0].Differences {
			got = append(got, fmt.Sprintf("%s:%d", lines([]finding.Difference{d}), d.Line))
		}
		if got := strings.Join(got, "\n"); got != c.want {
			t.Errorf("without %s: got\n%s\nwant\n%s", c.omit, got, c.want)
		}
	}
}

// audited is a comparison with its tree and all differences.
type audited struct {
	*finding.Comparison
	template    *refconfig.Template
	tree        *diff.Pair
	differences []diff.Difference
}

// judged is the result for an object: one of the two, or none if no template is for it.
type judged struct {
	comparison *audited
	refused    *finding.Refused
}

// compare compares one of the objects.
func (r *run) compare(e *stored) judged {
	one := r.comparer.weigh(r.comparer.subject(e, r.assigned[e]))
	switch {
	case len(one.candidates.all) == 0:
		return judged{}
	case one.err == nil && len(one.attempts) == 0:
		return judged{refused: one.refused()}
	}
	c := r.comparer.resolve(one, 0)
	out := &audited{Comparison: c.found, template: c.template}
	if c.found.Result != finding.Failed {
		out.tree, out.differences = one.ranked[0].compared.Tree, one.ranked[0].compared.Differences
	}
	return judged{comparison: out}
}
