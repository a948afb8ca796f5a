package kubeyaml

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// string reads a string and checks its escapes without resolving them.
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
			return nil, r.fault("a string has a line break or a control character")
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
	return r.fault("an invalid escape in a string")
}

// jsonEscapeLength returns the length of the escape at the beginning of text, or 0.
func jsonEscapeLength(text []byte) int {
	const hex = "0123456789abcdefABCDEF"
	switch {
	case len(text) > 1 && bytes.IndexByte([]byte(`"\/bfnrt`), text[1]) >= 0:
		return len(`\n`)
	case len(text) >= len(`\u0000`) && text[1] == 'u' && len(bytes.Trim(text[2:len(`\u0000`)], hex)) == 0:
		return len(`\u0000`)
	}
	return 0
}

// unescape resolves escapes, which must be well formed. As in Kubernetes, invalid UTF-8 and
// unpaired surrogates become U+FFFD.
func unescape(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw)
	}
	var text string
	_ = json.Unmarshal(slices.Concat([]byte{'"'}, raw, []byte{'"'}), &text) // the text is well formed
	return text
}
