package secret

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// A text that takes long to search is searched once, wherever it stands in an object; after the end of the run none is, and all count as
// secret.
func TestATextIsSearchedOnce(t *testing.T) {
	hostile := func(i int) string {
		return base64.StdEncoding.EncodeToString(compressed(t, fmt.Sprintf("kindSecret: [&x%d %s%s]", i, strings.Repeat("[", 190), strings.Repeat("]", 190))))
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &Searched{Context: ctx}
	scope := Scope{}.With(s).Below("data", nil).Below("key", nil).Settled()
	text := hostile(0)
	scope.Holds(text)
	if n := testing.AllocsPerRun(1, func() {
		scope.Redact([]any{text, map[string]any{"a": text}}, func(v any) any { return v })
	}); n > 20 {
		t.Errorf("a text that was searched takes %v allocations again", n)
	}
	if s.In("nothing of interest: here") {
		t.Error("an ordinary text counts as a Secret")
	}
	cancel()
	other := hostile(1)
	if n := testing.AllocsPerRun(1, func() { scope.Holds(other) }); n > 10 || !s.In("nothing else of interest: here") {
		t.Errorf("after the end of the run a text takes %v allocations", n)
	}
	var none *Searched
	if !none.In("kind: Secret") || none.Hides() != "" {
		t.Error("where nothing is remembered, texts are searched all the same")
	}
}
