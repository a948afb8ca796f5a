package render_test

import (
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
)

// TestNoFindingIsLost: whatever text stands around the action that found something out, the finding is told, unless it stands in a
// comment.
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
			count := func(f *render.Finding) {
				if f != nil && f.Code == action.code {
					n++
				}
			}
			for i := range r.Unplaced {
				count(&r.Unplaced[i])
			}
			eachNoteBelow(r.Notes, func(note render.Note) { count(note.Finding) })
			want := c.told || action.code == code.EvalFail // a check counts wherever it stands
			if told := n > 0; told != want || n > 1 {
				t.Errorf("%s%s%s: told %d times", c.before, action.text, c.behind, n)
			}
		}
	}
}

func eachNoteBelow(v any, f func(render.Note)) {
	switch v := v.(type) {
	case render.Note:
		f(v)
	case map[string]any:
		for _, x := range v {
			eachNoteBelow(x, f)
		}
	case []any:
		for _, x := range v {
			eachNoteBelow(x, f)
		}
	}
}

// TestAFindingCostsNoType: an action that prints nothing directly behind a key, or fails, leaves the other values their types.
func TestAFindingCostsNoType(t *testing.T) {
	head := "apiVersion: v1\nkind: A\nmetadata:\n  name: a\ntext: {{ .text }}\n"
	for _, rest := range []string{"list:{{ .gone }}\n", "list:\n{{- fail \"wrong\" }}\n", "list: x{{ fail \"wrong\" }}\n", "list: {{ maxListLength 0 .list | toJson }}\n",
		"list:\n{{- maxListLength 0 .list | toYaml | nindent 2 }}\n", "list: 'x'{{ fail \"wrong\" }}\n"} {
		r, err := compile(t, head+rest).Execute(map[string]any{"text": "1e3", "list": []any{"a"}}, render.Options{})
		if err != nil || r.Value["text"] != "1e3" {
			t.Errorf("%s: %#v %v", rest, r.Value["text"], err)
		}
	}
}
