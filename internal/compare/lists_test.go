package compare

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// perField has the entries of TestListsWithoutOrder.
const perField = `
- {pathToKey: spec.set, list: set}
- {pathToKey: spec.set.*.inner, list: set}
- {pathToKey: spec.set.*.cpu, quantity: true}
- {pathToKey: spec.map, list: "map(name, port)"}
- {pathToKey: spec.map.*.inner, list: map(id)}
- {pathToKey: spec.map.*.inner.*.cpus, cpuset: true}
- {pathToKey: spec.ordered, list: ordered}
`

// compareBy compares an object with an expected object by entries of perField.
func compareBy(t *testing.T, entries string, expected, object map[string]any) *finding.Comparison {
	t.Helper()
	metadata := "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml, config: {perField: [" +
		strings.ReplaceAll(strings.ReplaceAll(entries, "\n- ", ",\n"), "\n", " ") + "]}}]}]}]\n"
	files := fstest.MapFS{
		"metadata.yaml": {Data: []byte(strings.Replace(metadata, "[,", "[", 1))},
		"a.yaml":        {Data: []byte(literal(expected))},
	}
	ref, problems := refconfig.Load(files, ".", refconfig.LoadOptions{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	engine, problems := render.Compile(context.Background(), ref)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	objects := manifest.Read("in.yaml", "", []byte(tree.YAML(object)), manifest.Hints{}).Objects
	res, err := Run(
		context.Background(), ref, engine, Collected{Objects: objects}, Options{Show: diff.Show{Expected: true}},
	)
	if err != nil || len(res.Comparisons) != 1 {
		t.Fatal(err, res)
	}
	return res.Comparisons[0]
}

// TestListsWithoutOrder checks that sets and maps in any order are equal, also with other spellings
// of quantities and CPU sets in them, and that a changed scalar is found at its path or around it,
// and nowhere else.
func TestListsWithoutOrder(t *testing.T) {
	for seed := range uint64(testkit.Tries(60)) {
		g := &maker{Rand: rand.New(rand.NewPCG(seed, 21))}
		expected := map[string]any{
			"apiVersion": "v1",
			"kind":       "Thing",
			"metadata":   map[string]any{"name": "x"},
			"spec": map[string]any{
				"set": g.set(), "map": g.mapList(), "plain": g.items(1)},
		}
		object := tree.Copy(expected).(map[string]any)
		g.scramble(object["spec"].(map[string]any))
		if c := compareBy(t, perField, expected, object); c.Result != finding.Clean || len(c.Differences) > 0 {
			t.Fatalf(
				"seed %d: %s\nexpected %s\nobject %s",
				seed,
				lines(c.Differences),
				tree.YAML(expected),
				tree.YAML(object),
			)
		}
		leaves := leavesOf(object)
		for range 5 {
			path := leaves[g.IntN(len(leaves))]
			changed, _ := tree.Set(object, path, "changed by the test")
			c := compareBy(t, perField, expected, changed.(map[string]any))
			at := path.String() + "."
			near := 0
			for _, d := range c.Differences {
				if strings.HasPrefix(at, d.Path+".") {
					near++
				} else if d.Category != finding.Missing {
					t.Errorf("seed %d: %s was changed, and %s %s is told", seed, path, d.Category, d.Path)
				}
			}
			if near == 0 || c.Result != finding.Drifted {
				t.Fatalf(
					"seed %d: %s was changed: %s, %s\nexpected %s\nobject %s",
					seed,
					path,
					c.Result,
					lines(c.Differences),
					tree.YAML(expected),
					tree.YAML(changed),
				)
			}
		}
	}
}

// set makes a list of scalars, or of maps with sets in them.
func (g *maker) set() []any {
	l := []any{}
	maps := g.IntN(2) == 0
	for range 1 + g.IntN(5) {
		if !maps {
			l = append(l, fmt.Sprint("v", g.IntN(4)))
			continue
		}
		l = append(l, map[string]any{
			"a":     int64(g.IntN(3)),
			"cpu":   "1000m",
			"inner": []any{int64(g.IntN(3)), "x", int64(g.IntN(3))},
		})
	}
	return l
}

// mapList makes a list of maps with keys, some of them with two parts.
func (g *maker) mapList() []any {
	l := []any{}
	for i := range 1 + g.IntN(5) {
		l = append(
			l,
			map[string]any{"name": fmt.Sprint("n", i/2), "port": int64(i % 2), "value": g.scalar(), "inner": []any{
				map[string]any{"id": "one", "cpus": "0-3"}, map[string]any{"id": "two", "cpus": "4,6"}}},
		)
	}
	return l
}

// scramble reorders the lists whose order does not count, and spells their values in another way.
func (g *maker) scramble(spec map[string]any) {
	for _, key := range []string{"set", "map"} {
		l := spec[key].([]any)
		g.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		for _, item := range l {
			m, isMap := item.(map[string]any)
			if !isMap {
				continue
			}
			inner := m["inner"].([]any)
			g.Shuffle(len(inner), func(i, j int) { inner[i], inner[j] = inner[j], inner[i] })
			if _, has := m["cpu"]; has {
				m["cpu"] = g.one("1000m", "1", "1e0", "1.000")
			}
			for _, x := range inner {
				if y, ok := x.(map[string]any); ok && y["id"] == "one" {
					y["cpus"] = g.one("0-3", "3,0-2", "0,1,2,3")
				}
			}
		}
	}
}

// leavesOf returns the paths of the leaves of an object's spec.
func leavesOf(object map[string]any) (paths []refconfig.FieldPath) {
	for path := range tree.Leaves(map[string]any{"spec": object["spec"]}) {
		paths = append(paths, slices.Clone(path))
	}
	return paths
}

// TestOrderedLists checks that another order of the same items is one difference, and that other
// differences are found as usual.
func TestOrderedLists(t *testing.T) {
	thing := func(l ...any) map[string]any {
		return map[string]any{
			"apiVersion": "v1",
			"kind":       "Thing",
			"metadata":   map[string]any{"name": "x"},
			"spec":       map[string]any{"ordered": l},
		}
	}
	for seed := range uint64(testkit.Tries(60)) {
		g := &maker{Rand: rand.New(rand.NewPCG(seed, 22))}
		items := append(g.items(2), "one", map[string]any{"name": "two"})
		other := tree.Copy(items).([]any)
		g.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		c := compareBy(t, perField, thing(items...), thing(other...))
		switch {
		case tree.Equal(items, other):
			if c.Result != finding.Clean {
				t.Errorf("seed %d: %s", seed, lines(c.Differences))
			}
		case len(c.Differences) != 1 || c.Differences[0].Path != "spec.ordered" || c.Differences[0].Message != "same items, other order" || c.Result != finding.Drifted:
			t.Errorf("seed %d: %s", seed, lines(c.Differences))
		}
		if c := compareBy(t, perField, thing(items...), thing(append(other, "more")...)); len(c.Differences) == 0 ||
			c.Differences[0].Path == "spec.ordered" {
			t.Errorf("seed %d: with one more: %s", seed, lines(c.Differences))
		}
	}
}

// TestFindingsInListsWithoutOrderStayTheSame checks that a finding keeps its fingerprint and values
// in any order of the items of sets and maps, and that a change in another item of a map has
// another fingerprint.
func TestFindingsInListsWithoutOrderStayTheSame(t *testing.T) {
	for seed := range uint64(testkit.Tries(60)) {
		g := &maker{Rand: rand.New(rand.NewPCG(seed, 23))}
		expected := map[string]any{
			"apiVersion": "v1",
			"kind":       "Thing",
			"metadata":   map[string]any{"name": "x"},
			"spec": map[string]any{
				"set": g.set(), "map": g.mapList()},
		}
		object := tree.Copy(expected).(map[string]any)
		leaves := leavesOf(object)
		for i := range 3 {
			changed, _ := tree.Set(object, leaves[g.IntN(len(leaves))], fmt.Sprint("changed by the test ", i))
			object = changed.(map[string]any)
		}
		spec := object["spec"].(map[string]any)
		spec["set"] = append(spec["set"].([]any), "more", map[string]any{"more": true})
		first := prints(compareBy(t, perField, expected, object))
		for _, key := range []string{"set", "map"} {
			l := spec[key].([]any)
			g.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		}
		if diff := cmp.Diff(first, prints(compareBy(t, perField, expected, object))); diff != "" {
			t.Fatalf("seed %d: %s\nexpected %s\nobject %s", seed, diff, tree.YAML(expected), tree.YAML(object))
		}
	}
	thing := func(values ...string) map[string]any {
		return map[string]any{
			"apiVersion": "v1",
			"kind":       "Thing",
			"metadata":   map[string]any{"name": "x"},
			"spec": map[string]any{"map": []any{
				map[string]any{"name": "a", "value": values[0]}, map[string]any{"name": "b", "value": values[1]}}},
		}
	}
	one, other := compareBy(
		t, perField, thing("1", "1"), thing("2", "1"),
	), compareBy(t, perField, thing("1", "1"), thing("1", "2"))
	if one.Differences[0].Fingerprint == other.Differences[0].Fingerprint {
		t.Error("a finding in another item has the same fingerprint")
	}
}

// prints returns the fingerprints and values of the findings, sorted.
func prints(c *finding.Comparison) (all []string) {
	for _, d := range c.Differences {
		all = append(all, fmt.Sprintf("%s %s %s %s", d.Fingerprint, d.Category, d.Reference, d.Input))
	}
	slices.Sort(all)
	return all
}

// TestEachFieldKeyDecides checks for each key of perField that an entry with it changes the result
// of a comparison.
func TestEachFieldKeyDecides(t *testing.T) {
	rows := map[string]struct{ value, expected, object string }{
		"inlineDiffFunc": {"regex", "'a+'", "aaa"},
		"embedded":       {"json", `'{"a": 1, "b": 2}'`, `'{"b":2,"a":1}'`},
		"list":           {"set", "[a, b]", "[b, a]"},
		"quantity":       {"true", "1Gi", "1024Mi"},
		"cpuset":         {"true", "0-3", `"0,1,2,3"`},
		"exact":          {"true", "{a: 1}", "{a: 1, b: 2}"},
	}
	object := func(value string) map[string]any {
		text := "apiVersion: v1\nkind: A\nmetadata: {name: a}\nfield: " + value + "\n"
		v, err := given.Objects(t, "in.yaml", text)[0].Decode()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	manual, err := os.ReadFile("../../docs/references.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range refconfig.FieldKeys() {
		row, there := rows[string(key)]
		documented := strings.Contains(string(manual), string(key)+": ")
		if !there || !documented {
			t.Errorf("%s has a row: %v, and is in docs/references.md: %v", key, there, documented)
			continue
		}
		entry := fmt.Sprintf("{pathToKey: field, %s: %s}", key, row.value)
		expected, is := object(row.expected), object(row.object)
		without, with := compareBy(t, "", expected, is), compareBy(t, entry, expected, is)
		if without.Counts == with.Counts || without.Result == finding.Clean {
			t.Errorf("%s: %v without, %v with", key, without.Counts, with.Counts)
		}
	}
}
