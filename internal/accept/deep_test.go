package accept

import (
	"testing"

	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/secret"
)

// TestListsThatLieDeepAreLookedIntoOnce: whether there is something secret in lists in lists is asked on every level, and found out once.
func TestListsThatLieDeepAreLookedIntoOnce(t *testing.T) {
	deep := func(text string) any {
		v := []any{text, "a: kind: Secretly"}
		for range 200 {
			v = []any{v}
		}
		return map[string]any{"x": v}
	}
	searched := &secret.Searched{Most: 1 << 40}
	left, right := deep("kind: Secretly, a"), deep("kind: Secretly, b")
	p := overlay.Of(left, right, nil, secret.Of(nil).Counted(searched))
	g := &acceptor{input: right.(map[string]any), marks: map[*overlay.Pair]bool{}, some: map[*overlay.Pair]bool{}, held: secretPairs{}, searched: searched}
	Scope{all: true}.mark(p, nil, g.marks)
	before := searched.Steps()
	if g.node(p, nil, left); searched.Steps()-before > 1000 || len(g.changes) != 1 {
		t.Errorf("%d steps, %d before; changes are %v", searched.Steps()-before, before, g.changes)
	}
}
