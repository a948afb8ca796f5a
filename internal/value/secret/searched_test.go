package secret

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// hostile returns a text that takes long to search.
func hostile(i int) string {
	return base64.StdEncoding.EncodeToString(
		pack.GZ(fmt.Appendf(nil, "kindSecret: [&x%d %s%s]", i, strings.Repeat("[", 190), strings.Repeat("]", 190))),
	)
}

// A text that takes long must be searched only once, and not at all after the context has ended.
func TestTextsAreSearchedOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	scope := Scope{}.With(&Searched{Context: ctx}).Below("data", nil).Below("key", nil)
	first, second := hostile(0), hostile(1)
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

// A text whose search was cut off must be hidden, with a message.
func TestTextsThatAreNotSearchedToTheirEndAreHidden(t *testing.T) {
	long := base64.StdEncoding.EncodeToString(pack.GZ(bytes.Repeat([]byte("\n"), 1<<20)))
	s := &Searched{}
	if !(Scope{}).With(s).Holds(long) || s.Hides() == "" {
		t.Errorf("it is told: %q", s.Hides())
	}
	if s = (&Searched{}); (Scope{}).With(s).Holds("kind Secret &") || s.Hides() != "" {
		t.Errorf("of another text it is told: %q", s.Hides())
	}
}

// The time of a search must be linear in the length of the text, whatever the text repeats.
func TestWorkIsLinear(t *testing.T) {
	for what, line := range map[string]string{
		"keys in comments": "#kind #\n", "keys and blanks": "kind  \n\n ", "keys and tags": "kind !<kind ", "documents": "&a kind Secret\n---\n",
		"keys of logins": "auth #auths users user\n", "base64": "QUJD ", "begins of keys": "BEGIN -", "escapes": `\u0053`,
		"words of logins": "user: token auth: ", "URLs": "://a:b", "names": "a:$2y", "lists of lines": "- kind Secret\n",
	} {
		text := strings.Repeat(line, (1<<20)/len(line))
		start := time.Now()
		if InText(text) {
			t.Errorf("%s: it is no Secret", what)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: a text of 1 MB takes %v", what, took)
		}
	}
}
