package tree_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

func value(t testing.TB, text string) any {
	t.Helper()
	docs, err := kubeyaml.Parse([]byte(text))
	if err != nil || len(docs) != 1 {
		t.Fatalf("%q: %d documents, %v", text, len(docs), err)
	}
	return docs[0].Value()
}

func path(t testing.TB, text string) refconfig.FieldPath {
	t.Helper()
	p, err := refconfig.ParseFieldPath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{int64(1), 1.0, true}, {1.5, int64(1), false}, {"1", int64(1), false}, {nil, nil, true}, {nil, "", false},
		{map[string]any{}, nil, false}, {[]any{}, map[string]any{}, false}, {"a", []any{"a"}, false},
		{map[string]any{"a": []any{int64(1)}}, map[string]any{"a": []any{1.0}}, true},
		{map[string]any{"a": nil}, map[string]any{"b": nil}, false},
		{int64(1<<63 - 1), float64(1 << 63), false}, {int64(1<<53 + 1), float64(1 << 53), false}, {int64(-1 << 63), float64(-1 << 63), true},
		{int64(-1 << 63), -1e300, false}, {int64(0), math.NaN(), false}, {int64(0), math.Copysign(0, -1), true},
	} {
		if got := tree.Equal(c.a, c.b); got != c.want {
			t.Errorf("Equal(%v, %v) = %v", c.a, c.b, got)
		}
		if got := tree.Equal(c.b, c.a); got != c.want {
			t.Errorf("Equal(%v, %v) = %v", c.b, c.a, got)
		}
	}
}

func TestOmit(t *testing.T) {
	for _, c := range []struct {
		name, value, path string
		prefix            bool
		want              string
	}{
		{"a key", "{a: 1, b: 2}", "a", false, "{b: 2}"},
		{"a nested key", "{a: {b: 1, c: 2}}", "a.b", false, "{a: {c: 2}}"},
		{"a map that is left empty", "{a: {b: {c: 1}}, d: 1}", "a.b.c", false, "{d: 1}"},
		{"a map on the way that was empty", "{a: {}, d: 1}", "a.b", false, "{a: {}, d: 1}"},
		{"a map that keeps an empty one", "{a: {b: {}}, d: 1}", "a.b.c", false, "{a: {b: {}}, d: 1}"},
		{"the root stays", "{a: 1}", "a", false, "{}"},
		{"a key with dots", `{a: {"b.c/d": 1, e: 2}}`, `a."b.c/d"`, false, "{a: {e: 2}}"},
		{"a prefix", `{a: {p.x: 1, p.y: 2, q: 3}}`, `a."p."`, true, "{a: {q: 3}}"},
		{"a list's element", "{l: [a, b, c]}", "l.1", false, "{l: [a, c]}"},
		{"a field of an element", "{l: [{x: 1, y: 2}, {x: 3}]}", "l.0.x", false, "{l: [{y: 2}, {x: 3}]}"},
		{"all elements", "{l: [{x: 1, y: 2}, {x: 3, y: 4}]}", "l.*.x", false, "{l: [{y: 2}, {y: 4}]}"},
		{"all keys", "{m: {a: {x: 1, y: 1}, b: {x: 2, y: 2}}}", "m.*.x", false, "{m: {a: {y: 1}, b: {y: 2}}}"},
		{"what is not there", "{a: 1}", "x.y.z", false, "{a: 1}"},
		{"below a scalar", "{a: 1}", "a.b", false, "{a: 1}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := value(t, c.value)
			got := tree.Omit(v, []refconfig.OmitEntry{{Path: path(t, c.path), Prefix: c.prefix}})
			if d := cmp.Diff(value(t, c.want), got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(value(t, c.value), v); d != "" {
				t.Errorf("the value was changed: %s", d)
			}
		})
	}
}

func TestMerge(t *testing.T) {
	// the cases of RFC 7386, appendix A, that have a map for a target
	for _, c := range []struct{ target, patch, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		target, patch := value(t, c.target), value(t, c.patch)
		before := tree.Copy(target)
		if d := cmp.Diff(value(t, c.want), tree.Merge(target, patch)); d != "" {
			t.Errorf("%s with %s: %s", c.target, c.patch, d)
		}
		if d := cmp.Diff(before, target); d != "" {
			t.Errorf("the target was changed: %s", d)
		}
	}
}

func TestSetAndExpand(t *testing.T) {
	v := value(t, "{l: [{x: 1}, {x: 2, y: 3}], m: {a: {x: 4}}}")
	before := tree.Copy(v)
	got, ok := tree.Set(v, path(t, "l.1.x"), "new")
	if !ok || !tree.Equal(got, value(t, "{l: [{x: 1}, {x: new, y: 3}], m: {a: {x: 4}}}")) {
		t.Errorf("Set: %v %v", got, ok)
	}
	if _, ok := tree.Set(v, path(t, "l.7.x"), "new"); ok {
		t.Error("Set beyond the list's end")
	}
	if d := cmp.Diff(before, v); d != "" {
		t.Errorf("Set changed its argument: %s", d)
	}
	var found []string
	for _, p := range tree.Expand(v, path(t, "*.*.x")) {
		found = append(found, p.String())
	}
	if d := cmp.Diff([]string{"l.0.x", "l.1.x", "m.a.x"}, found); d != "" {
		t.Error(d)
	}
}

func TestBesideKeepsTheCRsOwn(t *testing.T) {
	cr, more := map[string]any{"kind": "ConfigMap", "data": nil}, map[string]any{"kind": "Secret", "type": "Opaque"}
	want := map[string]any{"kind": "ConfigMap", "data": nil, "type": "Opaque"}
	if d := cmp.Diff(want, tree.Beside(cr, more)); d != "" || len(cr) != 2 || len(more) != 2 {
		t.Errorf("%s; the CR is %v, the others are %v", d, cr, more)
	}
}

// TestBare checks which strings need no quotes: those that no YAML 1.1 reader takes for something else.
func TestBare(t *testing.T) {
	for s, want := range map[string]bool{
		"2024-05-01": false, "2024-5-1": false, "2024-05-01T10:00:00Z": false, "2024-05-01 10:00": false,
		"24-05-2001": true, "2024-xx-01": true, "2024-123-01": true, "2024-05-123": true, "2024-05-0x": true, "2024-05-01-02": true,
		"12:30:45": false, "-1:30": false, "1:5": false, "1:60": true, "1:300": true, "1:x": true, "1:30.5": false,
		".inf": false, "-.INF": false, ".NaN": false, ".info": true, "-x": true, "- x": false, "-": false, "?x": true,
		"10.0.0.1": true, "1.5": false, "08": false, "1st": true, "yes": false, "yess": true, "a: b": false, "a:b": true,
	} {
		if got := tree.Bare(s); got != want {
			t.Errorf("Bare(%q) = %v", s, got)
		}
	}
}

func TestYAML(t *testing.T) {
	got := tree.YAML(
		value(t, `{b: [1, {x: y, l: [a]}], a: "yes", c: {}, d: [], e: "two\nlines\n", f: null, g: "a: b", h: "08"}`),
	)
	want := strings.TrimPrefix(`
a: "yes"
b:
- 1
- l:
  - a
  x: "y"
c: {}
d: []
e: |
  two
  lines
f: null
g: "a: b"
h: "08"
`, "\n")
	want = strings.Replace(want, `x: "y"`, "x: \"true\"", 1)
	want = strings.Replace(want, `x: "true"`, "x: true", 1)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestYAMLReadsBack checks that printed YAML reads back as the same value.
func TestYAMLReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		readsBack(t, map[string]any{"v": random(r, 3)})
	}
}

// TestOmitCountsElementsAsTheyWere checks that an entry does not change the meaning of the next
// one.
func TestOmitCountsElementsAsTheyWere(t *testing.T) {
	entries := []refconfig.OmitEntry{
		{Path: path(t, "l.0")},
		{Path: path(t, "l.1")},
		{Path: path(t, "l.3.l.0")},
		{Path: path(t, "l.0")},
		{Path: path(t, "l.3.l.1")},
	}
	const text = "l: [a, b, c, {l: [x, y, z]}]"
	v := value(t, text)
	got := tree.Omit(v, entries)
	if want := value(t, "l: [c, {l: [z]}]"); !tree.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if !tree.Equal(v, value(t, text)) {
		t.Errorf("the value was changed to %v", v)
	}
}

// TestOmitSharesWhatStays checks that only containers with omitted fields are copied, and each only
// once.
func TestOmitSharesWhatStays(t *testing.T) {
	v := value(t, "{a: {x: 1, y: 2, z: 3}, l: [{x: 1, y: 2}, {z: 3}]}")
	if n := testing.AllocsPerRun(10, func() { tree.Omit(v, []refconfig.OmitEntry{{Path: path(t, "b")}}) }); n > 10 {
		t.Errorf("nothing to leave out takes %.0f allocations", n)
	}
	copies := func(names ...string) float64 {
		var entries []refconfig.OmitEntry
		for _, name := range names {
			entries = append(entries, refconfig.OmitEntry{Path: path(t, name)})
		}
		return testing.AllocsPerRun(10, func() { tree.Omit(v, entries) })
	}
	one, two := copies("a.x", "l.0.x"), copies("a.x", "a.y", "l.0.x", "l.0.y")
	if two > one+4 { // of keys, and of nothing else
		t.Errorf("%.0f allocations for one field of each map, %.0f for two", one, two)
	}
}

func FuzzYAMLReadsBack(f *testing.F) {
	for _, s := range words() {
		f.Add(s, s)
	}
	f.Add(strings.Repeat("y", 1001)+"!", "0") // too long for a key on one line with its colon
	f.Add(strings.Repeat("\x00é", 170), "a: b")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")
		readsBack(t, map[string]any{a: []any{b, map[string]any{"k": a + "\n" + b}}, "z": b})
	})
}

func readsBack(t *testing.T, v any) {
	t.Helper()
	text := tree.YAML(v)
	docs, err := kubeyaml.Parse([]byte(text))
	if err != nil || len(docs) != 1 {
		t.Fatalf("%#v prints as\n%s\n%d documents, %v", v, text, len(docs), err)
	}
	if back := docs[0].Value(); !tree.Equal(v, back) {
		t.Fatalf("%#v prints as\n%s\nand reads back as %#v", v, text, back)
	}
}

func words() []string {
	return []string{
		"",
		"a",
		"yes",
		"~",
		"null",
		"0x1f",
		"1e3",
		"08",
		"-",
		"- a",
		"a: b",
		"a #b",
		"#",
		"'",
		`"`,
		`\`,
		"a\nb",
		"a\n\nb\n",
		"\n",
		" a",
		"a ",
		"\ta",
		"a\tb\nc",
		"---",
		"...",
		"{",
		"[a]",
		"*x",
		"&x",
		"!t",
		"%",
		"@",
		"`",
		"|",
		">",
		"?",
		"? a",
		":",
		"::",
		"a:",
		"=",
		"<<",
		"1:30",
		"2020-01-01",
		"\x00",
		"\x1b[31m",
		"\u2028",
		"\ufeff",
		"é",
		"日本",
		"a\r\nb",
		"  a\n b",
		"a\n  b\n",
		"\u0085",
		"x: |\n y",
		".5",
		"+1",
		"1_000",
		"0b1",
		".inf",
	}
}

func random(r *rand.Rand, depth int) any {
	w := words()
	kinds := 7
	if depth == 0 {
		kinds = 5
	}
	switch r.IntN(kinds) {
	case 0:
		return int64(r.IntN(1000) - 500)
	case 1:
		return []any{nil, true, false, 1.5, -2.25e-7}[r.IntN(5)]
	case 2, 3:
		return w[r.IntN(len(w))]
	case 4:
		return w[r.IntN(len(w))] + fmt.Sprint(r.IntN(3)) + w[r.IntN(len(w))]
	case 5:
		l := make([]any, r.IntN(4))
		for i := range l {
			l[i] = random(r, depth-1)
		}
		return l
	}
	m := map[string]any{}
	for range r.IntN(4) {
		m[w[r.IntN(len(w))]] = random(r, depth-1)
	}
	return m
}

func TestMeasure(t *testing.T) {
	v := map[string]any{"a": []any{"x\ny", int64(1), nil}, "b": map[string]string{"c": "dd"}}
	size, ok := tree.Measure(v, tree.Size{Nodes: 1000, Bytes: 1000, Height: 10})
	want := tree.Size{Nodes: 1 + 2 + 1 + 3 + 1 + 2, Bytes: 2 + 3 + 3, Lines: 1, Height: 2}
	if diff := cmp.Diff(want, size); diff != "" || !ok {
		t.Error(diff)
	}
	circle := map[string]any{}
	circle["me"] = circle
	twins := any(map[string]any{"a": "x"})
	for range 100 {
		twins = map[string]any{"a": twins, "b": twins}
	}
	for what, v := range map[string]any{"a circle": circle, "twins": twins, "a long text": strings.Repeat("x", 2000), "a long list": make([]int, 2000)} {
		if size, ok := tree.Measure(v, tree.Size{Nodes: 1000, Bytes: 1000, Height: 100}); ok {
			t.Errorf("%s: %+v", what, size)
		}
	}
	type pointer struct{ to *pointer }
	p := &pointer{}
	p.to = p
	if _, ok := tree.Measure(p, tree.Size{Nodes: 1 << 20, Bytes: 1 << 20, Height: 100}); ok {
		t.Error("a circle of pointers")
	}
}

// TestOmissionIsWhatOmitRemoves checks that Omission and Omit agree outside of lists.
func TestOmissionIsWhatOmitRemoves(t *testing.T) {
	v := map[string]any{
		"a":    map[string]any{"x.1": 1, "x.2": 2, "y": map[string]any{"z": 3}},
		"list": []any{map[string]any{"k": 1, "l": 2}, map[string]any{"k": 3}, "text"},
		"7":    "digits",
	}
	for _, c := range []struct {
		path   string
		prefix bool
		want   string
	}{
		{"a", false, "a"}, {"a.y.z", false, "a.y.z"}, {"a.x", true, `a."x.1" a."x.2"`}, {"a.*", false, `a."x.1" a."x.2" a.y`}, {"*.y", false, "a.y"},
		{"list.*.k", false, "list.0.k list.1.k"}, {"list.1", false, "list.1"}, {"list.1", true, "list.1"}, {"list.*", false, "list.0 list.1 list.2"},
		{"7", false, `"7"`}, {"l", true, "list"}, {"none", false, ""}, {"list.9", false, ""}, {"a.y.z.deeper", false, ""}, {"list.k", true, ""},
	} {
		path, err := refconfig.ParseFieldPath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		entry := refconfig.OmitEntry{Path: path, Prefix: c.prefix}
		var got []string
		left := tree.Omit(v, []refconfig.OmitEntry{entry})
		for _, p := range omitted(v, nil, tree.Omitting([]refconfig.OmitEntry{entry})) {
			got = append(got, p.String())
			if _, still := tree.At(left, p); still && p[len(p)-1].Key != "" {
				t.Errorf("%s: %s is still there", entry, p)
			}
			if below := append(p, refconfig.Step{Key: "below", Index: -1}); !tree.Omits(
				[]refconfig.OmitEntry{entry}, below,
			) ||
				tree.Omits([]refconfig.OmitEntry{entry}, p[:len(p)-1]) {
				t.Errorf("%s: %s is not left out, or what is around it is", entry, below)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", entry, text, c.want)
		}
		if tree.Equal(left, v) != (len(got) == 0) {
			t.Errorf("%s: Omit and Omission disagree about whether anything goes", entry)
		}
	}
}

// omitted lists the omitted fields of a value, in the order of keys and indexes.
func omitted(v any, at refconfig.FieldPath, o tree.Omission) (all []refconfig.FieldPath) {
	step := func(s refconfig.Step, x any) {
		gone, below := o.Below(s)
		if gone != nil {
			all = append(all, at.Below(s))
		}
		all = append(all, omitted(x, at.Below(s), below)...)
	}
	switch c := v.(type) {
	case map[string]any:
		for _, k := range tree.Keys(c) {
			step(refconfig.Key(k), c[k])
		}
	case []any:
		for i, x := range c {
			step(refconfig.Step{Index: i}, x)
		}
	}
	return all
}
