package cli

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/validationtool/validationtool/internal/dev/testkit"
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

// in returns the first word of each name in a text, with its position in the unwrapped text.
func (w *words) in(text string) map[string]shown {
	text = unwrapped(text)
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
	whole := unwrapped(text)
	for of, s := range w.in(text) {
		line, _, _ := strings.Cut(whole[strings.LastIndex(whole[:s.at], "\n")+1:], "\n")
		t.Errorf("%s: %s shows as %q: %.300s", what, of, s.text, strings.Join(strings.Fields(line), " "))
	}
}

// unwrapped adds to a text report its long lines as they were before they were wrapped: those of both
// columns, and then those of prose, which are wrapped at blanks, or inside of a long word.
func unwrapped(report string) string {
	const least = 200 // columns of a line that may be continued
	report = regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(report, "")
	if !slices.ContainsFunc(strings.Split(report, "\n"), func(line string) bool { return len(line) > least }) {
		return report
	}
	var cells [2][]string
	right := 0 // the column where the right column begins; 0 for no columns
	for line := range strings.Lines(report) {
		line = strings.TrimRight(line, "\n")
		if begin, found := strings.CutSuffix(line, "input"); found && strings.TrimSpace(begin) == "reference" {
			right = len(begin)
		} else if strings.HasPrefix(line, "---") {
			right = 0
		}
		left := line
		if right > 0 {
			left = runewidth.Truncate(line, right-3, "")
		}
		for i, cell := range []string{left, line[len(left):]} {
			begin, rest, continues := strings.Cut(cell, "↳ ")
			if last := len(cells[i]) - 1; last >= 0 && continues && strings.Trim(begin, " +-|<>~") == "" {
				cells[i][last] += rest
			} else {
				cells[i] = append(cells[i], strings.TrimRight(cell, " "))
			}
		}
	}
	var whole strings.Builder
	for _, between := range []string{"", " "} {
		for _, column := range cells {
			for i, line := range column {
				if i == 0 || len(column[i-1]) <= least {
					whole.WriteString("\n" + line)
				} else {
					whole.WriteString(between + strings.TrimLeft(line, " "))
				}
			}
		}
	}
	return report + whole.String()
}

// TestWordsAreFoundAcrossLines looks for a word that is cut at each of its characters when a line is
// wrapped, in both columns and in prose.
func TestWordsAreFoundAcrossLines(t *testing.T) {
	w := newWords(t, map[string][]string{"left": {"cnryLEFTword"}, "right": {"cnryRIGHTword"}})
	for n := range 110 {
		cr := func(word string) string {
			return config("a") + "  word: " + strings.Repeat("x", n) + word + strings.Repeat("y", 300) + "\n"
		}
		dir := t.TempDir()
		testkit.Files(t, dir, map[string]string{"ref/a.yaml": cr("cnryLEFTword"), "in.yaml": cr("cnryRIGHTword")})
		for _, more := range []string{"--no-group", "--unified"} {
			_, out, errs := outcome("--width", "220", more, "--limit", "line=1000", filepath.Join(dir, "ref"), filepath.Join(dir, "in.yaml"))
			if found := w.in(out); len(found) != 2 {
				t.Fatalf("%s with %d characters before the word: found %v in\n%s%s", more, n, found, out, errs)
			}
		}
	}
}
