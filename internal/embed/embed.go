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

// The formats of documents, as a reference spells them.
const (
	JSON = "json"
	YAML = "yaml"
	INI  = "ini"
	Text = "text"
)

// Document is what a text holds.
type Document struct {
	Layers []string // the encodings around it, the outermost first: "data URL", "base64", "gzip"
	Format string
	Text   string // the document itself
	Value  any    // what it says; of plain text Text
}

// Encoding names the encodings around the document, "" for none.
func (d Document) Encoding() string { return strings.Join(d.Layers, ", ") }

// Reader looks into the texts of one object.
type Reader struct {
	Left int64 // bytes that may still be decoded
}

// Most is how many bytes may be decoded of the texts of an object, by how many bytes of its file
// the object has.
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

// Decode returns the document of a format that a text holds in an encoding; "" for Auto.
func (r *Reader) Decode(text, encoding, format string) (Document, error) {
	d, err := r.unwrap(text, cmp.Or(encoding, Auto))
	if err != nil {
		return d, err
	}
	return d, r.read(&d, format)
}

// Recognise returns the document that a text holds, where it surely holds one: one that is encoded,
// JSON, or YAML that is more than one line of words. Of what is encoded, and cannot be decoded, the
// error tells why. It is false for any other text.
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

// mayHold tells most texts from those that are worth a closer look.
func mayHold(text string) bool {
	return strings.ContainsAny(text, "\n{[") || isDataURL(text) || len(text) >= shortestBase64 && isBase64(text)
}

// begins reports whether a text begins like a document of a format. One line of words is no YAML
// that anybody meant.
func begins(text, format string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	flow := text != "" && (text[0] == '{' || text[0] == '[')
	if format == JSON {
		return flow
	}
	return flow || strings.Contains(strings.TrimRight(text, "\n"), "\n") && strings.Contains(text, ":")
}

// holdsMore reports whether a value is a map or a list with something in it.
func holdsMore(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// isPrintable reports whether a text is one that people read.
func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r == utf8.RuneError || unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r)
	})
}

// read fills in what the document says.
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

// spend takes so many bytes of those that may be decoded.
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

// readYAML reads YAML, and JSON, as Kubernetes does. Several documents are a list.
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
