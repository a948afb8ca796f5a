package diff

import (
	"encoding/json"
	"strings"

	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// WithValue returns a text with another value for a field of its document. It replaces the present
// value as the text spells it, and reads the document again: only this field may change. done is
// false if that fails, as for an encoded text.
func WithValue(text string, by refconfig.FieldFunction, field refconfig.FieldPath, is string) (out string, done bool) {
	const most = 100 // places where the text may have the value
	read := func(text string) (any, bool) {
		reader := embed.Reader{Left: embed.Most(len(text))}
		d, err := reader.Decode(text, by.Encoding, by.Function)
		return d.Value, err == nil && len(d.Layers) == 0
	}
	document, ok := read(text)
	v, _ := tree.At(document, field)
	was, isText := Text(v)
	if !ok || !isText || was == "" {
		return text, false
	}
	tried := 0
	for _, spell := range []func(string) string{asItIs, inDoubleQuotes, inSingleQuotes} {
		before, after := spell(was), spell(is)
		for at := 0; tried < most; tried++ {
			here := strings.Index(text[at:], before)
			if here < 0 {
				break
			}
			at += here
			out = text[:at] + after + text[at+len(before):]
			changed, ok := read(out)
			next, _ := tree.At(changed, field)
			found, _ := Text(next)
			if back, _ := tree.Set(changed, field, v); ok && found == is && tree.Equal(back, document) {
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
	_ = e.Encode(text) // a text can be written
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), `"`), `"`)
}

// inSingleQuotes spells a text as between single quotes in YAML.
func inSingleQuotes(text string) string { return strings.ReplaceAll(text, "'", "''") }
