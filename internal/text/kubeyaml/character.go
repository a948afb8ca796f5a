package kubeyaml

import (
	"bytes"
	"unicode/utf8"
)

// badByte finds the first byte that is not allowed in YAML text. Messages do not quote the byte,
// which may be part of a Secret.
func badByte(text []byte, base int) *SyntaxError {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		message := ""
		switch {
		case r == utf8.RuneError && size == 1:
			message = "a byte is not valid UTF-8"
		case r == 0:
			message = "a NUL byte, as in a damaged file"
		case !isYAMLCharacter(r):
			message = "a control character is not allowed"
		}
		if message != "" {
			line, column := newPlaces(text, base).lineColumn(i)
			return &SyntaxError{Line: line, Column: column, Message: message}
		}
		i += size
	}
	return nil
}

func isYAMLCharacter(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == '\u0085':
		return true
	case r < ' ', r >= 0x7f && r < 0xa0, r == 0xfffe, r == 0xffff:
		return false
	}
	return true
}

// isPrintable reports whether a text contains only visible characters, spaces and line feeds: no
// tabs, no other line ends, no byte order mark.
func isPrintable(text []byte) bool {
	for i, c := range text {
		if c >= utf8.RuneSelf {
			rest := text[i:]
			return bytes.IndexByte(rest, '\t') < 0 && bytes.IndexByte(rest, '\r') < 0 && !HasOddBreaks(rest) &&
				!bytes.Contains(rest, []byte(BOM)) &&
				badByte(rest, 0) == nil
		}
		if (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}
