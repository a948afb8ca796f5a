package refconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/yamlfile"
)

// config reads a template's config: ignore-unspecified-fields, fieldsToOmitRefs and, in v2, perField.
func (m *metadata) config(n *yamlfile.Node) Config {
	if n == nil {
		return Config{Omit: m.omit.standard}
	}
	known := []string{"ignore-unspecified-fields", "fieldsToOmitRefs", "perField"}
	fields, _ := m.entry(n, "a template's config", known)
	c := Config{IgnoreUnspecified: m.Flag(fields.Field("ignore-unspecified-fields"), "ignore-unspecified-fields")}
	if f := fields.Lookup("ignore-unspecified-fields"); f != nil {
		c.UnspecifiedPlace = Place{File: m.file, Line: f.Name.Line}
	}
	c.Omit = m.omitRefs(fields.Field("fieldsToOmitRefs"))
	m.otherVersion(fields.Lookup("perField"), V2)
	for _, n := range m.List(fields.Field("perField"), "perField") {
		if f, ok := m.fieldFunction(n); ok {
			c.PerField = append(c.PerField, f)
		}
	}
	return c
}

// omitRefs resolves fieldsToOmitRefs: these lists are used instead of the default. An empty list counts as absent.
func (m *metadata) omitRefs(n *yamlfile.Node) []OmitEntry {
	refs := m.List(n, "fieldsToOmitRefs")
	if len(refs) == 0 {
		return m.omit.standard
	}
	var names []string
	for _, n := range refs {
		name, ok := m.Text(n, "an entry of fieldsToOmitRefs")
		if ok {
			m.checkList(name, m.at(n), "fieldsToOmitRefs")
			names = append(names, name)
		}
	}
	return m.omit.resolve(names)
}

// fieldKey is a key of an entry of perField of which it has one, with what can stand there.
type fieldKey struct {
	key    FieldKey
	values []string
	read   func(m *metadata, n *yamlfile.Node, k fieldKey, f *FieldFunction) bool // takes what stands there; false where it is none of that
}

// fieldKeys are these keys.
func fieldKeys() []fieldKey {
	return []fieldKey{
		{InlineDiff, []string{"regex", "capturegroups"}, (*metadata).readChoice},
		{Embedded, []string{"json", "yaml", "ini", "text"}, (*metadata).readChoice},
		{List, []string{ListSet, "map(KEY…)", ListOrdered}, (*metadata).readList},
		{Quantity, []string{"true"}, (*metadata).readTrue},
		{CPUSet, []string{"true"}, (*metadata).readTrue},
	}
}

// fieldFunction reads one of perField[]: pathToKey and how the field is compared.
func (m *metadata) fieldFunction(n *yamlfile.Node) (f FieldFunction, ok bool) {
	known := []string{"pathToKey", "encoding"}
	var choices []string
	for _, k := range fieldKeys() {
		known = append(known, string(k.key))
		choices = append(choices, fmt.Sprintf("%s (%s)", k.key, code.Enumerate(k.values, "or")))
	}
	fields, ok := m.entry(n, "an entry of perField", known)
	if !ok {
		return f, false
	}
	f.Place = Place{File: m.file, Line: n.Line}
	f.Path, ok = m.pathToKey(fields.Field("pathToKey"), n)
	for _, k := range fieldKeys() {
		value := fields.Field(string(k.key))
		switch {
		case value == nil:
			continue
		case f.Key != "":
			m.fault(code.RefInlineUnknown, m.at(n), "an entry of perField has %s and %s; make two of it, one for each", f.Key, k.key)
			return f, false
		}
		if f.Key = k.key; !k.read(m, value, k, &f) {
			return f, false
		}
	}
	if f.Key == "" {
		m.fault(code.RefInlineUnknown, m.at(n), "an entry of perField does not say how the field is compared; it needs %s", code.Enumerate(choices, "or"))
		return f, false
	}
	if e := fields.Lookup("encoding"); e != nil && f.Key != Embedded {
		m.warn(code.RefNoEffect, m.at(n), "the encoding of an entry of perField has no effect without embedded")
	} else if e != nil {
		f.Encoding, ok = m.oneOf(fields.Field("encoding"), "encoding", []string{"auto", "base64", "dataurl", "gzip"}, ok)
	}
	return f, ok
}

// readChoice reads one of a few words.
func (m *metadata) readChoice(n *yamlfile.Node, k fieldKey, f *FieldFunction) (ok bool) {
	f.Function, ok = m.oneOf(n, string(k.key), k.values, true)
	return ok
}

// readTrue reads a key that is there or not.
func (m *metadata) readTrue(n *yamlfile.Node, k fieldKey, _ *FieldFunction) bool {
	value, ok := yamlfile.Boolean(n)
	if !ok || !value {
		m.fault(code.RefInlineUnknown, m.at(n), "%s can only be true; take the entry out where the field is to be compared as it is", k.key)
	}
	return ok && value
}

// readList reads how the items of a list are held against each other: a word, or map with the keys of an item in brackets.
func (m *metadata) readList(n *yamlfile.Node, k fieldKey, f *FieldFunction) bool {
	text := yamlfile.Target(n).Value
	names, isMap := strings.CutPrefix(text, "map(")
	if !isMap {
		return m.readChoice(n, k, f)
	}
	names, closed := strings.CutSuffix(names, ")")
	var said []string
	for name := range strings.SplitSeq(names, ",") {
		path, err := ParseFieldPath(strings.TrimSpace(name))
		if err != nil || !closed {
			m.fault(code.RefInlineUnknown, m.at(n), "list %q does not name the keys of an item; write map(name), or map(port, protocol)", text)
			return false
		}
		f.Keys, said = append(f.Keys, path), append(said, path.String())
	}
	f.Function = "map(" + strings.Join(said, ", ") + ")"
	return true
}

// oneOf reads a text that is one of a few. It is false where it is not, or where ok is.
func (m *metadata) oneOf(n *yamlfile.Node, key string, values []string, ok bool) (string, bool) {
	text, isText := m.Text(n, key)
	if isText && !slices.Contains(values, text) {
		m.fault(code.RefInlineUnknown, m.at(n), "unknown %s %q; it can be %s", key, text, code.Enumerate(values, "or"))
		return text, false
	}
	return text, ok && isText
}

// pathToKey reads a path of an entry.
func (m *metadata) pathToKey(n, entry *yamlfile.Node) (FieldPath, bool) {
	if n == nil {
		m.fault(code.RefPathToKey, m.at(entry), "the entry has no pathToKey")
		return nil, false
	}
	s, ok := m.Text(n, "pathToKey")
	if !ok {
		return nil, false
	}
	path, odd, err := readFieldPath(s)
	if err != nil {
		m.fault(code.RefPathToKey, m.at(n), "pathToKey %q: %v", s, err)
		return nil, false
	}
	if odd != "" {
		m.warn(code.RefOddPath, m.at(n), "pathToKey %q: %s; it is read as %s", s, odd, path)
	}
	return path, true
}
