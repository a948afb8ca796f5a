package refconfig

import (
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// mostOmitted limits the fields that the lists of all templates omit, added up: some hundred times
// as many as in any known reference.
const mostOmitted = 2_000_000

// config reads the config of a template, and limits the number of omitted fields.
func (m *metadata) config(at, n *kubeyaml.Node) Config {
	if m.omitted > mostOmitted {
		return Config{}
	}
	c := m.given(n)
	if m.omitted += len(c.Omit); m.omitted > mostOmitted {
		m.fault(
			code.LimitMemory,
			m.at(at),
			"the lists of fields to omit of the templates up to this one have more than %d entries together; use shorter lists",
			mostOmitted,
		)
	}
	return c
}

// given reads the keys of a template's config: ignore-unspecified-fields, fieldsToOmitRefs and, in
// v2, perField.
func (m *metadata) given(n *kubeyaml.Node) Config {
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

// omitRefs resolves fieldsToOmitRefs, the lists that replace the default. An empty list counts as
// absent.
func (m *metadata) omitRefs(n *kubeyaml.Node) []OmitEntry {
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

// fieldFunction reads an entry of perField: pathToKey, and how to compare the field.
func (m *metadata) fieldFunction(n *kubeyaml.Node) (f FieldFunction, ok bool) {
	fields, ok := m.entry(n, "an entry of perField", append(fieldKeys(), "pathToKey"))
	if !ok {
		return f, false
	}
	path, ok := m.pathToKey(fields.Field("pathToKey"), n)
	f, known := fieldReader{&m.FileReader}.read(fields, n)
	f.Place, f.Path = Place{File: m.file, Line: n.Line}, path
	return f, ok && known
}

// pathToKey reads the path of an entry.
func (m *metadata) pathToKey(n, entry *kubeyaml.Node) (FieldPath, bool) {
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
		m.warn(code.RefOddPath, m.at(n), "pathToKey %q has %s; it is read as %s", s, odd, path)
	}
	return path, true
}
