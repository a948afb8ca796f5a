package escape

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// WriteJSON writes a document as JSON; see IndentedJSON.
func WriteJSON(w io.Writer, document any) error {
	text, err := IndentedJSON(document, "")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// IndentedJSON encodes a value as JSON that is safe to print. All lines but the first start with
// the prefix.
func IndentedJSON(v any, prefix string) ([]byte, error) {
	return NewEncoder().Append(nil, v, prefix)
}

// LineJSON encodes a value as one line of JSON that is safe to print.
func LineJSON(v any) ([]byte, error) {
	e := NewEncoder()
	err := e.encoder.Encode(v)
	return JSON(e.line.Bytes()), err
}

// Encoder encodes values as JSON that is safe to print. It reuses its memory, so that only one goroutine may
// use it at a time.
type Encoder struct {
	encoder *json.Encoder
	line    bytes.Buffer // what the encoder wrote
}

// NewEncoder returns an encoder.
func NewEncoder() *Encoder {
	e := &Encoder{}
	e.encoder = json.NewEncoder(&e.line)
	e.encoder.SetEscapeHTML(false)
	return e
}

// Append appends a value to a text, as IndentedJSON encodes it.
func (e *Encoder) Append(out []byte, v any, prefix string) ([]byte, error) {
	e.line.Reset()
	if err := e.encoder.Encode(v); err != nil {
		return nil, err
	}
	return appendIndented(out, JSON(bytes.TrimSuffix(e.line.Bytes(), []byte{'\n'})), prefix), nil
}

// appendIndented does the same as json.Indent for a JSON text without white space, with two blanks for
// each level. It does not check that the text is valid, because the check takes most of the time of
// json.Indent.
func appendIndented(out, text []byte, prefix string) []byte {
	const step = "  "
	out, line := slices.Grow(out, 2*len(text)), []byte("\n"+prefix)
	for i, n := 0, 0; i < len(text); i += n {
		n = 1
		switch c := text[i]; c {
		case '"':
			n = kubeyaml.QuotedLength(text[i:], '"', '\\')
			out = append(out, text[i:i+n]...)
		case '{', '[':
			if text[i+1] == c+2 { // the matching closing bracket
				out, n = append(out, c, c+2), 2
				break
			}
			line = append(line, step...)
			out = append(append(out, c), line...)
		case '}', ']':
			line = line[:len(line)-len(step)]
			out = append(append(out, line...), c)
		case ',':
			out = append(append(out, c), line...)
		case ':':
			out = append(out, c, ' ')
		default:
			out = append(out, c)
		}
	}
	return out
}
