package embed

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// The formats of documents as references name them.
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
	// keys of JSON and YAML whose values a later duplicate replaced
	Twice []*kubeyaml.Node
}

// Encoding names the encodings of the document; "" for none.
func (d Document) Encoding() string { return strings.Join(d.Layers, ", ") }

// Reader reads the texts of one object.
type Reader struct {
	Left int64 // bytes that may still be decoded
}

// Most returns how many bytes may be decoded for an object whose text in the file has the given
// number of bytes.
func Most(text int) int64 {
	const least, timesText = 2 << 20, 32
	return least + timesText*int64(text)
}

// The limits of one document.
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
	if !mayContainDocument(text) {
		return d, false, nil
	}
	if d, err = r.unwrap(text, Auto); err != nil {
		return d, false, err
	}
	for _, format := range []string{JSON, YAML} {
		if looksLike(d.Text, format) && r.read(&d, format) == nil && isFilled(d.Value) {
			return d, true, nil
		}
	}
	return d, len(d.Layers) > 0 && r.read(&d, Text) == nil && isPrintable(d.Text), nil
}

// mayContainDocument excludes most texts by a fast check.
func mayContainDocument(text string) bool {
	return strings.ContainsAny(text, "\n{[") || isDataURL(text) || len(text) >= shortestBase64 && isBase64(text)
}

// looksLike reports whether a text starts like a document of a format. A single line of words does
// not count as YAML.
func looksLike(text, format string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	flow := text != "" && (text[0] == '{' || text[0] == '[')
	if format == JSON {
		return flow
	}
	return flow || strings.Contains(strings.TrimRight(text, "\n"), "\n") && strings.Contains(text, ":")
}

// isFilled reports whether a value is a map or list that is not empty.
func isFilled(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// isPrintable reports whether a text has no control characters other than line breaks and tabs.
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
		err = d.readJSON()
	case YAML:
		err = d.readYAML()
	case INI:
		d.Value, err = readINI(d.Text)
	default:
		err = fmt.Errorf("unknown format %q", format)
	}
	return err
}

// spend subtracts bytes from Left.
func (r *Reader) spend(bytes int) error {
	if int64(bytes) > r.Left {
		return errors.New("the embedded documents of the CR are too large for the size of the CR")
	}
	r.Left -= int64(bytes)
	return nil
}

func (d *Document) readJSON() error {
	d.Value = nil
	if !json.Valid([]byte(d.Text)) {
		return errors.New("it is not valid JSON")
	}
	return d.readYAML()
}

// readYAML reads YAML or JSON as Kubernetes does. Several documents become a list.
func (d *Document) readYAML() error {
	d.Value = nil
	limits := kubeyaml.Limits{Nesting: nesting, Aliases: aliases, Values: values}
	nodes, fault := limits.ParseAt([]byte(d.Text), 0)
	switch {
	case fault != nil && fault.Code != "":
		return fmt.Errorf(
			"it exceeds the limits: %d levels, %d values, and %d values repeated by aliases", nesting, values, aliases,
		)
	case fault != nil:
		return fmt.Errorf("it is not valid YAML (its line %d)", fault.Line)
	case len(nodes) == 0:
		return nil
	}
	for _, n := range nodes {
		d.Twice = append(d.Twice, kubeyaml.DuplicateKeys(n)...)
		if what, line := inexact(n); line > 0 {
			return fmt.Errorf("it has %s (its line %d)", what, line)
		}
	}
	if len(nodes) == 1 {
		d.Value = nodes[0].Value()
		return nil
	}
	all := make([]any, len(nodes))
	for i, n := range nodes {
		all[i] = n.Value()
	}
	d.Value = all
	return nil
}
