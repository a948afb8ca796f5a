package refconfig

import (
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// mostOmitted is the maximum number of fields that the lists of all templates omit together: about
// a hundred times as many as in any known reference.
const mostOmitted = 2_000_000

// config reads the config of a template's entry: ignore-unspecified-fields, fieldsToOmitRefs and,
// in v2, perField. It limits the number of omitted fields.
func (m *metadata) config(entry, n *kubeyaml.Node) (c Config) {
	if m.omitted > mostOmitted {
		return c
	}
	c.Omit = m.omit.standard
	if n != nil {
		m.readConfig(n, &c)
	}
	if m.omitted += len(c.Omit); m.omitted > mostOmitted {
		m.faultAt(entry, code.LimitMemory, "the lists of fields to omit of the templates up to this one have more than %d entries "+
			"together; use shorter lists", mostOmitted)
	}
	return c
}

func (m *metadata) readConfig(n *kubeyaml.Node, c *Config) {
	const ignore = "ignore-unspecified-fields"
	fields, _ := m.entry(n, "a template's config", []string{ignore, "fieldsToOmitRefs", "perField"})
	if f := fields.Lookup(ignore); f != nil {
		c.IgnoreUnspecified, c.UnspecifiedPlace = m.Flag(f.Node, ignore), m.line(f.Name)
	}
	if refs := m.List(fields.Field("fieldsToOmitRefs"), "fieldsToOmitRefs"); len(refs) > 0 {
		c.Omit = m.omitRefs(refs)
	}
	m.otherVersion(fields.Lookup("perField"))
	for _, n := range m.List(fields.Field("perField"), "perField") {
		fields, ok := m.entry(n, "an entry of perField", append(fieldKeys(), "pathToKey"))
		if !ok {
			continue
		}
		path, ok := m.pathToKey(fields.Field("pathToKey"), n)
		f, known := m.fieldFunction(fields, n)
		if f.Path, f.Place = path, m.line(n); ok && known {
			c.PerField = append(c.PerField, f)
		}
	}
}

// omitRefs resolves fieldsToOmitRefs, the lists that replace the default.
func (m *metadata) omitRefs(refs []*kubeyaml.Node) []OmitEntry {
	var names []string
	for _, n := range refs {
		if name, ok := m.Text(n, "an entry of fieldsToOmitRefs"); ok {
			m.checkList(name, n, "fieldsToOmitRefs")
			names = append(names, name)
		}
	}
	return m.omit.resolve(names)
}

// pathToKey reads the path of an entry.
func (m *metadata) pathToKey(n, entry *kubeyaml.Node) (FieldPath, bool) {
	if n == nil {
		m.faultAt(entry, code.RefPathToKey, "the entry has no pathToKey")
		return nil, false
	}
	s, ok := m.Text(n, "pathToKey")
	if !ok {
		return nil, false
	}
	path, odd, err := readFieldPath(s)
	switch {
	case err != nil:
		m.faultAt(n, code.RefPathToKey, "pathToKey %q: %v", s, err)
	case odd != "":
		m.warnAt(n, code.RefOddPath, "pathToKey %q has %s; it is read as %s", s, odd, path)
	}
	return path, err == nil
}
