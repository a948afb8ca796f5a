package secret

import (
	"encoding/base64"
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// What takes long to search is searched once, counts as steps, and is not searched any more when there are none left; what is ordinary takes
// next to none.
func TestSearchedTextsCountAsSteps(t *testing.T) {
	hostile := func(i int) string {
		return base64.StdEncoding.EncodeToString(compressed(t, fmt.Sprintf("kindSecret: [&x%d %s%s]", i, strings.Repeat("[", 190), strings.Repeat("]", 190))))
	}
	s := &Searched{Most: 100_000}
	scope := Scope{}.With(s).Below("data", nil).Below("key", nil).Settled()
	scope.Holds(hostile(0))
	once := s.Steps()
	if scope.Redact([]any{hostile(0), map[string]any{"a": hostile(0)}}, func(v any) any { return v }); s.Steps() != once || once < 1000 {
		t.Errorf("one text takes %d steps, and thrice %d", once, s.Steps())
	}
	var texts []any
	for i := range 2000 {
		texts = append(texts, hostile(i))
	}
	for _, x := range texts {
		scope.Holds(x)
	}
	if s.Steps() > s.Most+once || !scope.Holds("a text that is not known") {
		t.Errorf("%d steps were taken of %d", s.Steps(), s.Most)
	}
	if n := testing.AllocsPerRun(1, func() { scope.Holds(texts[len(texts)-1]) }); n > 10 {
		t.Errorf("with no steps left a text takes %v allocations", n)
	}
	manifest := strings.Repeat("- {kind: Pod, name: a, mounts: a Secret & more, image: quay.io/a/b}\n", 3000)
	noise := make([]byte, 900)
	rand.New(rand.NewSource(1)).Read(noise)
	encoded := base64.StdEncoding.EncodeToString([]byte(manifest))
	for what, text := range map[string]string{"plain": manifest, "in base64": encoded, "certificates": strings.Repeat("-----BEGIN CERTIFICATE-----\n"+base64.StdEncoding.EncodeToString(noise)+"\n-----END CERTIFICATE-----\n", 800)} {
		s := &Searched{Most: 1 << 40}
		if held := (Scope{}).With(s).Holds(text); held || s.Steps() > int64(15*len(text)) {
			t.Errorf("%s: %v, and %d steps for %d bytes", what, held, s.Steps(), len(text))
		}
	}
	var none *Searched
	if none.Steps() != 0 || !none.In("kind: Secret") {
		t.Error("without a count, texts are searched all the same")
	}
}
