package refconfig

import (
	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/code"
)

// config reads a template's config: ignore-unspecified-fields, fieldsToOmitRefs and, in v2, perField.
func (m *metadata) config(n *yaml.Node) Config {
	if n == nil {
		return Config{Omit: m.omit.standard}
	}
	known := []string{"ignore-unspecified-fields", "fieldsToOmitRefs", "perField"}
	fields, _ := m.entry(n, "a template's config", known)
	c := Config{IgnoreUnspecified: m.flag(fields.field("ignore-unspecified-fields"), "ignore-unspecified-fields")}
	c.Omit = m.omitRefs(fields.field("fieldsToOmitRefs"))
	m.otherVersion(fields.lookup("perField"), V2)
	for _, n := range m.list(fields.field("perField"), "perField") {
		if f, ok := m.fieldFunction(n); ok {
			c.PerField = append(c.PerField, f)
		}
	}
	return c
}

// omitRefs resolves fieldsToOmitRefs: these lists are used instead of the default. An empty list counts as absent.
func (m *metadata) omitRefs(n *yaml.Node) []OmitEntry {
	refs := m.list(n, "fieldsToOmitRefs")
	if len(refs) == 0 {
		return m.omit.standard
	}
	var names []string
	for _, n := range refs {
		name, ok := m.text(n, "an entry of fieldsToOmitRefs")
		if ok {
			m.checkList(name, m.at(n), "fieldsToOmitRefs")
			names = append(names, name)
		}
	}
	return m.omit.resolve(names)
}

// fieldFunction reads one of perField[]: pathToKey and inlineDiffFunc.
func (m *metadata) fieldFunction(n *yaml.Node) (f FieldFunction, ok bool) {
	fields, ok := m.entry(n, "an entry of perField", []string{"pathToKey", "inlineDiffFunc"})
	if !ok {
		return f, false
	}
	f.Place = Place{File: m.file, Line: n.Line}
	f.Path, ok = m.pathToKey(fields.field("pathToKey"), n)
	known := []string{"regex", "capturegroups"}
	function := fields.field("inlineDiffFunc")
	if function == nil {
		m.fault(code.RefInlineUnknown, m.at(n), "an entry of perField has no inlineDiffFunc; it can be %s", enumerate(known, "or"))
		return f, false
	}
	var isText bool
	if f.Function, isText = m.text(function, "inlineDiffFunc"); !isText {
		return f, false
	}
	if f.Function != known[0] && f.Function != known[1] {
		m.fault(code.RefInlineUnknown, m.at(function), "unknown inlineDiffFunc %q; it can be %s", f.Function, enumerate(known, "or"))
		return f, false
	}
	return f, ok
}

// pathToKey reads a path of an entry.
func (m *metadata) pathToKey(n, entry *yaml.Node) (FieldPath, bool) {
	if n == nil {
		m.fault(code.RefPathToKey, m.at(entry), "the entry has no pathToKey")
		return nil, false
	}
	s, ok := m.text(n, "pathToKey")
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
