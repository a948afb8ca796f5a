package scan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a string and checks its escapes, but leaves them in.
func (r *JSON) string() ([]byte, *SyntaxError) {
	r.Pos++
	start := r.Pos
	for r.Pos < len(r.text) {
		for r.Pos < len(r.text) && isOrdinary(r.text[r.Pos]) {
			r.Pos++
		}
		if r.Pos == len(r.text) {
			break
		}
		switch c := r.text[r.Pos]; {
		case c == '"':
			r.Pos++
			return r.text[start : r.Pos-1], nil
		case c == '\\':
			length := jsonEscapeLength(r.text[r.Pos:])
			if length == 0 {
				return nil, r.badEscape()
			}
			r.Pos += length
		default:
			if len(firstText(r.text[r.Pos:])) == 0 {
				r.Pos = len(r.text)
			}
			return nil, r.fault("a string runs over the end of its line, or holds a control character")
		}
	}
	return nil, r.fault("")
}

func isOrdinary(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

func (r *JSON) badEscape() *SyntaxError {
	const longest = len(`\u0000`)
	if len(r.text)-r.Pos < longest && bytes.IndexByte(r.text[r.Pos:], '"') < 0 {
		r.Pos = len(r.text)
	}
	return r.fault("an escape that JSON does not have")
}

// jsonEscapeLength is the length of the escape that text begins with, or 0.
func jsonEscapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	if bytes.IndexByte([]byte(`"\/bfnrt`), text[1]) >= 0 {
		return 2
	}
	if _, ok := hexEscape(text); ok {
		return 6
	}
	return 0
}

// hexEscape is the code unit of \uXXXX.
func hexEscape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range text[2:6] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// Unescape resolves escapes, which are known to be well formed. As for Kubernetes, bytes that are no UTF-8 and halves
// of surrogate pairs become U+FFFD.
func Unescape(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			r, size := utf8.DecodeRune(raw[i:])
			out = utf8.AppendRune(out, r)
			i += size
			continue
		}
		if raw[i+1] != 'u' {
			out = append(out, unescapedByte(raw[i+1]))
			i += 2
			continue
		}
		r, _ := hexEscape(raw[i:])
		i += 6
		if utf16.IsSurrogate(r) {
			low, _ := hexEscape(raw[i:])
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				i += 6
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

func unescapedByte(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
