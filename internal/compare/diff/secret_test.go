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
