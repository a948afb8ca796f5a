package diff_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/refconfig"
)

// TestAnotherValueInATextWithADocument: the field gets the value as the text spells such values, nothing
// else of the text changes, and a text in which this cannot be done stays.
func TestAnotherValueInATextWithADocument(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString
	for _, c := range []struct {
		format, text, field, is string
		want                    string // "" if it cannot be done
	}{
		{"yaml", "a: old # old\nb: x\n", "a", "new", "a: new # old\nb: x\n"},
		{"yaml", "b: old\na: old\n", "a", "new", "b: old\na: new\n"},
		{"yaml", "old: old\n", "old", "new", "old: new\n"},
		{"yaml", "oldold: old\n", "oldold", "new", "oldold: new\n"},
		{"yaml", "a: [old, {b: old}]\n", "a.1.b", "new", "a: [old, {b: new}]\n"},
		{"yaml", "a: 'it''s'\n", "a", "who's", "a: 'who''s'\n"},
		{"yaml", `a: "one\ttwo"`, "a", "three\tfour", `a: "three\tfour"`},
		{"yaml", `a: "a <b> \"c\""`, "a", `d & "e"`, `a: "d & \"e\""`},
		{"yaml", "a: 12\n", "a", "13", "a: 13\n"},
		{"yaml", "a: old\n", "a", "b: c", ""},
		{"yaml", "a: ''\n", "a", "new", ""},
		{"yaml", "a: {b: old}\n", "a", "new", ""},
		{"yaml", "a: &x old\nb: *x\n", "b", "new", ""},
		{"yaml", "a: old\n", "b", "new", ""},
		{"yaml", "a: [", "a", "new", ""},
		{"yaml", strings.Repeat("# old\n", 99) + "a: old\n", "a", "new", strings.Repeat("# old\n", 99) + "a: new\n"},
		{"json", `{"a": "old", "b": "old"}`, "b", `"`, `{"a": "old", "b": "\""}`},
		{"json", `{"a":"\u006fld"}`, "a", "new", ""},
		{"yaml", b64([]byte("a: old\nb: some more text\n")), "a", "new", ""},
	} {
		path, err := refconfig.ParseFieldPath(c.field)
		if err != nil {
			t.Fatal(err)
		}
		by := refconfig.FieldFunction{Key: refconfig.Embedded, Function: c.format}
		want := c.want
		if want == "" {
			want = c.text
		}
		if got, done := diff.WithValue(c.text, by, path, c.is); got != want || done != (c.want != "") {
			t.Errorf("%q, %s is %q: got %q, %v, want %q", c.text, c.field, c.is, got, done, want)
		}
	}
}
