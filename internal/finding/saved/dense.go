package saved

import (
	"bytes"
	"encoding/json"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// dense returns a JSON text without white space and without the records of runs, which are about half
// of a report and are not read back. The result is valid JSON if and only if the text is: white space
// between characters that need it stays.
func dense(text []byte) []byte {
	const ofRun = 3 // the depth of the keys of a run
	out := make([]byte, 0, len(text))
	for depth := 0; len(text) > 0; {
		n := 1
		switch c := text[0]; c {
		case '"':
			n = kubeyaml.QuotedLength(text, '"', '\\')
			if depth == ofRun && string(text[:n]) == `"findings"` {
				if list := recordsAfter(text[n:]); list > 0 {
					out, text = append(out, `"findings":[]`...), text[n+list:]
					continue
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ' ', '\n', '\r', '\t':
			for n < len(text) && isBlank(text[n]) {
				n++
			}
			if len(out) > 0 && n < len(text) && isLoose(out[len(out)-1]) && isLoose(text[n]) {
				out = append(out, ' ')
			}
			text = text[n:]
			continue
		}
		out, text = append(out, text[:n]...), text[n:]
	}
	return out
}

// recordsAfter returns the length of the colon and the list after the key of records; 0 if a text has
// something else there.
func recordsAfter(text []byte) int {
	list := bytes.TrimLeft(text, " \n\r\t:")
	if len(list) == 0 || list[0] != '[' {
		return 0
	}
	before := len(text) - len(list)
	for i, depth := 0, 0; i < len(list); i++ {
		switch list[i] {
		case '"':
			i += kubeyaml.QuotedLength(list[i:], '"', '\\') - 1
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 && json.Valid(list[:i+1]) && string(bytes.TrimSpace(text[:before])) == ":" {
				return before + i + 1
			} else if depth == 0 {
				return 0
			}
		}
	}
	return 0
}

// isBlank reports whether a character is white space in JSON.
func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// isLoose reports whether a character may be one of a number or a word.
func isLoose(c byte) bool { return bytes.IndexByte([]byte(`{}[],:"`), c) < 0 }
