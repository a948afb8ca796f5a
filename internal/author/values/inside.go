package values

import (
	"encoding/json"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// put returns the CR with the value for a pattern in its place. For a pattern in a document, that is
// the given text as a whole, or the template's text with the value in it.
func (e *entry) put(cr any, p diff.Stated) any {
	if whole, given := tree.At(e.input, p.Text); given && p.InText() {
		cr, _ = tree.Set(cr, p.Text, whole)
		return cr
	}
	if p.Closed != nil {
		e.fault(code.ValueMissing, p.Text, "the reference has a pattern at %s (%s), in a text that cannot be opened: %s; "+
			"give the whole text at %s", p.At, p.Function, p.Closed, p.Text)
		return cr
	}
	value, lacks, there := e.valueFor(p)
	if !there {
		e.fault(code.ValueMissing, p.At, "the reference has a pattern at %s (%s); give a value in its place%s",
			p.At, p.Function, lacks)
		return cr
	}
	if !p.InText() {
		cr, _ = tree.Set(cr, p.At, value)
		return cr
	}
	stated, _ := tree.At(cr, p.Text)
	text, _ := stated.(string)
	is, isScalar := diff.Text(value)
	text, done := withValue(text, p.Opened, p.At[len(p.Text):], is)
	if !isScalar || !done {
		e.fault(code.ValueMissing, p.At, "the reference has a pattern at %s (%s), and the value cannot be written into its text; "+
			"give the whole text at %s", p.At, p.Function, p.Text)
		return cr
	}
	cr, _ = tree.Set(cr, p.Text, text)
	return cr
}

// valueFor returns the value that the user gives in place of a pattern, or for its groups; lacks is
// as for fill.
func (e *entry) valueFor(p diff.Stated) (value any, lacks string, there bool) {
	if value, there = tree.At(e.input, p.At); there {
		if p.InText() {
			e.inside = append(e.inside, p.At)
			e.documents = append(e.documents, refconfig.OmitEntry{Path: p.Text.Inside()})
		}
		return value, "", true
	}
	return e.fill(p.Function, p.Expression)
}

// withValue returns a text with another value for a field of its document. It replaces the present
// value as the text spells it, and reads the document again: only this field may change. done is
// false if that fails, as for an encoded text.
func withValue(text string, by refconfig.FieldFunction, field refconfig.FieldPath, is string) (out string, done bool) {
	const most = 100 // places where the text may have the value
	read := func(text string) (any, bool) {
		reader := embed.Reader{Left: embed.Most(len(text))}
		d, err := reader.Decode(text, by.Encoding, by.Function)
		return d.Value, err == nil && len(d.Layers) == 0
	}
	document, ok := read(text)
	v, _ := tree.At(document, field)
	was, isText := v.(string)
	if !ok || !isText || was == "" {
		return text, false
	}
	tried := 0
	for _, spell := range []func(string) string{asItIs, inDoubleQuotes, inSingleQuotes} {
		before, after := spell(was), spell(is)
		for at := 0; tried < most; tried++ {
			next := strings.Index(text[at:], before)
			if next < 0 {
				break
			}
			at += next
			out = text[:at] + after + text[at+len(before):]
			changed, ok := read(out)
			v, _ := tree.At(changed, field)
			found, _ := diff.Text(v)
			if back, _ := tree.Set(changed, field, was); ok && found == is && tree.Equal(back, document) {
				return out, true
			}
			at++
		}
	}
	return text, false
}

func asItIs(text string) string { return text }

// inDoubleQuotes spells a text as between double quotes in JSON and YAML.
func inDoubleQuotes(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), `"`), `"`)
}

// inSingleQuotes spells a text as between single quotes in YAML.
func inSingleQuotes(text string) string { return strings.ReplaceAll(text, "'", "''") }
