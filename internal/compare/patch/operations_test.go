package patch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// valueIn reads YAML.
func valueIn(t testing.TB, text string) any {
	t.Helper()
	docs, err := kubeyaml.Parse([]byte(text))
	if err != nil || len(docs) != 1 {
		t.Fatalf("%s: %d documents, %v", text, len(docs), err)
	}
	return docs[0].Value()
}

// patched applies the text of a patch.
func patched(v any, kind refconfig.PatchType, text string, waived func(*failure) bool) (any, error) {
	if wrong := refconfig.CheckPatch(kind, text); len(wrong) > 0 {
		return nil, wrong[0]
	}
	e, err := readEdits(kind, text)
	if err != nil {
		return nil, err
	}
	return e.apply(v, waived)
}

func TestJSONPatches(t *testing.T) {
	v := valueIn(t, "{a: 1, l: [x, y], big: 9007199254740993}")
	got, err := patched(
		v,
		refconfig.JSONPatch,
		`[{"op":"replace","path":"/a","value":2},{"op":"remove","path":"/l/0"},{"op":"add","path":"/b","value":{"c":1.5}}]`,
		nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(valueIn(t, "{a: 2, b: {c: 1.5}, l: [y], big: 9007199254740993}"), got); d != "" {
		t.Error(d)
	}
	for patch, want := range map[string]string{ // what is wrong, else what it makes of the value
		`{`: "not valid JSON", `[{}]`: "has an unknown op", `[{"op":"copy","path":"/x"}]`: "has no from", `[{"op":"remove","path":null}]`: "has no path",
		`[{"op":"add","path":"x","value":1}]`: "must begin with a slash", `[{"op":"add","Path":"/x","value":1}]`: "has no path",
		`[{"op":"sort","path":"/l"}]`: "has an unknown op", `[{"op":"test","path":""}]`: "has no value", `[{"op":"add","path":"/x"}]`: "has no value",

		`[{"op":"replace","path":"/nope/x","value":1}]`: "doc is missing key: /nope/x", `[{"op":"replace","path":"/nope","value":1}]`: "missing key: /nope",
		`[{"op":"remove","path":"/nope"}]`: "missing key: /nope", `[{"op":"remove","path":""}]`: "missing key", `[{"op":"remove","path":"/l/2"}]`: "missing key: /l/2",
		`[{"op":"add","path":"/l/3","value":1}]`: "missing key: /l/3", `[{"op":"add","path":"/l/x","value":1}]`: "missing key: /l/x",
		`[{"op":"remove","path":"/l/-"}]`: "missing key: /l/-", `[{"op":"replace","path":"/l/-","value":1}]`: "missing key: /l/-",
		`[{"op":"add","path":"/nope/x","value":1}]`: "missing key: /nope/x", `[{"op":"move","from":"/m","path":"/m/n"}]`: "missing key: /m/n",
		`[{"op":"copy","from":"/nope","path":"/x"}]`: "missing key: /nope",
		`[{"op":"copy","from":"","path":"/x"},{"op":"copy","from":"","path":"/y"},{"op":"copy","from":"","path":"/z"}]`: "copies more than",

		`[{"op":"test","path":"/a","value":7}]`: "testing value /a failed", `[{"op":"test","path":"/a","value":null}]`: "testing value /a failed",
		`[{"op":"test","path":"/nope/x","value":null}]`: "testing value /nope/x failed", `[{"op":"test","path":"/l/2","value":null}]`: "testing value /l/2 failed",
		`[{"op":"test","path":"/a","value":1.0},{"op":"test","path":"/nope","value":null},{"op":"test","path":"/l","value":["x",null]}]`: "{a: 1, l: [x, null], m: {}}",
		`[{"op":"test","path":"","value":{"a":1,"l":["x",null],"m":{}}},{"op":"replace","path":"","value":{"b":[]}}]`:                    "{b: []}", `[{"op":"replace","path":"","value":[]}]`: "leaves no map",

		`[{"op":"add","path":"/l/-","value":1},{"op":"add","path":"/l/1","value":2},{"op":"add","path":"/l/-1","value":3}]`:               "{a: 1, l: [x, 2, null, 1, 3], m: {}}",
		`[{"op":"remove","path":"/l/-1"},{"op":"replace","path":"/l/-1","value":"z"}]`:                                                    "{a: 1, l: [z], m: {}}",
		`[{"op":"move","from":"/l/0","path":"/m/b~1c~0d"},{"op":"copy","from":"/m","path":"/k"},{"op":"add","path":"/k/o","value":null}]`: "{a: 1, l: [null], m: {b/c~d: x}, k: {b/c~d: x, o: null}}",
	} {
		v := valueIn(t, "{a: 1, l: [x, null], m: {}}")
		got, err := patched(v, refconfig.JSONPatch, patch, nil)
		switch {
		case err != nil && !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v, want %s", patch, err, want)
		case err == nil && !tree.Equal(got, valueIn(t, want)):
			t.Errorf("%s: %v, want %s", patch, got, want)
		case !tree.Equal(v, valueIn(t, "{a: 1, l: [x, null], m: {}}")):
			t.Errorf("%s: the value was changed to %v", patch, v)
		}
	}
	got, err = patched(
		v,
		refconfig.JSONPatch,
		`[{"op":"test","path":"/a","value":2},{"op":"remove","path":"/a"}]`,
		func(test *failure) bool {
			return test.at.String() == "a" && tree.Equal(test.value, int64(2)) && tree.Equal(test.before, v)
		},
	)
	if err != nil || !tree.Equal(got, valueIn(t, "{l: [x, y], big: 9007199254740993}")) {
		t.Errorf("a test that need not hold: %v, %v", got, err)
	}
}

// TestAPatchIsAppliedAnew: what one application makes of the patch's values is not in the next.
func TestAPatchIsAppliedAnew(t *testing.T) {
	e := read(t, refconfig.JSONPatch, `[{"op":"add","path":"/a","value":{"l":[1]}},{"op":"add","path":"/a/l/0","value":2}]`)
	for range 2 {
		got, err := e.apply(map[string]any{}, nil)
		if err != nil || !tree.Equal(got, valueIn(t, "{a: {l: [2, 1]}}")) {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// TestWhatATemplateYields: an override's template has to yield a patch that could stand in its place.
func TestWhatATemplateYields(t *testing.T) {
	for text, want := range map[string]string{
		"type: rfc6902\npatch: [{op: remove, path: /a}]":    "",
		"type: mergepatch\npatch: '{\"a\": {{ .n }}}'":      "",
		"type: mergepatch\npatch: '{\"a\"'":                 "the patch is not valid JSON",
		"type: mergepatch\npatch: [1]":                      "must be a JSON object, not",
		"type: rfc6902\npatch: [{op: remove, path: a}]":     "operation 1 of the patch has the path",
		"type: rfc6902\npatch: [{op: replace, path: /a}]":   "operation 1 of the patch has no value",
		"type: other\npatch: {}":                            "unknown type; it can be mergepatch or rfc6902",
		"type: rfc6902\npatch: []\n---\ntype: mergepatch\n": "2 YAML documents",
	} {
		o := refconfig.Override{Type: refconfig.GoTemplate, Patch: text}
		_, err := resolved(o, map[string]any{"n": int64(1)}, render.Options{})
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestWhatAPatchStates: a patch states the fields that it sets or removes, and of what it adds each
// field; it does not state an item that it removes, because the next takes its index.
func TestWhatAPatchStates(t *testing.T) {
	v := valueIn(t, "{a: {b: 1}, l: [x]}")
	for text, want := range map[string]string{
		`[{"op":"add","path":"/a","value":{"c":1}}]`:                                       "a",
		`[{"op":"add","path":"/n","value":{"c":1,"d":{},"e":[{}]}}]`:                       "n.c n.d n.e",
		`[{"op":"replace","path":"/a","value":{"c":1}}]`:                                   "a",
		`[{"op":"add","path":"/l/-","value":"y"}]`:                                         "l",
		`[{"op":"add","path":"/l/0","value":"y"}]`:                                         "l.0",
		`[{"op":"remove","path":"/l/0"}]`:                                                  "",
		`[{"op":"remove","path":"/a/b"}]`:                                                  "a.b",
		`[{"op":"move","from":"/a/b","path":"/z"}]`:                                        "a.b z",
		`[{"op":"move","from":"/l/0","path":"/a"}]`:                                        "a",
		`[{"op":"copy","from":"/a","path":"/z"}]`:                                          "z",
		`[{"op":"test","path":"/a/b","value":1},{"op":"replace","path":"/a/b","value":1}]`: "a.b",
	} {
		var got []string
		for _, path := range read(t, refconfig.JSONPatch, text).states(v) {
			got = append(got, path.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestPatchesThatMoveValues: these may bring something secret to another place.
func TestPatchesThatMoveValues(t *testing.T) {
	for text, want := range map[string]bool{
		`[{"op":"move","fro\u006d":"/a","path":"/b"}]`:                                true,
		`[{"op":"test","path":"/a","value":1},{"op":"copy","from":"/a","path":"/b"}]`: true,
		`[{"op":"add","path":"/a","value":{"from":"b"},"from":"/c"}]`:                 false,
	} {
		if got := read(t, refconfig.JSONPatch, text).moves(); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// FuzzPatches applies any text as a JSON patch and as a merge patch to any value: neither panics or
// changes its arguments, and what is patched by what it became stays as it is.
func FuzzPatches(f *testing.F) {
	for _, seed := range [][2]string{
		{"{a: 1, l: [1, 2]}", `[{"op":"add","path":"/l/-","value":3},{"op":"move","from":"/a","path":"/b"}]`},
		{"{a: {b: c}}", `{"a":{"b":null,"d":[1]},"e":1e3}`}, {"[1]", `[{"op":"remove","path":""}]`}, {"a: 1", `[{"op":"test","path":"/a","value":1.0}]`},
		{"{'a/b': 1, 'm~n': 2}", `[{"op":"replace","path":"/a~1b","value":null},{"op":"copy","from":"/m~0n","path":"/m~0n/x"}]`},
		{"{}", `[{"op":"add","path":"/x/y/z","value":{}}]`}, {"[]", `[{"op":"add","path":"/-1","value":0},{"op":"add","path":"/99999999999","value":0}]`},
		{"a: null", "null"}, {"a:", `[{"op":"test","path":""}]`}, {"a", `[{}]`}, {"{a: [{}]}", `[{"op":"replace","path":"/a/0"}]`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, patch string) {
		docs, err := kubeyaml.Parse([]byte(text))
		if err != nil || len(docs) != 1 {
			return
		}
		v := docs[0].Value()
		before := tree.YAML(v)
		_, _ = patched(v, refconfig.JSONPatch, patch, nil)
		p, err := tree.FromJSON([]byte(patch))
		if err == nil {
			written := tree.YAML(p)
			merged := tree.Merge(v, p)
			if again := tree.Merge(merged, p); tree.YAML(again) != tree.YAML(merged) {
				t.Errorf("merged twice: %v, once: %v", again, merged)
			}
			if tree.YAML(p) != written {
				t.Errorf("the patch was changed to %v", p)
			}
		}
		if tree.YAML(v) != before {
			t.Errorf("the value was changed to %v", v)
		}
	})
}
