package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
)

// TestFold checks which lines of a small object are kept. Each line has its mark in front; "^" is a
// note.
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
		opt  Folding
		want string // the first letter of each line that is shown, "." for what is hidden
	}{
		{"no context", Folding{}, "a . i j ^ . r"},
		{"one line", Folding{Context: 1}, "a . i j ^ k l m . q r"},
		{"two lines", Folding{Context: 2}, "a . h i j ^ k l m . p q r"},
		{"the rows above what is shown", Folding{Context: 3}, "a b c . g h i j ^ k l m n o p q r"},
		{"expected ones too", Folding{Expected: true}, "a . i j ^ . m n . r"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, s := range Fold(sidesFrom(object), test.opt) {
				switch {
				case s.Hidden > 0:
					got = append(got, ".")
				case s.Note != nil:
					got = append(got, "^")
				default:
					got = append(got, s.Left.Text[:1])
				}
			}
			if joined := strings.Join(got, " "); joined != test.want {
				t.Errorf("shown is %s, want %s", joined, test.want)
			}
		})
	}
}

func sidesFrom(object string) []finding.Side {
	marks := map[byte]finding.Category{
		' ': finding.Same,
		'|': finding.Drift,
		'~': finding.Expected,
		'>': finding.Extra,
		'<': finding.Missing,
	}
	var sides []finding.Side
	for i, l := range strings.Split(strings.TrimPrefix(object, "\n"), "\n") {
		if l[0] == '^' {
			sides = append(sides, finding.Side{Note: &finding.Line{Text: fmt.Sprint("note ", i)}})
			continue
		}
		text := strings.TrimLeft(l[1:], " ")
		indent := len(l) - 1 - len(text)
		c := &finding.Line{Indent: indent, Text: text}
		sides = append(sides, finding.Side{Category: marks[l[0]], Left: c, Right: c})
	}
	return sides
}
