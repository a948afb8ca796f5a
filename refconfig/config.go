package refconfig

import (
	"fmt"
	"slices"

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

// fieldKeys are the keys of an entry of perField of which it has one, with what can stand there.
func fieldKeys() []struct {
	key    FieldKey
	values []string
} {
	return []struct {
		key    FieldKey
		values []string
	}{
		{InlineDiff, []string{"regex", "capturegroups"}},
		{Embedded, []string{"json", "yaml", "ini", "text"}},
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
		f.Key = k.key
		if f.Function, ok = m.oneOf(value, string(k.key), k.values, ok); !ok {
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
