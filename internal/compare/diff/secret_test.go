package diff

import (
	"testing"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestPairIsSecretIfEitherSideIs checks that a pair is secret if the field that made one side a
// Secret is omitted.
func TestPairIsSecretIfEitherSideIs(t *testing.T) {
	object := func(kind string) map[string]any {
		return map[string]any{
			"spec": map[string]any{
				"object": map[string]any{"kind": kind, "data": map[string]any{"password": "aHVudGVyMg=="}},
			},
		}
	}
	omit := []refconfig.OmitEntry{{Path: refconfig.PathOf("spec", "object", "kind")}}
	for _, c := range []struct {
		left, right string
		want        bool
	}{{"Secret", "Secret", true}, {"Secret", "Other", true}, {"Other", "Secret", true}, {"Other", "Other", false}} {
		left, right := object(c.left), object(c.right)
		p := Compare(provenance.Plain(left), right, secret.Scope{}, Policy{Omit: omit}).Tree
		if len(Flatten(p)) > 0 || p.HoldsSecret() != c.want {
			t.Errorf("%s and %s: %v, holds a Secret: %v", c.left, c.right, Flatten(p), p.HoldsSecret())
		}
	}
}

// TestAPrintedSecretThatAgreesIsExpected checks that a map that is secret as a whole and partly
// printed by the template is one expected difference.
func TestAPrintedSecretThatAgreesIsExpected(t *testing.T) {
	value := map[string]any{"data": map[string]any{"inner": map[string]any{"k": "v", "l": "w"}}}
	printed := map[string]any{"k": provenance.Note{Variable: true}, "l": provenance.Note{}}
	notes := map[string]any{"data": map[string]any{"inner": printed}}
	all := Flatten(Of(given.Noted(value, notes), tree.Copy(value), secret.OfKind("Secret")))
	if len(all) != 1 || all[0].Category != finding.Expected || all[0].Path.String() != "data.inner" {
		t.Errorf("%+v", all)
	}
}

// TestWhichDifferencesHideMore checks which differences have secret data that is so by its place, and which look the
// same on both sides as they are shown.
func TestWhichDifferencesHideMore(t *testing.T) {
	const key = "-----BEGIN PRIVATE KEY-----\nMIIE"
	left := map[string]any{"data": map[string]any{"a": "x", "b": "x", "long": "x"}, "type": "t", "own": key + "A", "list": []any{"a"}}
	right := map[string]any{"data": map[string]any{"a": "y", "c": "y", "long": "yy"}, "type": "u", "own": key + "B", "list": []any{"b"}}
	want := map[string][3]bool{ // it hides more; it is alike as it is shown; and as it is
		"data.a": {true, true, false}, "data.b": {true, false, false}, "data.c": {true, false, false}, "data.long": {true, false, false},
		"type": {false, false, false}, "own": {false, true, false}, "list.0": {false, false, false},
	}
	all := Compare(provenance.Plain(left), right, secret.OfKind("Secret"), Policy{}).Differences
	for _, d := range all {
		if got := [3]bool{d.HidesMore(), d.Alike(true), d.Alike(false)}; got != want[d.Path.String()] {
			t.Errorf("%s: %v", d.Path, got)
		}
	}
	if len(all) != len(want) {
		t.Errorf("%d differences", len(all))
	}
}
