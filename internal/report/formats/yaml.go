package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// YAML writes the document of JSON as YAML, with the same keys in the same order.
func YAML(w io.Writer, r *finding.Report, omit Omit) error {
	return asYAML(w, func(w io.Writer) error { return JSON(w, r, omit) })
}

// AnyYAML writes any other document as YAML, with the keys that escape.WriteJSON writes.
func AnyYAML(w io.Writer, document any) error {
	return asYAML(w, func(w io.Writer) error { return escape.WriteJSON(w, document) })
}

// asYAML converts the output of writeJSON, which must have the layout of escape.IndentedJSON: a line
// for each key with its value, for each element, and for each bracket of a collection that is not
// empty.
func asYAML(w io.Writer, writeJSON func(io.Writer) error) error {
	y := &yamlWriter{out: bufio.NewWriterSize(w, chunk), labels: map[string]string{}}
	if err := writeJSON(y); err != nil {
		return err
	}
	return y.out.Flush() // Flush returns the first error of any write
}

// chunk is the size of the buffers in bytes.
const chunk = 64 << 10

// yamlWriter converts lines of JSON to lines of YAML.
type yamlWriter struct {
	out    *bufio.Writer
	begun  []byte // a line of JSON that has not ended
	open   []collection
	lead   string            // the text before the next line
	labels map[string]string // the labels of keys, because most keys are there for each finding
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

// Write adds a part of the JSON document.
func (y *yamlWriter) Write(doc []byte) (n int, err error) {
	for rest := doc; ; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		if !ended {
			y.begun = append(y.begun, rest...)
			_, err := y.out.Write(nil) // returns the first error of any write
			return len(doc), err
		}
		if rest = after; len(y.begun) > 0 {
			line = append(y.begun, line...)
			y.begun = line[:0]
		}
		if text := bytes.TrimSuffix(bytes.TrimLeft(line, " "), []byte{','}); len(text) > 0 {
			y.add(text)
		}
	}
}

// add adds a line of JSON, without the comma at its end.
func (y *yamlWriter) add(text []byte) {
	in, label := y.inner(), ""
	switch {
	case text[0] == '}' || text[0] == ']':
		y.open = y.open[:len(y.open)-1]
		y.lead = y.inner().rest
		return
	case in.isMap:
		end := kubeyaml.QuotedLength(text, '"', '\\')
		label, text = y.label(text[:end], in.rest), text[end+len(": "):]
	case len(y.open) > 0:
		label = "-"
	}
	if len(text) == 1 && (text[0] == '{' || text[0] == '[') {
		y.begin(text[0] == '{', label, in.rest)
		return
	}
	y.out.WriteString(y.lead)
	if y.out.WriteString(label); label != "" {
		y.out.WriteByte(' ')
	}
	if text[0] == '"' {
		y.out.WriteString(escape.String(unquoted(text)))
	} else {
		y.out.Write(text)
	}
	y.out.WriteByte('\n')
	y.lead = in.rest
}

// begin begins a collection after its label: "key:" or "-". A collection begins on the line of its
// dash, or on the line after its key.
func (y *yamlWriter) begin(isMap bool, label, rest string) {
	switch {
	case label == "-":
		y.lead, rest = y.lead+"- ", rest+"  "
	case label != "":
		y.out.WriteString(y.lead)
		y.out.WriteString(label)
		y.out.WriteByte('\n')
		if isMap {
			rest += "  "
		}
		y.lead = rest
	}
	y.open = append(y.open, collection{isMap, rest})
}

// unquoted decodes a JSON string.
func unquoted(text []byte) string {
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text[1 : len(text)-1])
	}
	var s string
	json.Unmarshal(text, &s) // no error is possible, because the encoder wrote the text
	return s
}

// label formats a key with its colon. rest is the text before a second line.
func (y *yamlWriter) label(key []byte, rest string) string {
	const most, longest = 1000, 50 // labels to keep, and their length: many keys are names in CRs
	if label, known := y.labels[string(key)]; known {
		return label
	}
	label := keyLabel(escape.String(unquoted(key)), rest)
	if len(label) <= longest && len(y.labels) < most {
		y.labels[string(key)] = label
	}
	return label
}

// keyLabel formats a key with its colon. YAML allows a key on one line up to 1024 characters.
func keyLabel(key, rest string) string {
	if len(key) > 1000 {
		return "? " + key + "\n" + rest + ":"
	}
	return key + ":"
}
