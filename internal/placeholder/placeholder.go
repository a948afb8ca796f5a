// Package placeholder knows what stands for a value that is still open in a source CR: $name,
// ${NAME}, {{ … }} and {{hub … hub}}.
//
// It finds them in texts (In, Whole, Cut), says whether a text that has some can be what another
// states (Meets), and makes of a file in which they are no YAML one that is (Readings), from which
// Restore takes them back. It knows neither objects nor templates.
package placeholder

import (
	"slices"
	"strings"
)

// Piece is a part of a text: either as it stands, or open.
type Piece struct {
	Text string
	Open bool
}

// In reports whether a text holds a placeholder.
func In(text string) bool {
	start, _ := find(text, hasLines(text))
	return start >= 0
}

// Within reports whether a text or key at or below a decoded value holds a placeholder.
func Within(v any) bool {
	switch v := v.(type) {
	case string:
		return In(v)
	case []any:
		return slices.ContainsFunc(v, Within)
	case map[string]any:
		for key, below := range v {
			if In(key) || Within(below) {
				return true
			}
		}
	}
	return false
}

// Whole reports whether a text is nothing but placeholders, so that it can stand for a value of any
// type.
func Whole(text string) bool {
	pieces := Cut(strings.TrimSpace(text))
	return len(pieces) > 0 && !slices.ContainsFunc(pieces, func(p Piece) bool { return !p.Open })
}

// Cut returns the pieces of a text. What stands between {{ if }} and the last {{ end }} is one open
// piece.
func Cut(text string) []Piece {
	lines, ended := hasLines(text), false
	var pieces []Piece
	for text != "" {
		start, end := find(text, lines)
		if start < 0 {
			return append(pieces, Piece{Text: text})
		}
		if start > 0 {
			pieces = append(pieces, Piece{Text: text[:start]})
		}
		if !ended && opensBlock(text[start:end]) {
			end, ended = max(end, blockEnd(text)), true
		}
		pieces = append(pieces, Piece{Text: text[start:end], Open: true})
		text = text[end:]
	}
	return pieces
}

// Meets reports whether placeholders of a text can have values with which it is what a glob means,
// in which * stands for anything.
func Meets(text, glob string) bool {
	var mine strings.Builder
	for _, p := range Cut(text) {
		if p.Open {
			p.Text = "*"
		}
		mine.WriteString(p.Text)
	}
	return overlap(mine.String(), glob)
}

// overlap reports whether a text exists that both globs mean. Row j of the table says whether what
// is left of a overlaps b[j:].
func overlap(a, b string) bool {
	below := make([]bool, len(b)+1)
	for i := len(a); i >= 0; i-- {
		row := make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			starA, starB := i < len(a) && a[i] == '*', j < len(b) && b[j] == '*'
			switch {
			case i == len(a) && j == len(b):
				row[j] = true
			case starA && starB:
				row[j] = below[j] || row[j+1]
			case starA:
				row[j] = below[j] || j < len(b) && row[j+1]
			case starB:
				row[j] = row[j+1] || i < len(a) && below[j]
			case i < len(a) && j < len(b):
				row[j] = a[i] == b[j] && below[j+1]
			}
		}
		below = row
	}
	return below[0]
}

// hasLines reports whether a text has several lines. Those are scripts more often than not, in
// which $name is a variable.
func hasLines(text string) bool { return strings.Contains(strings.TrimSpace(text), "\n") }

// find returns where the first placeholder of a text begins and ends; start is -1 where there is
// none.
func find(text string, lines bool) (start, end int) {
	closed := true // as far as is known
	for i := 0; i < len(text); i++ {
		switch {
		// a Template's parameter that need not be a text
		case closed && (strings.HasPrefix(text[i:], "{{") || strings.HasPrefix(text[i:], "${{")):
			if n := strings.Index(text[i:], "}}"); n >= 0 {
				return i, i + n + len("}}")
			}
			closed = false
		case text[i] != '$' || lines:
		case strings.HasPrefix(text[i:], "$$"):
			i++ // a dollar that means itself
		default:
			if n := length(text[i:]); n > 0 {
				return i, i + n
			}
		}
	}
	return -1, -1
}

// length is how long the name is that begins with the dollar of a text; 0 where none does.
func length(text string) int {
	end := 1
	if strings.HasPrefix(text, "${") {
		end = strings.IndexAny(text[len("${"):], "{}\n")
		if end <= 0 || text[len("${")+end] != '}' {
			return 0
		}
		return len("${") + end + 1
	}
	for end < len(text) && (isLetter(text[end]) || end > 1 && text[end] >= '0' && text[end] <= '9') {
		end++
	}
	if end == 1 {
		return 0
	}
	return end
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// word is what an action begins with, such as if, end or a variable that is set; "" for one that
// prints a value.
func word(action string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(action, "{{"), "}}")
	inner = strings.TrimPrefix(inner, "hub")
	inner = strings.TrimLeft(strings.TrimPrefix(inner, "-"), " \t\r\n")
	if strings.HasPrefix(inner, "/*") {
		return "/*"
	}
	fields := strings.Fields(strings.TrimSuffix(strings.TrimSuffix(inner, "hub"), "-"))
	switch {
	case len(fields) == 0:
		return ""
	case slices.Contains([]string{"if", "else", "end", "range", "with", "define", "block", "template", "break", "continue"}, fields[0]):
		return fields[0]
	case fields[0][0] == '$' && len(fields) > 1 && slices.Contains([]string{":=", "="}, fields[1]):
		return fields[1]
	}
	return ""
}

func opensBlock(action string) bool {
	return slices.Contains([]string{"if", "range", "with", "define", "block"}, word(action))
}

// blockEnd is where the last {{ end }} of a text ends; 0 where there is none.
func blockEnd(text string) int {
	last := 0
	for at := 0; ; {
		start, end := find(text[at:], true)
		if start < 0 {
			return last
		}
		if word(text[at+start:at+end]) == "end" {
			last = at + end
		}
		at += end
	}
}
