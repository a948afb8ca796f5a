package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare"
)

// TestFold shows which lines of a small object are shown. Lines are written with their mark in front; "^" is a note.
func TestFold(t *testing.T) {
	const object = `
 a:
   b: 1
   c:
     d: 1
     e: 2
     f: 3
     g: 4
   h: 5
   i:
|    j: 6
^
     k: 7
     l: 8
 m:
~  n: 9
   o: 10
   p: 11
   q: 12
>r: 13`
	tests := []struct {
		name string
		opt  TextOptions
		want string // the first letter of each line that is shown, "." for what is hidden
	}{
		{"no context", TextOptions{}, "a . i j ^ . r"},
		{"one line", TextOptions{Context: 1}, "a . i j ^ k l m . q r"},
		{"two lines", TextOptions{Context: 2}, "a . h i j ^ k l m . p q r"},
		{"the rows above what is shown", TextOptions{Context: 3}, "a b c . g h i j ^ k l m n o p q r"},
		{"expected ones too", TextOptions{ShowExpected: true}, "a . i j ^ . m n . r"},
		{"full", TextOptions{Full: true}, "a b c d e f g h i j ^ k l m n o p q r"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows := rowsFrom(object)
			var got []string
			for _, s := range fold(rows, test.opt) {
				if s.hidden {
					got = append(got, ".")
					continue
				}
				for _, r := range rows[s.from:s.to] {
					if r.note != "" {
						got = append(got, "^")
						continue
					}
					got = append(got, r.left.text[:1])
				}
			}
			if joined := strings.Join(got, " "); joined != test.want {
				t.Errorf("shown is %s, want %s", joined, test.want)
			}
		})
	}
}

func rowsFrom(object string) []row {
	marks := map[byte]compare.Category{' ': compare.Same, '|': compare.Drift, '~': compare.Expected, '>': compare.Extra, '<': compare.Missing}
	var rows []row
	for i, l := range strings.Split(strings.TrimPrefix(object, "\n"), "\n") {
		if l[0] == '^' {
			rows = append(rows, row{note: fmt.Sprint("note ", i)})
			continue
		}
		text := strings.TrimLeft(l[1:], " ")
		indent := len(l) - 1 - len(text)
		c := cell{present: true, indent: indent, text: text}
		rows = append(rows, row{mark: marks[l[0]], left: c, right: c, indent: indent})
	}
	return rows
}

func TestWrap(t *testing.T) {
	tests := []struct {
		name, text  string
		first, rest int
		want        string // pieces, separated by ⏎
	}{
		{"fits", "abc", 3, 3, "abc"},
		{"empty", "", 3, 3, ""},
		{"hard", "abcdefgh", 3, 2, "abc⏎de⏎fg⏎h"},
		{"before a blank", "aaaa bbbb cccc", 10, 10, "aaaa bbbb⏎ cccc"},
		{"behind a comma", "0-1,20-21,40-41", 11, 11, "0-1,20-21,⏎40-41"},
		{"not far from the end", "a bbbbbbbbbbbbb", 10, 10, "a bbbbbbbb⏎bbbbb"},
		{"wide characters", "設定設定", 5, 4, "設定⏎設定"},
		{"characters of several parts", "ae\u0301🇩🇪b", 2, 2, "ae\u0301⏎🇩🇪⏎b"},
	}
	ruler := newRuler()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var pieces []string
			for _, p := range ruler.wrap(test.text, test.first, test.rest, cutValue) {
				pieces = append(pieces, test.text[p.start:p.end])
			}
			if got := strings.Join(pieces, "⏎"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
