package visible

import (
	"bytes"
	"encoding/json"
	"io"
)

// WriteJSON writes a document as JSON, see IndentedJSON.
func WriteJSON(w io.Writer, document any) error {
	text, err := IndentedJSON(document, "")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// IndentedJSON is a value as JSON that is safe to print, whose lines but the first begin with a prefix.
func IndentedJSON(v any, prefix string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	err := e.Encode(v)
	return JSON(bytes.TrimSuffix(out.Bytes(), []byte("\n"))), err
}
