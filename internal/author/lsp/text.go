package lsp

import (
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding says how a position counts the characters of a line, by its name in the protocol.
type encoding string

const (
	inUTF8  encoding = "utf-8"
	inUTF16 encoding = "utf-16"
	inUTF32 encoding = "utf-32"
)

// width returns how many characters a rune counts that has so many bytes.
func (e encoding) width(r rune, bytes int) int {
	switch e {
	case inUTF8:
		return bytes
	case inUTF32:
		return 1
	}
	return max(1, utf16.RuneLen(r))
}

// text is the content of a file. It converts between offsets, positions of the protocol and lines of
// findings.
type text struct {
	string
	encoding
	starts []int // offsets of lines as the protocol has them: \n, \r\n and \r end a line
	breaks []int // offsets of lines as findings have them: only \n ends a line
}

func newText(content string, e encoding) *text {
	t := &text{string: content, encoding: e, starts: []int{0}, breaks: []int{0}}
	for i := range len(content) {
		switch {
		case content[i] == '\n':
			t.starts = append(t.starts, i+1)
			t.breaks = append(t.breaks, i+1)
		case content[i] == '\r' && !strings.HasPrefix(content[i+1:], "\n"):
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// line returns the offsets of a line of the protocol, without its end.
func (t *text) line(number int) (from, to int) {
	switch {
	case number < 0:
		return 0, 0
	case number >= len(t.starts):
		return len(t.string), len(t.string)
	}
	from, to = t.starts[number], len(t.string)
	if number+1 < len(t.starts) {
		to = t.starts[number+1]
	}
	return from, from + len(strings.TrimRight(t.string[from:to], "\r\n"))
}

// offset returns the offset of a position. A position outside of the text is moved into it.
func (t *text) offset(p position) int {
	from, to := t.line(p.Line)
	for i, r := range t.string[from:to] {
		if p.Character <= 0 {
			return from + i
		}
		_, size := utf8.DecodeRuneInString(t.string[from+i:])
		p.Character -= t.width(r, size)
	}
	return to
}

// position returns the position of an offset.
func (t *text) position(offset int) position {
	offset = min(max(offset, 0), len(t.string))
	for offset > 0 && offset < len(t.string) && !utf8.RuneStart(t.string[offset]) {
		offset--
	}
	number := sort.SearchInts(t.starts, offset+1) - 1
	from, to := t.line(number)
	at := position{Line: number}
	for i, r := range t.string[from:min(offset, to)] {
		_, size := utf8.DecodeRuneInString(t.string[from+i:])
		at.Character += t.width(r, size)
	}
	return at
}

// span returns the range between two offsets.
func (t *text) span(from, to int) textRange {
	return textRange{Start: t.position(from), End: t.position(max(from, to))}
}

// lineOf returns the offsets of the line that an offset is in, without its end.
func (t *text) lineOf(offset int) (from, to int) {
	return t.line(sort.SearchInts(t.starts, min(max(offset, 0), len(t.string))+1) - 1)
}

// row returns the offsets of a line of findings, from 1, without its end.
func (t *text) row(number int) (from, to int) {
	if number < 1 || number > len(t.breaks) {
		return 0, 0
	}
	from, to = t.breaks[number-1], len(t.string)
	if number < len(t.breaks) {
		to = t.breaks[number]
	}
	return from, from + len(strings.TrimRight(t.string[from:to], "\r\n"))
}

// rowOf returns the number of the line of findings that an offset is in.
func (t *text) rowOf(offset int) int { return sort.SearchInts(t.breaks, offset+1) }

// underline returns the offsets of what a finding is about: the word in a line, if it is known; else
// the word at a column; else the whole line without the space around it. Lines and columns are from
// 1, and 0 if they are unknown.
func (t *text) underline(line, column int, word string) (from, to int) {
	start, end := t.row(max(line, 1))
	from = min(start+max(column-1, 0), end)
	for _, from := range []int{from, start} {
		if at := indexOf(t.string[from:end], word); at >= 0 {
			return from + at, from + at + len(word)
		}
	}
	if column > 0 && from < end {
		to = from + extent(t.string[from:end])
		if t.string[from] == '.' { // the parser of templates names the last step of a field
			isField := func(r rune) bool { return r == '.' || r == '$' || isLetter(r) }
			from = start + len(strings.TrimRightFunc(t.string[start:from], isField))
		}
		return from, to
	}
	row := t.string[start:end]
	from, to = start+len(row)-len(strings.TrimLeft(row, " \t")), start+len(strings.TrimRight(row, " \t"))
	return min(from, to), to
}

// indexOf returns where a text has a word that is no part of a longer one; a negative number if nowhere.
func indexOf(s, word string) int {
	for from := 0; word != ""; {
		at := strings.Index(s[from:], word)
		if at < 0 {
			break
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(word):])
		first, _ := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		if !(isLetter(before) && isLetter(first)) && !(isLetter(last) && isLetter(after)) {
			return at
		}
		from = at + len(word)
	}
	return -1
}

// extent returns how many bytes of the rest of a line belong to the word at its beginning: an action, a
// quoted text, or all up to a space or the end of a key.
func extent(rest string) int {
	switch {
	case strings.HasPrefix(rest, "{{"):
		return scan(rest, 0).to
	case rest[0] == '"', rest[0] == '\'':
		if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 {
			return end + 2
		}
	}
	for i, r := range rest {
		isEnd := strings.ContainsRune(" \t|(),]}", r) || r == ':' && (i+1 == len(rest) || rest[i+1] == ' ')
		if isEnd && i > 0 {
			return i
		}
	}
	return len(rest)
}
