package cli

import (
	"strings"
	"testing"
)

// words are texts of at least seven bytes to look for in the output of commands, each with a name.
// One pass over the output finds all of them, because searching for a thousand words one by one
// takes longer than a run of the tool.
type words struct {
	begins *[1 << 16]bool    // whether a word begins with four bytes of this hash
	behind map[string][]word // by their first seven bytes
}

type word struct{ text, of string }

// newWords returns words by their names.
func newWords(t *testing.T, all map[string][]string) *words {
	t.Helper()
	w := &words{new([1 << 16]bool), map[string][]word{}}
	for of, texts := range all {
		for _, text := range texts {
			if len(text) < 7 {
				t.Fatalf("%q of %s is too short to be looked for", text, of)
			}
			w.begins[beginning(text)] = true
			w.behind[text[:7]] = append(w.behind[text[:7]], word{text, of})
		}
	}
	return w
}

// beginning returns a hash of the first four bytes of a text.
func beginning(text string) uint16 {
	first := uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16 | uint32(text[3])<<24
	return uint16(first * 0x9e3779b1 >> 16)
}

// in returns the first word of each name in a text, with its position.
func (w *words) in(text string) map[string]shown {
	found := map[string]shown{}
	for at := 0; at+7 <= len(text); at++ {
		if !w.begins[beginning(text[at:])] {
			continue
		}
		for _, one := range w.behind[text[at:at+7]] {
			if _, again := found[one.of]; !again && strings.HasPrefix(text[at:], one.text) {
				found[one.of] = shown{one.text, at}
			}
		}
	}
	return found
}

// shown is a word with its position.
type shown struct {
	text string
	at   int
}

// noneIn checks that a text has none of the words. Its message has the line of the word.
func (w *words) noneIn(t *testing.T, what, text string) {
	t.Helper()
	for of, s := range w.in(text) {
		line, _, _ := strings.Cut(text[strings.LastIndex(text[:s.at], "\n")+1:], "\n")
		t.Errorf("%s: %s shows as %q: %.300s", what, of, s.text, strings.Join(strings.Fields(line), " "))
	}
}
