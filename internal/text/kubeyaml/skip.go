package kubeyaml

import "bytes"

// skip skips an unneeded field and returns the token after it. Most of a cluster's YAML is skipped
// here, and most of its lines are simple. It declines a list without indentation below a key that
// has a value: the list may come from an error message inside the text.
func (s *scanner) skip(t token) token {
	column, set := t.Column, t.Value != noValue
	for {
		for s.skipSimple(column) {
		}
		s.read(&t)
		switch {
		case t.Indent < column || t.Indent == column && t.Dashes == 0:
			return t
		case t.Indent == column && set:
			return s.decline()
		}
	}
}

// skipSimple skips the next line if it is simple and its indentation is greater than column. A
// simple line is a plain key without colons except inside words, with or without a dash, and with
// no value or a plain or quoted value that ends on the line. The effect on the scanner is the same
// as that of read. Other lines are not skipped.
func (s *scanner) skipSimple(column int) bool {
	text := s.text
	at := s.pos
	for at < len(text) && text[at] == ' ' {
		at++
	}
	if at-s.pos <= column {
		return false
	}
	if at+1 < len(text) && text[at] == '-' && text[at+1] == ' ' {
		at += 2
	}
	key := at - s.pos
	at = simpleKey(text, at)
	if at < 0 {
		return false
	}
	pending := -1
	switch {
	case text[at] == '\n':
		at, pending = at+1, key
	default:
		if at = s.simpleValue(at+1, key); at < 0 {
			return false
		}
	}
	s.pos, s.pending = at, pending
	s.line++
	return true
}

// simpleKey returns the offset after the colon of the key at an offset, where a space or a line
// break follows; or -1.
func simpleKey(text []byte, at int) int {
	for begin := at; at+1 < len(text); at++ {
		switch c := text[at]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_':
		case at == begin:
			return -1
		case c == ':' && (text[at+1] == ' ' || text[at+1] == '\n'):
			return at + 1
		case c != '-' && c != '.' && c != '/' && c != ':':
			return -1
		}
	}
	return -1
}

// simpleValue returns the offset of the line after the value at an offset, or -1. The key's column
// decides which lines would continue a plain value.
func (s *scanner) simpleValue(at, key int) int {
	text := s.text
	end := bytes.IndexByte(text[at:], '\n')
	if end <= 0 {
		return -1
	}
	end += at
	switch c := text[at]; {
	case c == '"' || c == '\'':
		inner := text[at+1 : end]
		if n := len(inner) - 1; n < 0 || bytes.IndexByte(inner, c) != n ||
			c == '"' && bytes.IndexByte(inner, '\\') >= 0 {
			return -1
		}
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '/', c == '_':
		next := text[end+1:]
		deeper := 0
		for deeper < len(next) && deeper <= key && next[deeper] == ' ' {
			deeper++
		}
		if deeper > key || deeper < len(next) && isBlankOrBreak(next[deeper]) {
			return -1
		}
	default:
		return -1
	}
	return end + 1
}
