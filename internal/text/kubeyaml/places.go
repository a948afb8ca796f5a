package kubeyaml

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// places converts between offsets and lines of a text.
//
// YAML 1.1 also ends a line at characters other than a line feed (see HasOddBreaks), so there are
// two tables of lines.
type places struct {
	text   []byte
	base   int   // number of lines before the text in the file
	yaml   []int // offsets of lines as counted by yaml.v3
	lines  []int // offsets of lines that begin after a line feed
	cursor struct{ line, column, offset int }
}

// newPlaces returns the places of a text that has base lines before it in its file.
func newPlaces(text []byte, base int) *places {
	first := 0
	if bytes.HasPrefix(text, []byte(BOM)) {
		first = len(BOM)
	}
	p := &places{text: text, base: base}
	p.lines = lineStarts(text, first)
	p.yaml = p.lines
	if HasOddBreaks(text) {
		p.yaml = yamlLineStarts(text, first)
	}
	return p
}

// lineStarts returns the offsets after line feeds, where lines begin.
func lineStarts(text []byte, first int) []int {
	starts := append(make([]int, 0, 1+bytes.Count(text, []byte{'\n'})), first)
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func yamlLineStarts(text []byte, first int) []int {
	starts := []int{first}
	for i := first; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		i += size
		switch r {
		case '\r':
			if i < len(text) && text[i] == '\n' {
				i++
			}
			starts = append(starts, i)
		case '\n', '\u0085', '\u2028', '\u2029':
			starts = append(starts, i)
		}
	}
	return starts
}

// Offset returns the offset for a line and column of yaml.v3, which are 1-based and count
// characters. Callers ask for nodes in source order, so the search continues from the last result
// and stays linear for a text of one long line.
func (p *places) Offset(line, column int) int {
	if line < 1 || line > len(p.yaml) {
		return len(p.text)
	}
	c := &p.cursor
	if c.line != line || c.column > column {
		c.line, c.column, c.offset = line, 1, p.yaml[line-1]
	}
	for c.column < column && c.offset < len(p.text) {
		size := 1
		if p.text[c.offset] >= utf8.RuneSelf {
			_, size = utf8.DecodeRune(p.text[c.offset:])
		}
		c.offset += size
		c.column++
	}
	return c.offset
}

// lineColumn returns the 1-based line in the file and the 1-based column, in bytes, of an offset.
func (p *places) lineColumn(offset int) (line, column int) {
	i := sort.SearchInts(p.lines, offset+1) - 1
	if i < 0 {
		return p.base + 1, 1
	}
	return p.base + i + 1, offset - p.lines[i] + 1
}

// skipProperties moves from a tag or an anchor to its value, or not at all if no value follows.
func (p *places) skipProperties(offset int) int {
	i := offset
	for i < len(p.text) && (p.text[i] == '!' || p.text[i] == '&') {
		within := isTagByte
		if p.text[i] == '&' {
			within = isAnchorByte
		}
		for i++; i < len(p.text) && within(p.text[i]); i++ {
		}
		i = p.skipBlanks(i)
	}
	if i >= len(p.text) {
		return offset
	}
	return i
}

func isTagByte(c byte) bool { return !isBlankOrBreak(c) }

func isAnchorByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-'
}

// skipBlanks skips white space, line ends and comments.
func (p *places) skipBlanks(i int) int {
	for i < len(p.text) {
		switch {
		case isBlankOrBreak(p.text[i]):
			i++
		case p.text[i] == '#':
			for i < len(p.text) && p.text[i] != '\n' && p.text[i] != '\r' {
				i++
			}
		default:
			return i
		}
	}
	return i
}
