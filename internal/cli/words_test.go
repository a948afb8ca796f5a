package cli

import (
	"strings"
	"testing"
)

// words are texts to look for in what a command prints, of seven bytes or more, each with a name
// for what it tells. All of them are found in one pass over a text: looking for a thousand words
// one by one takes longer than a run of the tool.
type words struct {
	begins *[1 << 16]bool    // whether a word begins with four bytes of this hash
	behind map[string][]word // by their first seven bytes
}

type word struct{ text, of string }

// newWords takes words by what they tell.
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

// beginning is a hash of the first four bytes of a text.
func beginning(text string) uint16 {
	first := uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16 | uint32(text[3])<<24
	return uint16(first * 0x9e3779b1 >> 16)
}

// in returns where the first word of each that a text tells stands, and which it is.
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

// noneIn is for texts that must tell nothing. It shows the line of a word.
func (w *words) noneIn(t *testing.T, what, text string) {
	t.Helper()
	for of, s := range w.in(text) {
		line, _, _ := strings.Cut(text[strings.LastIndex(text[:s.at], "\n")+1:], "\n")
		t.Errorf("%s: %s shows as %q: %.300s", what, of, s.text, strings.Join(strings.Fields(line), " "))
	}
}
