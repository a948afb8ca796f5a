package kubeyaml

import "bytes"

// Skip goes over a field that is not read, and returns the token behind it. Most of a cluster's
// YAML is gone over here, and most of its lines are simple. A list that is not indented below a key
// with a value is declined: it may be what an error message got into.
func (s *Scanner) Skip(t Token) Token {
	column, set := t.Column, t.Value != NoValue
	for {
		for s.skipSimple(column) {
		}
		s.read(&t)
		switch {
		case t.Indent < column || t.Indent == column && t.Dashes == 0:
			return t
		case t.Indent == column && set:
			return s.Decline()
		}
	}
}

// skipSimple goes over the next line if it is indented more than column and is a simple one: a
// plain key without colons but such as stand inside words, behind a dash or not, with no value, or
// with one that is plain or quoted and ends on the line. It does to the scanner what read does;
// what is anything else stays where it is.
func (s *Scanner) skipSimple(column int) bool {
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

// simpleKey returns the offset behind the colon of the key that begins at the offset, which is that
// of a space or a line break; or -1.
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

// simpleValue returns the offset of the line behind the value that begins at the offset, or -1. The
// key's column says which lines would go on with a plain value.
func (s *Scanner) simpleValue(at, key int) int {
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
		if deeper > key || deeper < len(next) && IsBlankOrBreak(next[deeper]) {
			return -1
		}
	default:
		return -1
	}
	return end + 1
}
