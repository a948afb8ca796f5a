package patch

import (
	"context"
	"testing"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/refconfig"
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
	override := &OverrideMaker{Input: right.(map[string]any), Searched: searched, Scope: Scope{all: true}}
	g := &acceptor{OverrideMaker: override, base: &Trial{}}
	fix := &FixMaker{Input: override.Input, Template: &refconfig.Template{}, Searched: searched}
	h := fix.mender(&Trial{Tree: p}, &mender{})
	for name, w := range map[string]*walk{"overrides": {maker: g, towardsInput: true}, "fixes": h.walk} {
		times = 0
		if w.change(p, nil, left); times > 50 {
			t.Errorf("%s: %d texts are searched", name, times)
		}
	}
	if len(g.changes) != 1 || len(h.open.all) != 0 {
		t.Errorf("changes are %v, and left is %v", g.changes, h.open.all)
	}
}
