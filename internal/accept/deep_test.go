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
	searched := &secret.Searched{}
	left, right := deep("kind: Secretly, a"), deep("kind: Secretly, b")
	p := overlay.Of(left, right, nil, secret.Of(nil).With(searched))
	g := &acceptor{input: right.(map[string]any), marks: map[*overlay.Pair]bool{}, some: map[*overlay.Pair]bool{}, held: secretPairs{}, searched: searched}
	Scope{all: true}.mark(p, nil, g.marks)
	allocated := testing.AllocsPerRun(1, func() {
		g.changes = nil
		g.node(p, nil, left)
	})
	if allocated > 20_000 || len(g.changes) != 1 {
		t.Errorf("%v allocations; changes are %v", allocated, g.changes)
	}
}
