package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// TestCodesStandBelowTheirFields checks that a code is shown below its field, also if the field
// agrees, is nested in a value that agrees, or is absent.
func TestCodesStandBelowTheirFields(t *testing.T) {
	spec := map[string]any{"a": []any{map[string]any{"b": "x", "c": int64(1)}, "z"}, "m": int64(2)}
	left, right := map[string]any{"spec": spec, "status": "up"}, map[string]any{"spec": spec, "status": "down"}
	for _, test := range []struct{ path, want string }{
		{"spec.a.0.b", "spec:|  a:|    - b: x|    ^NTP-A|      c: 1|    - z|  m: 2|status: up/status: down"},
		{"spec.a.1", "spec:|  a:|    - b: x|      c: 1|    - z|    ^NTP-A|  m: 2|status: up/status: down"},
		{"spec.m", "spec:|  a:|    - b: x|      c: 1|    - z|  m: 2|  ^NTP-A|status: up/status: down"},
		{"status", "spec:|  a:|    - b: x|      c: 1|    - z|  m: 2|status: up/status: down|^NTP-A"},
		{"spec.a.7.no", "spec:|  a:|  ^NTP-A|    - b: x|      c: 1|    - z|  m: 2|status: up/status: down"},
		{"no", "spec:|  a:|    - b: x|      c: 1|    - z|  m: 2|status: up/status: down"},
	} {
		path, err := refconfig.ParseFieldPath(test.path)
		if err != nil {
			t.Fatal(err)
		}
		tree := diff.Of(provenance.Plain(left), right, secret.Scope{})
		before := fmt.Sprint(diff.Flatten(tree))
		said := diff.Difference{Category: finding.Drift, Path: path, Code: "NTP-A"}
		var got []string
		for _, s := range (diff.Show{Full: true}).Sides(&diff.Room{}, tree, append(diff.Flatten(tree), said, said)) {
			got = append(got, lineOf(s))
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.path, strings.Join(got, "|"), test.want)
		}
		if after := fmt.Sprint(diff.Flatten(tree)); len(after) != len(before) {
			t.Errorf("%s: showing it changed the tree", test.path)
		}
	}
}

// lineOf formats a line of both sides: one text if they agree, and "^" before a note.
func lineOf(s finding.Side) string {
	text := func(l *finding.Line) string { return strings.Repeat(" ", l.Indent) + l.Text }
	switch {
	case s.Note != nil:
		return strings.Repeat(" ", s.Note.Indent) + "^" + s.Note.Text
	case text(s.Left) != text(s.Right):
		return text(s.Left) + "/" + text(s.Right)
	}
	return text(s.Left)
}

// TestSecretKeysAreNotShownByField checks that a value with secret keys is not shown field by field.
func TestSecretKeysAreNotShownByField(t *testing.T) {
	object := map[string]any{
		"kind":       "Secret",
		"apiVersion": "v1",
		"data":       map[string]any{"cfg": map[string]any{"hush": "hush"}},
	}
	path, _ := refconfig.ParseFieldPath("data.cfg.hush")
	tree := diff.Of(provenance.Plain(object), object, secret.OfKind("Secret"))
	found := []diff.Difference{{Category: finding.Drift, Path: path, Code: "NTP-A"}}
	for _, s := range (diff.Show{Full: true}).Sides(&diff.Room{}, tree, found) {
		if strings.Contains(lineOf(s), "hush") {
			t.Errorf("%q", lineOf(s))
		}
	}
}
