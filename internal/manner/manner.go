// Package manner reads how a field is compared: what an entry of perField says beside the path of the field. In goes the entry as it stands in
// the file; out comes what it says, or faults with their places.
package manner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/yamlfile"
)

// The keys of an entry of which it has one.
const (
	InlineDiff = "inlineDiffFunc"
	Embedded   = "embedded"
	List       = "list"
	Quantity   = "quantity"
	CPUSet     = "cpuset"
)

// What List may say beside map(KEY…).
const (
	Set     = "set"
	Ordered = "ordered"
)

// encoding is a key of an entry that has Embedded too.
const encoding = "encoding"

// Manner is what an entry says.
type Manner struct {
	Key      string
	Value    string   // what stands at the key; "" where that is true
	Keys     []string // those in the brackets of map(KEY…)
	Encoding string
}

// choice is one of the keys, with what can stand there.
type choice struct {
	key    string
	values []string
	read   func(r reader, n *yamlfile.Node, c choice, m *Manner) bool // takes what stands there; false where it is none of that
}

// choices are all of the keys.
func choices() []choice {
	return []choice{
		{InlineDiff, []string{"regex", "capturegroups"}, reader.word},
		{Embedded, []string{"json", "yaml", "ini", "text"}, reader.word},
		{List, []string{Set, "map(KEY…)", Ordered}, reader.list},
		{Quantity, []string{"true"}, reader.yes},
		{CPUSet, []string{"true"}, reader.yes},
	}
}

// Keys are all keys that Read knows.
func Keys() []string {
	keys := []string{encoding}
	for _, c := range choices() {
		keys = append(keys, c.key)
	}
	return keys
}

// reader reads one entry.
type reader struct{ *yamlfile.Reader }

// Read reads an entry. It is false where that has no meaning, which the reader tells.
func Read(file *yamlfile.Reader, fields yamlfile.Mapping, entry *yamlfile.Node) (m Manner, ok bool) {
	r := reader{file}
	var all []string
	for _, c := range choices() {
		all = append(all, fmt.Sprintf("%s (%s)", c.key, code.Enumerate(c.values, "or")))
		value := fields.Field(c.key)
		switch {
		case value == nil:
			continue
		case m.Key != "":
			r.fault(entry, "an entry of perField has %s and %s; make two of it, one for each", m.Key, c.key)
			return m, false
		}
		if m.Key = c.key; !c.read(r, value, c, &m) {
			return m, false
		}
	}
	if m.Key == "" {
		r.fault(entry, "an entry of perField does not say how the field is compared; it needs %s", code.Enumerate(all, "or"))
		return m, false
	}
	e := fields.Lookup(encoding)
	if e == nil {
		return m, true
	}
	if m.Key != Embedded {
		r.Warn(code.RefNoEffect, entry.Line, entry.Column, "the encoding of an entry of perField has no effect without embedded")
		return m, true
	}
	m.Encoding, ok = r.oneOf(e.Node, encoding, []string{"auto", "base64", "dataurl", "gzip"})
	return m, ok
}

func (r reader) fault(n *yamlfile.Node, format string, args ...any) {
	r.Fault(code.RefInlineUnknown, n.Line, n.Column, format, args...)
}

// word reads one of a few words.
func (r reader) word(n *yamlfile.Node, c choice, m *Manner) (ok bool) {
	m.Value, ok = r.oneOf(n, c.key, c.values)
	return ok
}

// yes reads a key that is there or not.
func (r reader) yes(n *yamlfile.Node, c choice, _ *Manner) bool {
	value, ok := yamlfile.Boolean(n)
	if !ok || !value {
		r.fault(n, "%s can only be true; take the entry out where the field is to be compared as it is", c.key)
	}
	return ok && value
}

// list reads how the items of a list are held against each other: a word, or map with the keys of an item in brackets.
func (r reader) list(n *yamlfile.Node, c choice, m *Manner) bool {
	text := yamlfile.Target(n).Value
	names, isMap := strings.CutPrefix(text, "map(")
	if !isMap {
		return r.word(n, c, m)
	}
	names, closed := strings.CutSuffix(names, ")")
	for name := range strings.SplitSeq(names, ",") {
		if name = strings.TrimSpace(name); name == "" || !closed {
			r.fault(n, "list %q does not name the keys of an item; write map(name), or map(port, protocol)", text)
			return false
		}
		m.Keys = append(m.Keys, name)
	}
	m.Value = "map(" + strings.Join(m.Keys, ", ") + ")"
	return true
}

// oneOf reads a text that is one of a few. It is false where it is none.
func (r reader) oneOf(n *yamlfile.Node, key string, values []string) (string, bool) {
	text, isText := r.Text(n, key)
	if isText && !slices.Contains(values, text) {
		r.fault(n, "unknown %s %q; it can be %s", key, text, code.Enumerate(values, "or"))
		return text, false
	}
	return text, isText
}
