package secret

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// hostile is a text that takes long to search.
func hostile(t *testing.T, i int) string {
	return base64.StdEncoding.EncodeToString(compressed(t, fmt.Sprintf("kindSecret: [&x%d %s%s]", i, strings.Repeat("[", 190), strings.Repeat("]", 190))))
}

// TestTextsAreSearchedOnce: what takes long to search is remembered, and searched no more once the context has ended.
func TestTextsAreSearchedOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	scope := Scope{}.With(&Searched{Context: ctx}).Below("data", nil).Below("key", nil).Settled()
	first, second := hostile(t, 0), hostile(t, 1)
	if scope.Holds(first) {
		t.Error("it is no Secret")
	}
	few := func(what string, do func()) {
		t.Helper()
		if n := testing.AllocsPerRun(1, do); n > 10 {
			t.Errorf("%s takes %v allocations", what, n)
		}
	}
	few("a text that is known", func() { scope.Holds(first) })
	cancel()
	few("a text after the end", func() {
		if !scope.Holds(second) {
			t.Error("what was not searched counts as no Secret")
		}
	})
	var none *Searched
	if none.In("kind: Pod") || !none.In("kind: Secret") {
		t.Error("without anything to remember, texts are searched all the same")
	}
}

// TestTextsThatAreNotSearchedToTheirEndAreHidden, and that is told.
func TestTextsThatAreNotSearchedToTheirEndAreHidden(t *testing.T) {
	var long strings.Builder
	for i := range 400 {
		fmt.Fprintf(&long, "kind Secret &%d\n---\n", i)
	}
	s := &Searched{}
	if !(Scope{}).With(s).Holds(long.String()) || s.Hides() == "" {
		t.Errorf("it is told: %q", s.Hides())
	}
	if s = (&Searched{}); (Scope{}).With(s).Holds("kind Secret &") || s.Hides() != "" {
		t.Errorf("of another text it is told: %q", s.Hides())
	}
}

// TestOrdinaryTextsTakeLittle: what is looked at of a text that is ordinary is not much more than its length.
func TestOrdinaryTextsTakeLittle(t *testing.T) {
	manifest := strings.Repeat("- {kind: Pod, name: a, mounts: a Secret & more, image: quay.io/a/b}\n", 3000)
	noise := make([]byte, 900)
	rand.New(rand.NewSource(1)).Read(noise)
	encoded := base64.StdEncoding.EncodeToString([]byte(manifest))
	for what, text := range map[string]string{"plain": manifest, "in base64": encoded, "certificates": strings.Repeat("-----BEGIN CERTIFICATE-----\n"+base64.StdEncoding.EncodeToString(noise)+"\n-----END CERTIFICATE-----\n", 800)} {
		if held, looked, all := inText(text); held || !all || looked > 60*len(text) {
			t.Errorf("%s: %v, and %d bytes are looked at of %d", what, held, looked, len(text))
		}
	}
}
