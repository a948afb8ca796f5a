package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/visible"
)

// YAML writes the document of JSON as YAML: the same keys in the same order, and the same values.
func YAML(w io.Writer, r *finding.Report) error {
	return asYAML(w, func(w io.Writer) error { return JSON(w, r) })
}

// AnyYAML writes a document that is no report as YAML, as visible.WriteJSON writes it as JSON.
func AnyYAML(w io.Writer, document any) error {
	return asYAML(w, func(w io.Writer) error { return visible.WriteJSON(w, document) })
}

// asYAML writes what another function writes as JSON.
func asYAML(w io.Writer, writeJSON func(io.Writer) error) error {
	in, doc := io.Pipe()
	go func() { doc.CloseWithError(writeJSON(doc)) }()
	defer in.Close()
	return yamlOf(w, in)
}

// yamlOf prints a JSON document as YAML. The document is one of visible.IndentedJSON: each key with
// its value has a line of its own, and so has each element and each bracket of what is not empty.
func yamlOf(w io.Writer, doc io.Reader) error {
	y := &yamlWriter{out: bufio.NewWriterSize(w, chunk)}
	for lines := bufio.NewReaderSize(doc, chunk); ; {
		line, err := lines.ReadBytes('\n')
		if text := bytes.TrimSuffix(bytes.Trim(line, " \n"), []byte(",")); len(text) > 0 {
			y.add(string(text))
		}
		if errors.Is(err, io.EOF) {
			return y.out.Flush() // which returns the first error of all writing
		}
		if err != nil {
			return err
		}
	}
}

// chunk is how many bytes are handed on at once.
const chunk = 64 << 10

// yamlWriter turns the lines of a JSON document into those of YAML.
type yamlWriter struct {
	out  *bufio.Writer
	open []collection
	lead string // what stands before the next line
}

// collection is a list or map that is not at its end.
type collection struct {
	isMap bool
	rest  string // what stands before its lines but the first
}

// inner is the collection that the next line is in, if there is any.
func (y *yamlWriter) inner() (c collection) {
	if len(y.open) > 0 {
		c = y.open[len(y.open)-1]
	}
	return c
}

// add writes what a line of JSON says, without the comma behind it.
func (y *yamlWriter) add(text string) {
	in, label := y.inner(), ""
	switch {
	case text == "}" || text == "]":
		y.open = y.open[:len(y.open)-1]
		y.lead = y.inner().rest
		return
	case in.isMap:
		end := stringEnd(text)
		label, text = keyLabel(visible.String(unquoted(text[:end])), in.rest), text[end+len(": "):]
	case len(y.open) > 0:
		label = "-"
	}
	if text == "{" || text == "[" {
		y.begin(text == "{", label, in.rest)
		return
	}
	if text[0] == '"' {
		text = visible.String(unquoted(text))
	}
	y.line(labelled(label, text))
	y.lead = in.rest
}

// begin begins a collection behind a label, "key:" or "-": on the line of a dash, and below a key.
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

// stringEnd is where the string ends that a text begins with.
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

// unquoted is the string that a text in JSON stands for.
func unquoted(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1]
	}
	var s string
	json.Unmarshal([]byte(text), &s) // which is what the encoder wrote
	return s
}

// keyLabel is a key as far as its colon. YAML gives up a key on one line with its colon after 1024
// characters.
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

// labelled puts a value behind its label.
func labelled(label, value string) string {
	if label == "" {
		return value
	}
	return label + " " + value
}
