package patch

import (
	"context"
	"testing"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/secret"
)

// asked counts how often a context is asked, which is once for each text that is searched.
type asked struct {
	context.Context
	times *int
}

func (a asked) Err() error {
	*a.times++
	return nil
}

// TestListsThatLieDeepAreLookedIntoOnce: whether there is something secret in lists in lists is
// asked on every level, and found out once.
func TestListsThatLieDeepAreLookedIntoOnce(t *testing.T) {
	deep := func(text string) any {
		v := []any{text, "a: kind: Secretly"}
		for range 200 {
			v = []any{v}
		}
		return map[string]any{"x": v}
	}
	times := 0
	searched := &secret.Searched{Context: asked{t.Context(), &times}}
	left, right := deep("kind: Secretly, a"), deep("kind: Secretly, b")
	p := diff.Of(left, right, nil, secret.Of(nil).With(searched))
	g := &acceptor{
		input:    right.(map[string]any),
		marks:    map[*diff.Pair]bool{},
		some:     map[*diff.Pair]bool{},
		held:     secretPairs{},
		searched: searched,
	}
	Scope{all: true}.mark(p, nil, g.marks)
	times = 0
	if g.node(p, nil, left); times > 50 || len(g.changes) != 1 {
		t.Errorf("%d texts are searched; changes are %v", times, g.changes)
	}
}
