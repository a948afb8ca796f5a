package patch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

func read(t *testing.T, kind refconfig.PatchType, text string) edits {
	t.Helper()
	e, err := readEdits(kind, text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestFieldsThatAPatchStates(t *testing.T) {
	for _, c := range []struct {
		kind  refconfig.PatchType
		patch string
		want  []string
	}{
		{refconfig.MergePatch, `{"b": {"c": null, "a": [{"x": 1}]}, "a/b": {}}`, []string{`a/b`, "b.a", "b.c"}},
		{refconfig.MergePatch, `{}`, nil},
		{refconfig.JSONPatch, `[{"op": "add", "path": "/a~1b/~01/0", "value": 1}, {"op": "test", "path": "/c", "value": 1}]`, []string{"a/b.~1.0"}},
		{refconfig.JSONPatch, `[{"op": "move", "from": "/a", "path": "/b"}, {"op": "add", "path": "/l/-", "value": 1}]`, []string{"a", "b", "l"}},
		{refconfig.JSONPatch, `[{"op": "replace", "path": "", "value": {}}]`, []string{"."}},
		{refconfig.JSONPatch, `[{"op": "remove", "path": "/l/0"}, {"op": "remove", "path": "/m/a"}]`, []string{"m.a"}},
		{refconfig.JSONPatch, `[]`, nil},
	} {
		var got []string
		for _, p := range read(t, c.kind, c.patch).states(map[string]any{"l": []any{"x"}}) {
			got = append(got, p.String())
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.patch, d)
		}
	}
}

// TestNotesAfterAnOverride: a note stays with its value, also where items of a list move; what was
// stated has none.
func TestNotesAfterAnOverride(t *testing.T) {
	printed := func(n int) provenance.Note { return provenance.Note{Variable: true, Print: n} }
	before := map[string]any{"l": []any{"one", "two", "three"}, "m": map[string]any{"a": "x", "b": "y"}, "s": "same"}
	notes := map[string]any{
		"l": []any{printed(1), printed(2), printed(3)},
		"m": map[string]any{"a": printed(4), "b": printed(5)},
		"s": printed(6),
	}
	none := provenance.Note{}
	for _, c := range []struct {
		kind  refconfig.PatchType
		patch string
		want  map[string]any
	}{
		{refconfig.JSONPatch, `[{"op": "remove", "path": "/l/0"}]`,
			map[string]any{"l": []any{printed(2), printed(3)}, "m": notes["m"], "s": printed(6)}},
		{refconfig.JSONPatch, `[{"op": "add", "path": "/l/-", "value": "four"}, {"op": "replace", "path": "/s", "value": "same"}]`,
			map[string]any{"l": []any{none, none, none, none}, "m": notes["m"], "s": none}},
		{refconfig.MergePatch, `{"m": {"a": null, "b": "z", "c": {"d": []}}}`,
			map[string]any{"l": notes["l"], "m": map[string]any{"b": none, "c": map[string]any{"d": none}}, "s": printed(6)}},
		{refconfig.MergePatch, `{"m": "text"}`, map[string]any{"l": notes["l"], "m": none, "s": printed(6)}},
	} {
		after, err := patched(before, c.kind, c.patch, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := stating(read(t, c.kind, c.patch).states(before))
		made := e.value(unknown(), nil, given.Noted(before, notes), diff.Present(after))
		if d := cmp.Diff(any(c.want), given.NotesOf(made)); d != "" || !tree.Equal(after, made.Value()) {
			t.Errorf("%s: %s", c.patch, d)
		}
	}
}
