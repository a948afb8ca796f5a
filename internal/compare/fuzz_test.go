package compare

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// decoded returns the one value of a YAML text.
func decoded(text string) (any, bool) {
	docs, err := kubeyaml.Parse([]byte(text))
	if err != nil || len(docs) != 1 {
		return nil, false
	}
	return docs[0].Value(), true
}

// FuzzOverlay compares any two values: the leaves of the tree give back both, every leaf has the
// category of its values, every difference is listed, and equal values have none.
func FuzzOverlay(f *testing.F) {
	for _, seed := range [][2]string{
		{"{a: 1, b: [x, {c: 2}]}", "{a: 1.0, b: [{c: 3}, x], d: null}"}, {"[1, 2, 3]", "[3, 1, 2]"}, {"a: {}", "a: []"}, {"[[], [[]], {}]", "[[[]], [], {}]"},
		{"- {name: a, v: 1}\n- {name: b, v: 2}\n- {name: c}", "- {name: b, v: 2}\n- {name: d, v: 1}\n- {name: a, v: 1}"}, {"[a, a, b, a]", "[a, b, a, a, a]"},
		{"{kind: Secret, data: {k: x}, metadata: {annotations: {a: b}}}", "{kind: Secret, data: {k: y}, metadata: {}}"}, {"x", "null"}, {"'1'", "1"},
		{"{'': 1, '0': 2, 'a.b': 3}", "{'': 2, '0': 2, 'a.b': 4}"}, {"[1e400, .nan, 9007199254740993]", "[1e400, .nan, 9007199254740992]"},
		{"- {type: a, x: [1, 2, 3]}\n- {type: a, x: [1]}", "- {type: b, x: [1, 2, 3]}\n- {type: a, x: [0, 1]}"}, {"- [a]\n- {b: c}\n- d", "- d\n- {b: c}\n- [a]"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, leftText, rightText string) {
		left, ok1 := decoded(leftText)
		right, ok2 := decoded(rightText)
		if !ok1 || !ok2 || len(leftText)+len(rightText) > 8<<10 {
			return
		}
		beforeLeft, beforeRight := tree.Copy(left), tree.Copy(right)
		for _, scope := range []secret.Scope{{}, secret.OfKind("Secret")} {
			checkOverlay(t, scope, left, right)
			if d := diff.Flatten(diff.Of(provenance.Plain(left), left, scope)); len(d) > 0 && alike(left, left) {
				t.Fatalf("a value differs from itself: %v", lines(d))
			}
		}
		if !alike(beforeLeft, left) || !alike(beforeRight, right) {
			t.Fatal("an argument was changed")
		}
	})
}

func checkOverlay(t *testing.T, scope secret.Scope, left, right any) {
	t.Helper()
	pair := diff.Of(provenance.Plain(left), right, scope)
	if got := rebuilt(pair, func(p *diff.Pair) diff.Value { return p.Left }); !sameText(got.Data, left) {
		t.Fatalf("the left side is %v", got.Data)
	}
	if got := rebuilt(pair, func(p *diff.Pair) diff.Value { return p.Right }); !sameText(got.Data, right) {
		t.Fatalf("the right side is %v", got.Data)
	}
	var want []string
	leaves(pair, nil, func(p *diff.Pair, at spot) {
		if p.Category != category(p) && alike(p.Left, p.Left) && alike(p.Right, p.Right) {
			t.Fatalf("%s: %v beside %v has category %q", at, p.Left, p.Right, p.Category)
		}
		if p.Category != finding.Same {
			want = append(want, marked(at, p.Category))
		}
	})
	differences := diff.Flatten(pair)
	var got []string
	for _, d := range differences {
		got = append(got, marked(spotOf(d.Path), d.Category))
	}
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("the tree has %s, the list %s", want, got)
	}
	score := (&attempt{compared: diff.Compared{Tree: pair, Differences: differences}}).distance(func() bool { return false })
	if (len(got) == 0) != sameText(left, right) || (score > 0) != (len(got) > 0) {
		t.Fatalf("%d differences with score %d; equal: %v", len(got), score, sameText(left, right))
	}
}

// sameText reports whether two values are written alike. This holds for NaN and itself too.
func sameText(a, b any) bool { return tree.YAML(uniform(a)) == tree.YAML(uniform(b)) }

// FuzzRun compares any object with any template, omitting any field: the result is true (see
// truth), the same for each run, and no argument changes.
func FuzzRun(f *testing.F) {
	head := "apiVersion: v1\nkind: Thing\nmetadata: {name: x}\n"
	for _, seed := range []struct {
		template, object, omit, field, patch string
		flags                                byte
	}{
		{"v: {{ .v }}\nw: 1\n", "v: 1\nw: 2\n", "metadata.uid", "", "", 0},
		{"v: {{ .v.x }}\n", "w: 1\n", "w", "", "", 1},
		{"v: (?<a>x)-(?<a>y)\n", "v: x-x\n", "a.*.b", "v", "", 8}, {"v: ^[a-z]+$\n", "v: abc\n", "v", "v", "", 0},
		{"l:\n{{- range .l }}\n- {{ . }}\n{{- end }}\n", "l: [1, two, [3]]\n", "l.0", "", `{"l":null}`, 2},
		{"m: {{ .m | toJson }}\nn: {}\ne: []\n", "m: {a: {}}\ne: []\n", `m."a"`, "", `[{"op":"add","path":"/n/x","value":1}]`, 3},
		{"{{ doNotMatch \"no\" }}", "", "x", "", "", 0}, {"{{ fail \"no\" }}\nv: {{ .v | quote }}\n", "v: 1\n", "*", "", "", 4},
		{"m: {a: null, b: {{ .m.b }}, c: {d: 1}}\n", "m: {a: 1, c: {}}\n", "m.c", "", "type: mergepatch\npatch: {m: {a: 1}}", 7},
		{"v: x{{ .gone }}\n", "v: x\n", "x", "", "", 0}, {"l: [{{ .a }}, b]\n", "l: [b]\n", "x", "", `[{"op":"remove","path":"/l/0"}]`, 2},
	} {
		f.Add(head+seed.template, head+seed.object, seed.omit, seed.field, seed.patch, seed.flags)
	}
	odd := "apiVersion: v1\nkind: Thing\nmetadata: {name: on, namespace: 0x1F}\n"
	f.Add(odd+"v: 1\n", odd+"v: 2\n", "metadata.uid", "", "", byte(0))
	f.Fuzz(func(t *testing.T, template, object, omit, field, patch string, flags byte) {
		if len(template)+len(object)+len(patch) > 8<<10 {
			return
		}
		ref, problems := refconfig.Load(fuzzReference(template, omit, field, flags), ".", refconfig.LoadOptions{})
		if len(problems) > 0 {
			return
		}
		engine, problems := render.Compile(context.Background(), ref)
		objects := manifest.Read("in.yaml", "", []byte(object), manifest.Hints{Asked: true}).Objects
		if len(problems) > 0 || len(objects) == 0 || len(objects) > 5 {
			return
		}
		checkRun(t, ref, engine, Collected{Objects: objects}, fuzzOptions(patch, flags))
	})
}

// fuzzReference returns a reference with one template.
func fuzzReference(template, omit, field string, flags byte) fstest.MapFS {
	metadata := fmt.Sprintf(
		"apiVersion: v2\nfieldsToOmit: {defaultOmitRef: d, items: {d: [{pathToKey: %s, isPrefix: %v}]}}\n"+
			"parts: [{name: p, components: [{name: c, allOf: [{path: t.yaml, config: {ignore-unspecified-fields: %v}}]}]}]\n",
		inJSON(omit),
		flags&4 > 0,
		flags&1 > 0,
	)
	if field != "" {
		function := "regex"
		if flags&8 > 0 {
			function = "capturegroups"
		}
		metadata = metadata[:len(metadata)-len("}}]}]}]\n")] + fmt.Sprintf(
			", perField: [{pathToKey: %s, inlineDiffFunc: %s}]}}]}]}]\n", inJSON(field), function,
		)
	}
	return fstest.MapFS{"metadata.yaml": {Data: []byte(metadata)}, "t.yaml": {Data: []byte(template)}}
}

func fuzzOptions(patch string, flags byte) Options {
	opt := Options{EveryKind: true, Nearest: flags&16 > 0}
	if patch != "" {
		kind := []refconfig.PatchType{refconfig.MergePatch, refconfig.JSONPatch, refconfig.GoTemplate}[flags>>1%3]
		opt.Overrides = []refconfig.Override{
			{Type: kind, Patch: patch, Reason: "fuzz", Place: refconfig.Place{File: "o.yaml", Line: 1}},
		}
	}
	return opt
}

// checkRun runs a comparison twice and checks what must hold for every run.
func checkRun(t *testing.T, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options) {
	t.Helper()
	var before []any
	for _, o := range in.Objects {
		if v, err := o.Decode(); err == nil {
			before = append(before, tree.Copy(v))
		}
	}
	r := newRun(t.Context(), ref, engine, in, opt)
	for _, e := range r.comparer.store.distinct {
		c := r.compare(e).comparison
		if c == nil || c.Result == finding.Failed {
			continue
		}
		value, _ := e.decode()
		sides := sidesOf(r, c.template, value)
		if c.Override != nil {
			left := rebuilt(c.tree, func(p *diff.Pair) diff.Value { return p.Left })
			sides.whole[0], sides.left, sides.asked, sides.apart, sides.conflict = nil, left.Data, nil, 0, false
		}
		if err := truth(c, sides); err != nil {
			t.Fatalf("%s: %v", e.object.ID, err)
		}
	}
	i := 0
	for _, e := range r.comparer.store.distinct {
		v, err := e.decode()
		if err != nil || len(r.comparer.store.distinct) < len(in.Objects) {
			continue
		}
		found := false
		for _, b := range before {
			found = found || sameText(b, v)
		}
		if i++; !found {
			t.Fatalf("%s was changed to %v", e.object.ID, v)
		}
	}
	first, _ := Run(context.Background(), ref, engine, in, opt)
	opt.Workers = 3
	second, _ := Run(context.Background(), ref, engine, in, opt)
	if !reflect.DeepEqual(first.Summary, second.Summary) || !reflect.DeepEqual(listed(first), listed(second)) {
		t.Fatalf("first %+v\nthen %+v", listed(first), listed(second))
	}
}

// listed returns the findings about objects as texts.
func listed(r *finding.Run) []string {
	var all []string
	for _, c := range r.Comparisons {
		all = append(
			all,
			fmt.Sprint(c.Object, c.Source, c.Template.Path, c.Result, c.Error, c.Counts, "\n", lines(c.Differences)),
		)
		for _, d := range c.Differences {
			all = append(all, fmt.Sprint(d.Path, d.Message, d.Line, d.Code, string(d.Reference), string(d.Input)))
		}
	}
	return append(all, fmt.Sprint(len(r.Unmatched), r.Refused, len(r.Rules), r.Warnings))
}
