package document

import (
	"bufio"
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

// yamlOf prints a JSON document as YAML.
func yamlOf(w io.Writer, doc io.Reader) error {
	out := bufio.NewWriter(w)
	y := &yamlWriter{tokens: json.NewDecoder(doc), out: out}
	y.tokens.UseNumber()
	if err := y.value("", "", ""); err != nil {
		return err
	}
	return out.Flush()
}

// yamlWriter turns the tokens of a JSON document into YAML.
type yamlWriter struct {
	tokens *json.Decoder
	out    *bufio.Writer
}

// value writes the next value behind a label, "key:" or "-"; first stands before the first line of it, rest before the
// others.
func (y *yamlWriter) value(first, label, rest string) error {
	token, err := y.tokens.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case json.Delim:
		if !y.tokens.More() {
			if _, err := y.tokens.Token(); err != nil {
				return err
			}
			return y.line(first, join(label, map[json.Delim]string{'{': "{}", '[': "[]"}[v]))
		}
		return y.collection(v, first, label, rest)
	case string:
		return y.line(first, join(label, visible.String(v)))
	case bool, nil:
		return y.line(first, join(label, visible.Scalar(v)))
	case json.Number:
		return y.line(first, join(label, v.String()))
	}
	return errors.New("a token that JSON does not have")
}

// collection writes what an open bracket holds. It begins on the line of a dash, and below a key.
func (y *yamlWriter) collection(open json.Delim, first, label, rest string) error {
	switch {
	case label == "-":
		first, rest = first+"- ", rest+"  "
	case label != "":
		if err := y.line(first, label); err != nil {
			return err
		}
		if open == '{' {
			rest += "  "
		}
		first = rest
	}
	for y.tokens.More() {
		label := "-"
		if open == '{' {
			key, err := y.tokens.Token()
			if err != nil {
				return err
			}
			label = keyLabel(visible.String(key.(string)), rest)
		}
		if err := y.value(first, label, rest); err != nil {
			return err
		}
		first = rest
	}
	_, err := y.tokens.Token()
	return err
}

// keyLabel is a key as far as its colon. YAML gives up a key on one line with its colon after 1024 characters.
func keyLabel(key, rest string) string {
	if len(key) > 1000 {
		return "? " + key + "\n" + rest + ":"
	}
	return key + ":"
}

func (y *yamlWriter) line(lead, text string) error {
	_, err := y.out.WriteString(strings.TrimRight(lead+text, " ") + "\n")
	return err
}

// join puts a value behind its label.
func join(label, value string) string {
	if label == "" {
		return value
	}
	return label + " " + value
}
