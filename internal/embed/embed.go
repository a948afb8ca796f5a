package embed

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// These are the formats of documents as references name them.
const (
	JSON = "json"
	YAML = "yaml"
	INI  = "ini"
	Text = "text"
)

// Document is the document that a text contains.
type Document struct {
	Layers []string // encodings, outermost first: "data URL", "base64", "gzip"
	Format string
	Text   string // decoded text
	Value  any    // parsed value; Text itself for plain text
}

// Encoding names the encodings of the document; "" if there is none.
func (d Document) Encoding() string { return strings.Join(d.Layers, ", ") }

// Reader reads the texts of one object.
type Reader struct {
	Left int64 // bytes that may still be decoded
}

// Most returns how many bytes may be decoded for an object that takes so many bytes in its file.
func Most(text int) int64 {
	const least, timesText = 2 << 20, 32
	return least + timesText*int64(text)
}

// Limits of one document.
const (
	nesting = 200
	aliases = 20_000
	values  = 200_000
)

// Decode returns the document in a text, given its format and its encoding; "" means Auto.
func (r *Reader) Decode(text, encoding, format string) (Document, error) {
	d, err := r.unwrap(text, cmp.Or(encoding, Auto))
	if err != nil {
		return d, err
	}
	return d, r.read(&d, format)
}

// Recognise returns the document in a text if the text certainly contains one: an encoded document,
// JSON, or YAML that is more than one line of words. ok is false for any other text. The error says
// why an encoded text cannot be decoded.
func (r *Reader) Recognise(text string) (d Document, ok bool, err error) {
	if !mayHold(text) {
		return d, false, nil
	}
	if d, err = r.unwrap(text, Auto); err != nil {
		return d, false, err
	}
	for _, format := range []string{JSON, YAML} {
		if begins(d.Text, format) && r.read(&d, format) == nil && holdsMore(d.Value) {
			return d, true, nil
		}
	}
	return d, len(d.Layers) > 0 && r.read(&d, Text) == nil && isPrintable(d.Text), nil
}

// mayHold excludes most texts by a fast check.
func mayHold(text string) bool {
	return strings.ContainsAny(text, "\n{[") || isDataURL(text) || len(text) >= shortestBase64 && isBase64(text)
}

// begins reports whether a text starts like a document of a format. A single line of words does not
// count as YAML.
func begins(text, format string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	flow := text != "" && (text[0] == '{' || text[0] == '[')
	if format == JSON {
		return flow
	}
	return flow || strings.Contains(strings.TrimRight(text, "\n"), "\n") && strings.Contains(text, ":")
}

// holdsMore reports whether a value is a map or list that is not empty.
func holdsMore(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// isPrintable reports whether a text has no control characters besides line breaks and tabs.
func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r == utf8.RuneError || unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r)
	})
}

// read parses the document.
func (r *Reader) read(d *Document, format string) (err error) {
	d.Format, d.Value = format, d.Text
	if err := r.spend(len(d.Text)); err != nil {
		return err
	}
	switch format {
	case Text:
	case JSON:
		d.Value, err = readJSON(d.Text)
	case YAML:
		d.Value, err = readYAML(d.Text)
	case INI:
		d.Value, err = readINI(d.Text)
	default:
		err = fmt.Errorf("unknown format %q", format)
	}
	return err
}

// spend subtracts bytes from those that may still be decoded.
func (r *Reader) spend(bytes int) error {
	if int64(bytes) > r.Left {
		return errors.New("there is more to decode in the texts of the CR than may be for its size")
	}
	r.Left -= int64(bytes)
	return nil
}

func readJSON(text string) (any, error) {
	if !json.Valid([]byte(text)) {
		return nil, errors.New("it is no JSON")
	}
	return readYAML(text)
}

// readYAML reads YAML or JSON as Kubernetes does. Several documents become a list.
func readYAML(text string) (any, error) {
	limits := kubeyaml.Limits{Nesting: nesting, Aliases: aliases, Values: values}
	nodes, err := limits.Parse([]byte(text))
	var fault *kubeyaml.SyntaxError
	switch {
	case errors.As(err, &fault) && fault.Code != "":
		return nil, fmt.Errorf(
			"it is beyond the limits: %d levels, %d values, and %d more that aliases repeat", nesting, values, aliases,
		)
	case err != nil && fault != nil && fault.Line > 0:
		return nil, fmt.Errorf("it is no YAML, see line %d of it", fault.Line)
	case err != nil:
		return nil, errors.New("it is no YAML")
	case len(nodes) == 0:
		return nil, nil
	}
	for _, n := range nodes {
		if what, line := unread(n); line > 0 {
			return nil, fmt.Errorf("it has %s, see line %d of it", what, line)
		}
	}
	switch {
	case len(nodes) == 1:
		return nodes[0].Value(), nil
	}
	all := make([]any, len(nodes))
	for i, n := range nodes {
		all[i] = n.Value()
	}
	return all, nil
}
