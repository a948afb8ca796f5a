package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// YAML writes the document of JSON as YAML, with the same keys in the same order.
func YAML(w io.Writer, r *finding.Report, omit Omit) error {
	return asYAML(w, func(w io.Writer) error { return JSON(w, r, omit) })
}

// AnyYAML writes any other document as YAML, with the keys that escape.WriteJSON writes.
func AnyYAML(w io.Writer, document any) error {
	return asYAML(w, func(w io.Writer) error { return escape.WriteJSON(w, document) })
}

// asYAML converts the output of writeJSON.
func asYAML(w io.Writer, writeJSON func(io.Writer) error) error {
	in, doc := io.Pipe()
	go func() { doc.CloseWithError(writeJSON(doc)) }()
	defer in.Close()
	return yamlOf(w, in)
}

// yamlOf converts a JSON document to YAML. The document must have the layout of
// escape.IndentedJSON: a line for each key with its value, for each element, and for each bracket
// of a collection that is not empty.
func yamlOf(w io.Writer, doc io.Reader) error {
	y := &yamlWriter{out: bufio.NewWriterSize(w, chunk)}
	for lines := bufio.NewReaderSize(doc, chunk); ; {
		line, err := lines.ReadBytes('\n')
		if text := bytes.TrimSuffix(bytes.Trim(line, " \n"), []byte(",")); len(text) > 0 {
			y.add(string(text))
		}
		if errors.Is(err, io.EOF) {
			return y.out.Flush() // Flush returns the first error of any write
		}
		if err != nil {
			return err
		}
	}
}

// chunk is the size of the buffers in bytes.
const chunk = 64 << 10

// yamlWriter converts lines of JSON to lines of YAML.
type yamlWriter struct {
	out  *bufio.Writer
	open []collection
	lead string // the text before the next line
}

// collection is a list or map that has not ended.
type collection struct {
	isMap bool
	rest  string // the text before each of its lines except the first
}

// inner returns the innermost collection, or the zero value.
func (y *yamlWriter) inner() (c collection) {
	if len(y.open) > 0 {
		c = y.open[len(y.open)-1]
	}
	return c
}

// add converts a line of JSON, without the comma at its end.
func (y *yamlWriter) add(text string) {
	in, label := y.inner(), ""
	switch {
	case text == "}" || text == "]":
		y.open = y.open[:len(y.open)-1]
		y.lead = y.inner().rest
		return
	case in.isMap:
		end := stringEnd(text)
		label, text = keyLabel(escape.String(unquoted(text[:end])), in.rest), text[end+len(": "):]
	case len(y.open) > 0:
		label = "-"
	}
	if text == "{" || text == "[" {
		y.begin(text == "{", label, in.rest)
		return
	}
	if text[0] == '"' {
		text = escape.String(unquoted(text))
	}
	y.line(labelled(label, text))
	y.lead = in.rest
}

// begin begins a collection after its label: "key:" or "-". A collection begins on the line of its
// dash, or on the line after its key.
func (y *yamlWriter) begin(isMap bool, label, rest string) {
	switch {
	case label == "-":
		y.lead, rest = y.lead+"- ", rest+"  "
	case label != "":
		y.line(label)
		if isMap {
			rest += "  "
		}
		y.lead = rest
	}
	y.open = append(y.open, collection{isMap, rest})
}

// stringEnd returns the index after the JSON string with which a text begins.
func stringEnd(text string) int {
	end := 1
	for text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	return end + 1
}

// unquoted decodes a JSON string.
func unquoted(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1]
	}
	var s string
	json.Unmarshal([]byte(text), &s) // no error is possible, because the encoder wrote the text
	return s
}

// keyLabel formats a key with its colon. YAML allows a key on one line up to 1024 characters.
func keyLabel(key, rest string) string {
	if len(key) > 1000 {
		return "? " + key + "\n" + rest + ":"
	}
	return key + ":"
}

func (y *yamlWriter) line(text string) {
	y.out.WriteString(strings.TrimRight(y.lead+text, " "))
	y.out.WriteByte('\n')
}

// labelled returns a value after its label.
func labelled(label, value string) string {
	if label == "" {
		return value
	}
	return label + " " + value
}
