package overlay

import (
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestEqualSidesHoldWhatEitherHeld: where two sides are equal because what made one of them a Secret is left out, the pair holds it.
func TestEqualSidesHoldWhatEitherHeld(t *testing.T) {
	object := func(kind string) map[string]any {
		return map[string]any{"spec": map[string]any{"object": map[string]any{"kind": kind, "data": map[string]any{"password": "aHVudGVyMg=="}}}}
	}
	omit := []refconfig.OmitEntry{{Path: refconfig.PathOf("spec", "object", "kind")}}
	for _, c := range []struct {
		left, right string
		want        bool
	}{{"Secret", "Secret", true}, {"Secret", "Other", true}, {"Other", "Secret", true}, {"Other", "Other", false}} {
		left, right, origin := object(c.left), object(c.right), &secret.Origin{}
		scope := origin.Add(left).Or(origin.Add(right))
		p := Of(tree.OmitTold(left, omit, scope.Instead), tree.OmitTold(right, omit, scope.Instead), nil, scope.Settled())
		if p.Category != finding.Same || p.HoldsSecret() != c.want {
			t.Errorf("%s and %s: %q, holds a Secret: %v", c.left, c.right, p.Category, p.HoldsSecret())
		}
	}
}
