package render_test

import (
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/provenance"
)

// A finding must be reported whatever text surrounds its action, except in a comment.
func TestNoFindingIsLost(t *testing.T) {
	head := "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"
	for _, action := range []struct {
		text string
		code code.Code
	}{{`{{ fail "wrong" }}`, code.EvalFail}, {`{{ .spec.gone }}`, code.EvalMissingKey}} {
		for _, c := range []struct {
			before, behind string
			told           bool
		}{
			{"", "", true}, {"a: ", "", true}, {"a: b", "", true}, {"a: b ", "", true}, {"a: 'b'", "", true}, {`a: "b"`, "", true},
			{`a: "b" `, "", true}, {"a: [b]", "", true}, {"a: {b: c}", "", true}, {"a: [", "]", true}, {"a: []", "", true},
			{"a: |\n  b", "", true}, {"a: |\n  b\n", "", true}, {"a:\n- b", "", true}, {"a:\n- 'b'", "", true}, {"a", ": b", true},
			{`a: "b # c"`, "", true}, {"a: b#", "", true}, {"a: 'it''s # b'", "", true},
			{"a: b # ", "", false}, {"# ", "", false}, {"a: 'b' # ", "", false}, {`a: "b\"" # `, "", false},
		} {
			tmpl := compile(t, head+c.before+action.text+c.behind+"\n")
			r, err := tmpl.Execute(map[string]any{"kind": "A"}, render.Options{})
			if err != nil {
				t.Errorf("%s%s%s: %v", c.before, action.text, c.behind, err)
				continue
			}
			n := 0
			count := func(f *provenance.Finding) {
				if f != nil && f.Code == action.code {
					n++
				}
			}
			for i := range r.Unplaced {
				count(&r.Unplaced[i])
			}
			for _, f := range r.Node.Findings() {
				count(&f)
			}
			want := c.told || action.code == code.EvalFail // a failed check counts even in a comment
			if told := n > 0; told != want || n > 1 {
				t.Errorf("%s%s%s: told %d times", c.before, action.text, c.behind, n)
			}
		}
	}
}

// A failed check must be reported at the field in which it was evaluated.
func TestChecksStandAtTheirField(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a value", "spec:\n  x: {{ fail \"no\" }}\n", "spec.x"},
		{"behind a value", "spec:\n  x: 1 {{ fail \"no\" }}\n  y: 2\n", "spec.x"},
		{"trimmed behind a key", "spec:\n  x:\n    {{- fail \"no\" }}\n    a: 1\n", "spec.x"},
		{"before the first key", "spec:\n  x:\n    {{ fail \"no\" }}\n    a: 1\n", "spec.x"},
		{"behind the last key", "spec:\n  x:\n    a: 1\n    {{ fail \"no\" }}\n  y: 1\n", "spec.x"},
		{"between the keys above", "spec:\n  x:\n    a: 1\n  {{ fail \"no\" }}\n  y: 1\n", "spec"},
		{"in a condition", "spec:\n  {{ if not .ok }}{{ fail \"no\" }}{{ end }}\n  y: 1\n", "spec"},
		{"an element", "spec:\n  l:\n  - a: 1\n    {{ fail \"no\" }}\n    b: 1\n  - c: 1\n", "spec.l.0"},
		{"behind the elements", "spec:\n  l:\n    - a: 1\n    - b: 1\n   {{ fail \"no\" }}\n", "spec.l"},
		{"behind a list at its key", "spec:\n  l:\n  - a: 1\n  {{ fail \"no\" }}\n", "spec"},
		{"in braces", "spec:\n  x: {a: {b: 1}, {{ fail \"no\" }} }\n", "spec.x"},
		{"a comment", "spec:\n  x: 1 # {{ fail \"no\" }}\n  y: 2\n", "spec.x"},
		{"at the margin", "spec:\n  x: 1\n{{ fail \"no\" }}\n", ""},
		{"before everything", "{{ fail \"no\" }}\nspec: 1\n", ""},
		{"a printed key", "spec:\n  {{ \"k\" }}:\n    {{ fail \"no\" }}\n    a: 1\n", "spec"},
		{"a list's length", "{{ maxListLength 1 .l }}\nspec:\n  x: 1\n", "l"},
		{"a list's length in an include", "{{ define \"c\" }}{{ maxListLength 1 .l }}{{ end }}spec:\n  x: {{ include \"c\" . }}\n", "l"},
	} {
		r, err := compile(t, header+c.body).Execute(object(t, "{l: [1, 2]}"), render.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var paths []string
		add := func(f *provenance.Finding) {
			if f != nil && f.Path != nil {
				paths = append(paths, f.Path.String())
			} else if f != nil {
				paths = append(paths, "")
			}
		}
		for i := range r.Unplaced {
			add(&r.Unplaced[i])
		}
		for _, f := range r.Node.Findings() {
			add(&f)
		}
		if len(paths) != 1 || paths[0] != c.want {
			t.Errorf("%s: %q, want %q", c.name, paths, c.want)
		}
	}
}

// An action right after a key that fails or prints nothing must not change the types of other
// values.
func TestFindingsKeepTypesOfOtherValues(t *testing.T) {
	head := "apiVersion: v1\nkind: A\nmetadata:\n  name: a\ntext: {{ .text }}\n"
	for _, rest := range []string{"list:{{ .gone }}\n", "list:\n{{- fail \"wrong\" }}\n", "list: x{{ fail \"wrong\" }}\n", "list: {{ maxListLength 0 .list | toJson }}\n",
		"list:\n{{- maxListLength 0 .list | toYaml | nindent 2 }}\n", "list: 'x'{{ fail \"wrong\" }}\n"} {
		r, err := compile(t, head+rest).Execute(map[string]any{"text": "1e3", "list": []any{"a"}}, render.Options{})
		if err != nil || r.Value["text"] != "1e3" {
			t.Errorf("%s: %#v %v", rest, r.Value["text"], err)
		}
	}
}
