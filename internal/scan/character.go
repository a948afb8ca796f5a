package scan

import (
	"bytes"
	"unicode/utf8"
)

// BadByte finds the first byte that no YAML text may hold. What it is remains unsaid: it may be one of a Secret.
func BadByte(text []byte, base int) *SyntaxError {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return faultAt(text, i, base, "a byte is no UTF-8")
		}
		if !isYAMLCharacter(r) {
			return faultAt(text, i, base, badCharacter(r))
		}
		i += size
	}
	return nil
}

func badCharacter(r rune) string {
	if r == 0 {
		return "a NUL byte, as a damaged file has it"
	}
	return "a control character is not allowed"
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

func faultAt(text []byte, offset, base int, message string) *SyntaxError {
	before := text[:offset]
	line := base + 1 + bytes.Count(before, []byte{'\n'})
	return &SyntaxError{Line: line, Column: offset - bytes.LastIndexByte(before, '\n'), Message: message}
}

// IsPrintable says whether a text is lines of blanks and what is seen: it has no tabs, no other ends of lines, no mark of the byte order.
func IsPrintable(text []byte) bool {
	for i, c := range text {
		if c >= utf8.RuneSelf {
			rest := text[i:]
			return bytes.IndexByte(rest, '\t') < 0 && bytes.IndexByte(rest, '\r') < 0 && !HasOddBreaks(rest) && !bytes.Contains(rest, []byte(BOM)) && BadByte(rest, 0) == nil
		}
		if (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}
