package diff

import (
	"context"
	"testing"

	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
)

// TestListsThatLieDeepTakeFewAllocations checks that nested lists of one item are not encoded once
// for each list around them.
func TestListsThatLieDeepTakeFewAllocations(t *testing.T) {
	nested := func(depth int, end int64) any {
		var v any = end
		for range depth {
			v = []any{v}
		}
		return v
	}
	allocations := func(depth int) float64 {
		left, right := nested(depth, 0), nested(depth, 1)
		return testing.AllocsPerRun(3, func() { Of(provenance.Plain(left), right, secret.Scope{}) })
	}
	if few, many := allocations(100), allocations(400); many > 5*few {
		t.Errorf("four times the depth takes %.0f allocations instead of %.0f", many, few)
	}
}

// asked counts how often a context is asked, which is once for each text that is searched.
type asked struct {
	context.Context
	times *int
}

func (a asked) Err() error {
	*a.times++
	return nil
}

// TestListsThatLieDeepAreSearchedOnce: whether there is something secret in lists in lists is asked on
// every level, and found out once.
func TestListsThatLieDeepAreSearchedOnce(t *testing.T) {
	deep := func(text string) any {
		v := []any{text}
		for range 200 {
			v = []any{v}
		}
		return v
	}
	times := 0
	searched := &secret.Searched{Context: asked{t.Context(), &times}}
	p := Of(provenance.Plain(deep("kind: Secretly, a")), deep("kind: Secretly, b"), secret.Scope{}.With(searched))
	times = 0
	for ; p.Children != nil; p = p.Children[0] {
		if p.HoldsSecret() {
			t.Fatal("there is no Secret")
		}
	}
	if times > 10 {
		t.Errorf("%d texts are searched", times)
	}
}
