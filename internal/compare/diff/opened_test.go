package diff

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

type object = map[string]any

func entry(t *testing.T, path, format string) refconfig.FieldFunction {
	t.Helper()
	p, err := refconfig.ParseFieldPath(path)
	if err != nil {
		t.Fatal(err)
	}
	return refconfig.FieldFunction{Path: p, Key: refconfig.Embedded, Function: format}
}

// TestDocumentsStandInThePlaceOfTheirTexts checks that documents replace their texts on both sides
// or on neither.
func TestDocumentsStandInThePlaceOfTheirTexts(t *testing.T) {
	const secret = "kind: Secret\ndata: {a: x}\n"
	file := func(name, text string) any { return object{"path": name, "text": text} }
	opened := func(name string, v any) any { return object{"path": name, "text!": v} }
	tests := []struct {
		name                string
		entries             []refconfig.FieldFunction
		left, right         object
		wantLeft, wantRight object // nil where nothing changes
		paths, closed       []string
	}{
		{
			"a key",
			[]refconfig.FieldFunction{entry(t, "a", "json")},
			object{"a": `{"b":1}`},
			object{"a": in64(`{"b": 2.0}`)},
			object{"a!": object{"b": int64(1)}},
			object{"a!": object{"b": int64(2)}},
			[]string{"a"},
			nil,
		},
		{
			"a key of one side only",
			[]refconfig.FieldFunction{entry(t, "a", "json")},
			object{"a": `{"b":1}`},
			object{},
			nil,
			nil,
			nil,
			nil,
		},
		{
			"no text",
			[]refconfig.FieldFunction{entry(t, "a", "json")},
			object{"a": int64(1)},
			object{"a": "{}"},
			nil,
			nil,
			nil,
			nil,
		},
		{
			"what one side cannot say",
			[]refconfig.FieldFunction{entry(t, "a", "json")},
			object{"a": "{}"},
			object{"a": "{"},
			nil,
			nil,
			nil,
			[]string{"a: it is not valid JSON"},
		},
		{
			"what the other cannot say",
			[]refconfig.FieldFunction{entry(t, "a", "json")},
			object{"a": "{"},
			object{"a": "{}"},
			nil,
			nil,
			nil,
			[]string{"a: in the reference it is not valid JSON"},
		},
		{
			"a field beside it",
			[]refconfig.FieldFunction{entry(t, "a", "json")},
			object{"a": "{}", "a!": "x"},
			object{"a": "{}"},
			nil,
			nil,
			nil,
			[]string{"a: there is a field a! next to it"},
		},
		{
			"a document in a document",
			[]refconfig.FieldFunction{entry(t, "a", "yaml"), entry(t, "a!.b", "ini")},
			object{"a": "b: x=1\n"},
			object{"a": "b: x = 2\n"},
			object{
				"a!": object{"b!": object{"x": "1"}},
			},
			object{"a!": object{"b!": object{"x": "2"}}},
			[]string{"a", "a!.b"},
			nil,
		},
		{
			"a wildcard means no document that is open",
			[]refconfig.FieldFunction{entry(t, "*", "text"), entry(t, "*", "text")},
			object{"a": in64("some plain words")},
			object{"a": "x"},
			object{"a!": "some plain words"},
			object{"a!": "x"},
			[]string{"a"},
			nil,
		},
		{
			"items that belong together",
			[]refconfig.FieldFunction{entry(t, "l.*.text", "json")},
			object{"l": []any{file("a", "[1]"), file("b", "[2]")}},
			object{
				"l": []any{file("new", "{"), file("a", "[1.0]"), file("b", "[2 ]")},
			},
			object{"l": []any{opened("a", []any{int64(1)}), opened("b", []any{int64(2)})}},
			object{
				"l": []any{file("new", "{"), opened("a", []any{int64(1)}), opened("b", []any{int64(2)})},
			},
			[]string{"l.0.text", "l.1.text"},
			nil,
		},
		{
			"items themselves",
			[]refconfig.FieldFunction{entry(t, "l.1", "json")},
			object{"l": []any{"x", "[1]"}},
			object{"l": []any{"x", "[2]"}},
			object{"l": []any{"x", []any{int64(1)}}},
			object{"l": []any{"x", []any{int64(2)}}},
			[]string{"l.1"},
			nil,
		},
		{
			"a secret that is the same",
			[]refconfig.FieldFunction{entry(t, "a", "yaml")},
			object{"a": secret},
			object{"a": in64("# \n" + secret)},
			object{"a": in64("# \n" + secret)},
			object{"a": in64("# \n" + secret)},
			nil,
			nil,
		},
		{
			"a secret that differs",
			[]refconfig.FieldFunction{entry(t, "a", "yaml")},
			object{"a": secret},
			object{"a": secret + "b: c\n"},
			nil,
			nil,
			nil,
			[]string{"a: it may hold secret data, so only the fact that it differs is shown"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := Open(
				refconfig.Config{PerField: test.entries},
				Sides{Left: provenance.Plain(test.left), Right: test.right, Most: embed.Most(1000)},
			)
			if test.wantLeft == nil {
				test.wantLeft, test.wantRight = test.left, test.right
			}
			var paths, closed []string
			for _, p := range o.Paths {
				paths = append(paths, p.String())
			}
			for _, c := range o.Closed {
				closed = append(closed, c.Path.String()+": "+c.Why)
			}
			got := []any{o.Left.Value(), o.Right, paths, closed}
			if diff := cmp.Diff([]any{test.wantLeft, test.wantRight, test.paths, test.closed}, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestNotesOfDocuments checks that each leaf of a document has the note of its text.
func TestNotesOfDocuments(t *testing.T) {
	c := refconfig.Config{PerField: []refconfig.FieldFunction{entry(t, "a", "json")}}
	left := object{"a": `{"b":1,"c":[2],"d":{},"e":[]}`}
	o := Open(c, Sides{Left: given.Noted(left, object{"a": provenance.Note{Variable: true}}), Right: left, Most: 1 << 20})
	printed := provenance.Note{Variable: true, Print: -1, Root: 1}
	if diff := cmp.Diff(any(object{"a!": object{"b": printed, "c": []any{printed}, "d": printed, "e": printed}}), given.NotesOf(o.Left)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	missing := provenance.Note{Finding: &provenance.Finding{}}
	if o := Open(c, Sides{Left: given.Noted(left, object{"a": missing}), Right: left, Most: 1 << 20}); len(
		o.Paths,
	)+len(o.Closed) > 0 {
		t.Error("a text that has no value yet is opened")
	}
	if o := Open(c, Sides{Left: given.Noted(left, object{"a": provenance.Note{Variable: true}}), Right: left, Most: 1 << 20, Blank: true}); len(
		o.Paths,
	) > 0 {
		t.Error("a text that only an object can tell is opened")
	}
}

// TestPatterns checks where the patterns of a value are: in the value, in a document of a text, in one
// of a document, or perhaps in a text that cannot be opened.
func TestPatterns(t *testing.T) {
	regex := func(path string) refconfig.FieldFunction {
		e := entry(t, path, "regex")
		e.Key = refconfig.InlineDiff
		return e
	}
	c := refconfig.Config{PerField: []refconfig.FieldFunction{
		entry(t, "d!.e", "json"), entry(t, "d", "json"), entry(t, "x", "json"), entry(t, "l.0", "json"),
		regex("a"), regex("d!.b"), regex("d!.e!.c"), regex("x!.a.b"), regex("l.0.c"), regex("n"),
	}}
	var got []string
	for _, s := range Patterns(c, object{
		"a": "A", "d": `{"b": "B", "e": "{\"c\": \"C\"}"}`, "x": "{", "l": []any{`{"c": "D"}`}, "n": int64(1),
	}) {
		got = append(got, fmt.Sprint(s.At, " ", s.Expression, " in ", s.Text, " ", s.InText(), " ", s.Closed))
	}
	want := []string{
		"a A in a false <nil>", "d!.b B in d true <nil>", "d!.e!.c C in d true <nil>",
		"x!.a.b  in x true it is not valid JSON", "l.0.c D in l.0 true <nil>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestASpotHoldsSecretDataOfEitherSide checks that one of two values makes a spot secret.
func TestASpotHoldsSecretDataOfEitherSide(t *testing.T) {
	const hidden = "kind: Secret\ndata: {a: x}\n"
	for _, c := range []struct {
		left, right string
		want        bool
	}{{"x", "y", false}, {hidden, "y", true}, {"x", hidden, true}} {
		spots := SpotsOf(t.Context(), refconfig.Config{}, object{"a": c.left}, object{"a": c.right}, secret.Scope{})
		for s := range spots.At(refconfig.PathOf("a")) {
			if s.HoldsSecret() != c.want {
				t.Errorf("%q and %q: %v", c.left, c.right, !c.want)
			}
		}
	}
}

// TestReopen checks that the document of a text that an override states replaces the text.
func TestReopen(t *testing.T) {
	left := object{"a": `{"b":1}`}
	o := Open(
		refconfig.Config{PerField: []refconfig.FieldFunction{entry(t, "a", "json")}},
		Sides{Left: provenance.Plain(left), Right: left, Most: 1 << 20},
	)
	if diff := cmp.Diff(any(object{"a!": object{"c": int64(2)}}), o.Reopen(object{"a!": object{"b": int64(1)}, "a": `{"c":2}`})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	broken := object{"a!": object{"b": int64(1)}, "a": "{"}
	if diff := cmp.Diff(any(broken), o.Reopen(broken)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
