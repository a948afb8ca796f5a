package refconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// encoding is an additional key of entries with Embedded.
const encoding = "encoding"

// choice is a key, with the values that it takes.
type choice struct {
	key    FieldKey
	values []string
	// reads the value; false if it is not one of the values
	read func(r fieldReader, n *kubeyaml.Node, c choice, f *FieldFunction) bool
}

// choices returns all keys.
func choices() []choice {
	return []choice{
		{InlineDiff, []string{"regex", "capturegroups"}, fieldReader.word},
		{Embedded, []string{"json", "yaml", "ini", "text"}, fieldReader.word},
		{List, []string{ListSet, "map(KEY…)", ListOrdered}, fieldReader.list},
		{Quantity, []string{"true"}, fieldReader.yes},
		{CPUSet, []string{"true"}, fieldReader.yes},
		{Exact, []string{"true"}, fieldReader.yes},
	}
}

// FieldKeys returns all keys that say how to compare a field.
func FieldKeys() (all []FieldKey) {
	for _, c := range choices() {
		all = append(all, c.key)
	}
	return all
}

// fieldKeys returns the keys that an entry may have beside its path.
func fieldKeys() []string {
	keys := []string{encoding}
	for _, key := range FieldKeys() {
		keys = append(keys, string(key))
	}
	return keys
}

// fieldReader reads how to compare a field.
type fieldReader struct{ *kubeyaml.FileReader }

// read reads an entry of perField. It returns false for an invalid entry, which it reports.
func (r fieldReader) read(fields kubeyaml.Mapping, entry *kubeyaml.Node) (f FieldFunction, ok bool) {
	var all []string
	for _, c := range choices() {
		all = append(all, fmt.Sprintf("%s (%s)", c.key, code.Enumerate(c.values, "or")))
		value := fields.Field(string(c.key))
		switch {
		case value == nil:
			continue
		case f.Key != "":
			r.fault(entry, "an entry of perField has both %s and %s; write two entries", f.Key, c.key)
			return f, false
		}
		if f.Key = c.key; !c.read(r, value, c, &f) {
			return f, false
		}
	}
	if f.Key == "" {
		r.fault(
			entry,
			"an entry of perField does not say how to compare the field; add %s",
			code.Enumerate(all, "or"),
		)
		return f, false
	}
	e := fields.Lookup(encoding)
	if e == nil {
		return f, true
	}
	if f.Key != Embedded {
		r.Warn(
			code.RefNoEffect,
			entry.Line,
			entry.Column,
			"encoding has no effect without embedded in this entry of perField",
		)
		return f, true
	}
	f.Encoding, ok = r.oneOf(e.Node, encoding, []string{"auto", "base64", "dataurl", "gzip"})
	return f, ok
}

func (r fieldReader) fault(n *kubeyaml.Node, format string, args ...any) {
	r.Fault(code.RefInlineUnknown, n.Line, n.Column, format, args...)
}

// word reads one of a few words.
func (r fieldReader) word(n *kubeyaml.Node, c choice, f *FieldFunction) (ok bool) {
	f.Function, ok = r.oneOf(n, string(c.key), c.values)
	return ok
}

// yes reads a key whose only value is true.
func (r fieldReader) yes(n *kubeyaml.Node, c choice, _ *FieldFunction) bool {
	value, ok := n.Value().(bool)
	if !ok || !value {
		r.fault(n, "%s can only be true; to compare the field as it is, remove the entry", c.key)
	}
	return ok && value
}

// list reads how to compare a list: a word, or map with the keys of an item in parentheses.
func (r fieldReader) list(n *kubeyaml.Node, c choice, f *FieldFunction) bool {
	text := n.Text
	names, isMap := strings.CutPrefix(text, "map(")
	if !isMap {
		return r.word(n, c, f)
	}
	names, closed := strings.CutSuffix(names, ")")
	var keys []string
	for name := range strings.SplitSeq(names, ",") {
		if name = strings.TrimSpace(name); name == "" || !closed {
			r.fault(n, "list %q does not name the keys that identify an item; write map(name), or map(port, protocol)", text)
			return false
		}
		keys = append(keys, name)
	}
	f.Function = "map(" + strings.Join(keys, ", ") + ")"
	for _, key := range keys {
		path, err := ParseFieldPath(key)
		if err != nil {
			r.fault(n, "the key %q of %s: %v", key, f.Said(), err)
			return false
		}
		f.Keys = append(f.Keys, path)
	}
	return true
}

// oneOf reads one of a few texts. It returns false, and reports it, for any other.
func (r fieldReader) oneOf(n *kubeyaml.Node, key string, values []string) (string, bool) {
	text, isText := r.Text(n, key)
	if isText && !slices.Contains(values, text) {
		r.fault(n, "unknown %s %q; it can be %s", key, text, code.Enumerate(values, "or"))
		return text, false
	}
	return text, isText
}
