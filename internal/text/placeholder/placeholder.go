// Package placeholder finds the placeholders of source CRs, which are replaced by values later:
// $name, ${NAME}, {{ … }} and {{hub … hub}}.
//
// In, Whole and Cut find them in texts. MayMatch reports whether a text with placeholders can match
// a glob. Readings rewrites a file whose placeholders keep it from being valid YAML, and Restore
// restores the placeholders in the values read from it. The package knows neither objects nor
// templates.
package placeholder

import (
	"slices"
	"strings"
)

// Piece is a part of a text: literal, or a placeholder if Open.
type Piece struct {
	Text string
	Open bool
}

// In reports whether a text contains a placeholder.
func In(text string) bool {
	start, _ := find(text, hasLines(text))
	return start >= 0
}

// Within reports whether a decoded value contains a placeholder in any text or key.
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

// Whole reports whether a text consists of placeholders only, so that a value of any type can
// replace it.
func Whole(text string) bool {
	pieces := Cut(strings.TrimSpace(text))
	return len(pieces) > 0 && !slices.ContainsFunc(pieces, func(p Piece) bool { return !p.Open })
}

// Cut splits a text into pieces. The text from {{ if }} to the last {{ end }} is one open piece.
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

// MayMatch reports whether a text can match a glob for some values of its placeholders. In the
// glob, * matches any text.
func MayMatch(text, glob string) bool {
	var mine strings.Builder
	for _, p := range Cut(text) {
		if p.Open {
			p.Text = "*"
		}
		mine.WriteString(p.Text)
	}
	return overlap(mine.String(), glob)
}

// overlap reports whether some text matches both globs. For each i, from the last to the first,
// row says for each j whether a[i:] and b[j:] overlap; below is the row of i+1.
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

// inBrackets reports whether the dollar at an index begins a name that stands in brackets and is the
// whole line or what the line sets: [$name] in a configuration, as no script has it.
func inBrackets(text string, at int) bool {
	before := strings.TrimRight(text[strings.LastIndexByte(text[:at], '\n')+1:at], " ")
	before, opens := strings.CutSuffix(before, "[")
	n := placeholderLength(text[at:])
	after, _, _ := strings.Cut(text[at+n:], "\n")
	before = strings.TrimSpace(before)
	return opens && n > 0 && (before == "" || strings.HasSuffix(before, "=")) && strings.TrimSpace(after) == "]"
}

// hasLines reports whether a text has several lines. Such a text is usually a script, in which
// $name is a variable.
func hasLines(text string) bool { return strings.Contains(strings.TrimSpace(text), "\n") }

// find returns the start and end of the first placeholder of a text; start is -1 for none.
func find(text string, lines bool) (start, end int) {
	closed := true // false once a {{ without }} was found
	for i := 0; i < len(text); i++ {
		switch {
		// ${{NAME}} is a parameter of an OpenShift Template whose value may be of any type
		case closed && (strings.HasPrefix(text[i:], "{{") || strings.HasPrefix(text[i:], "${{")):
			if n := strings.Index(text[i:], "}}"); n >= 0 {
				return i, i + n + len("}}")
			}
			closed = false
		case text[i] != '$' || lines && !inBrackets(text, i):
		case strings.HasPrefix(text[i:], "$$"):
			i++ // an escaped dollar
		default:
			if n := placeholderLength(text[i:]); n > 0 {
				return i, i + n
			}
		}
	}
	return -1, -1
}

// placeholderLength returns the length of the placeholder that starts at the dollar of a text; 0
// for none.
func placeholderLength(text string) int {
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

// word returns the start of an action: a keyword such as if or end, /* for a comment, or the
// operator of an assignment. It returns "" for an action that prints a value.
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

// blockEnd returns the offset after the last {{ end }} of a text; 0 for none.
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
