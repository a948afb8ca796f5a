package compare

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestARunChangesNoArgument checks that a second run with the same arguments has the same result,
// and that the reference, the objects, their order and the options do not change.
func TestARunChangesNoArgument(t *testing.T) {
	shared := "../../../shared/conformance/"
	for _, c := range [][2]string{
		{"../../examples/quickstart/reference", "../../examples/quickstart/cluster"}, {"../../examples/ran-du/reference", "../../examples/ran-du/cluster"},
		{"../../examples/annotations/reference", "../../examples/annotations/cluster"}, {shared + "references/core", shared + "inputs/core"},
	} {
		if _, err := os.Stat(c[0]); err != nil {
			continue
		}
		in := loadRun(t, c[0], c[1]).in
		ref, engine := load(t, c[0])
		untouched, _ := load(t, c[0])
		opt := Options{
			Nearest:   true,
			EveryKind: true,
			Today:     "2030-01-01",
			Manual:    map[string]*refconfig.Template{"none": ref.Templates[0]},
			Overrides: []refconfig.Override{
				{Type: refconfig.MergePatch, Patch: `{"spec":{"x":{"y":[1]}},"metadata":{"labels":null}}`, Reason: "r"},
				{
					Type:   refconfig.GoTemplate,
					Patch:  `{type: mergepatch, patch: '{"data":{"k":"v"}}'}{{ $_ := set . "spec" 1 }}`,
					Reason: "r",
				}},
		}
		before := opt
		before.Overrides, before.Manual = slices.Clone(opt.Overrides), map[string]*refconfig.Template{
			"none": ref.Templates[0],
		}
		order := slices.Clone(in.Objects)
		var values []any
		for _, o := range in.Objects {
			v, err := o.Decode()
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, v)
		}
		first, err := Run(context.Background(), ref, engine, in, opt)
		second, err2 := Run(context.Background(), ref, engine, in, opt)
		if err != nil || err2 != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("%s: the second run differs from the first: %v %v", c[0], err, err2)
		}
		if !reflect.DeepEqual(ref, untouched) {
			t.Errorf("%s: the reference was changed", c[0])
		}
		if !reflect.DeepEqual(opt, before) || !slices.Equal(order, in.Objects) {
			t.Errorf("%s: the options, or the order of the objects, were changed", c[0])
		}
		for i, o := range in.Objects {
			if v, err := o.Decode(); err != nil || !reflect.DeepEqual(any(v), values[i]) {
				t.Errorf("%s was changed", o.ID)
			}
		}
	}
}

// TestTheOrderOfCandidatesDecidesOnlyTies checks that the chosen template and its differences do
// not depend on the order of the templates, unless several fit equally well: then the first of
// these is chosen.
func TestTheOrderOfCandidatesDecidesOnlyTies(t *testing.T) {
	ties := 0
	seeds := testkit.Tries(40)
	for seed := range uint64(seeds) {
		g := &maker{Rand: rand.New(rand.NewPCG(seed, 2))}
		o := g.object()
		objects := manifest.Read("in.yaml", "", []byte(tree.YAML(o)), manifest.Hints{}).Objects
		texts := map[string]string{"good.yaml": g.template(o)}
		for i := range 4 {
			other := tree.Copy(o).(map[string]any)
			other["spec"] = g.mapping(2)
			texts[fmt.Sprintf("%d.yaml", i)] = g.template(other)
		}
		names := tree.Keys(texts)
		var chosen *finding.Comparison
		for range 5 {
			g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			c := runCandidates(t, names, texts, objects)
			candidates := c.Correlation.Candidates
			best := slices.MinFunc(candidates, func(a, b finding.Candidate) int { return a.Score - b.Score }).Score
			var fit []string // those that fit best, in the order of the reference
			for _, name := range names {
				if slices.ContainsFunc(
					candidates, func(x finding.Candidate) bool { return x.Path == name && x.Score == best },
				) {
					fit = append(fit, name)
				}
			}
			if c.Template.Path != fit[0] || candidates[0].Path != c.Template.Path {
				t.Fatalf("seed %d: of %v, %s was chosen", seed, fit, c.Template.Path)
			}
			if len(fit) > 1 {
				ties++
				continue
			}
			if chosen != nil &&
				(chosen.Template.Path != c.Template.Path || lines(chosen.Differences) != lines(c.Differences)) {
				t.Fatalf(
					"seed %d: in another order, %s is chosen and not %s", seed, c.Template.Path, chosen.Template.Path,
				)
			}
			chosen = c
		}
	}
	if ties > 3*seeds {
		t.Errorf("%d of %d choices were ties, too many to say anything", ties, 5*seeds)
	}
}

// runCandidates compares one object with a reference of several templates for it.
func runCandidates(
	t *testing.T, names []string, texts map[string]string, objects []*manifest.Object,
) *finding.Comparison {
	t.Helper()
	var paths []string
	files := fstest.MapFS{}
	for _, name := range names {
		paths = append(paths, "{path: "+name+"}")
		files[name] = &fstest.MapFile{Data: []byte(texts[name])}
	}
	files["metadata.yaml"] = &fstest.MapFile{
		Data: []byte(
			"apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [" + strings.Join(paths, ", ") + "]}]}]\n",
		),
	}
	ref, engine := given.Load(t, files, "")
	res, err := Run(
		context.Background(), ref, engine, Collected{Objects: objects}, Options{Show: diff.Show{Expected: true}},
	)
	if err != nil || len(res.Comparisons) != 1 || len(res.Comparisons[0].Correlation.Candidates) < 2 {
		t.Fatalf("%v %+v", err, res.Comparisons)
	}
	return res.Comparisons[0]
}
