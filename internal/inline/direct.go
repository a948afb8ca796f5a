package inline

import (
	"strings"
	"unicode"
)

// units cuts pieces behind the bytes that end a unit; groups are never cut. Joining the units gives the pieces back. It returns
// one unit more than there are such bytes, as cutText does.
func units(pieces []piece, isEnd func(byte) bool) []*stretch {
	var all []*stretch
	var current []piece
	for _, p := range pieces {
		if p.group != nil {
			current = append(current, p)
			continue
		}
		parts := cutText(p.text, isEnd)
		for i, part := range parts {
			if part != "" {
				current = append(current, piece{text: part})
			}
			if i < len(parts)-1 {
				all = append(all, join(current))
				current = nil
			}
		}
	}
	return append(all, join(current))
}

// cutText cuts a text behind the bytes that end a unit.
func cutText(text string, isEnd func(byte) bool) []string {
	var parts []string
	from := 0
	for i := range len(text) {
		if isEnd(text[i]) {
			parts = append(parts, text[from:i+1])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}

func endsLine(c byte) bool { return c == '\n' }

// endsWord reports whether a word ends with a byte, which is the one behind it. It is for text that has no lines worth the
// name, such as JSON without white space.
func endsWord(c byte) bool {
	return c < 0x80 && !strings.ContainsRune("-._", rune(c)) && !unicode.IsLetter(rune(c)) && !unicode.IsDigit(rune(c))
}

// direct matches a whole value; false is no proof that it cannot match, for the work is bounded.
//
// Lines of which no group can match a line feed stand for one line of the input each. So the lines before the first that
// can, and behind the last, are matched one by one, and only those between in one piece.
func (m *matcher) direct(lines []*stretch, input []string) bool {
	first, last := len(lines), len(lines)-1
	for i, s := range lines {
		if s.spans {
			first = min(first, i)
			last = i
		}
	}
	if first == len(lines) {
		return len(lines) == len(input) && m.oneByOne(lines, input)
	}
	tail := len(lines) - 1 - last
	if len(input) < first+1+tail {
		return false
	}
	return m.oneByOne(lines[:first], input[:first]) &&
		m.oneByOne(lines[last+1:], input[len(input)-tail:]) &&
		m.take(joinAll(lines[first:last+1]), strings.Join(input[first:len(input)-tail], ""))
}

// oneByOne matches as many lines as there are.
func (m *matcher) oneByOne(lines []*stretch, input []string) bool {
	for i, s := range lines {
		if !m.take(s, input[i]) {
			return false
		}
	}
	return true
}
