package refconfig

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// loadMetadata loads a metadata file and all files that it names.
func (l *loader) loadMetadata(name string) {
	whole := Place{File: l.shown(name)}
	l.ref.Metadata = whole.File
	data, err := l.readMetadata(name)
	if err != nil {
		l.unreadable(whole, err)
		return
	}
	if bytes.IndexByte(data, 0) >= 0 && !bytes.HasPrefix(data, []byte("\xff\xfe")) &&
		!bytes.HasPrefix(data, []byte("\xfe\xff")) {
		l.fault(
			code.RefNotFound,
			whole,
			"this is not text, so it cannot be a metadata file; a reference is a folder with a metadata.yaml, or that file",
		)
		return
	}
	l.ref.MetadataText = data
	d := l.document(whole.File, metadataCodes(), l.aliases)
	root, ok := d.Parse(data)
	if root == nil {
		if ok {
			l.fault(
				code.RefEmpty, whole, "the metadata file is empty; add parts with components that list templates",
			)
		}
		return
	}
	if kind := objectKind(root); kind != "" {
		l.fault(
			code.RefNotFound,
			d.at(root),
			"this is a CR of kind %s, not a metadata file; name the folder of the reference or its metadata file first, and then the input",
			kind,
		)
		return
	}
	(&metadata{document: d, load: l, ref: l.ref, first: map[string]*Template{}, names: map[[2]string]bool{}}).read(root)
	l.loadCodes()
}

// readMetadata reads the metadata file itself. If the user named it, rather than its folder, it may
// be a link to anywhere.
func (l *loader) readMetadata(name string) ([]byte, error) {
	data, err := l.At(path.Join(l.Root, name))
	if err == nil {
		l.Files[name] = data
	}
	return data, err
}

// objectKind returns the kind of a CR that was named in place of a metadata file, or "".
func objectKind(n *kubeyaml.Node) string {
	kind := ""
	for i, key := range n.Keys {
		switch strings.ToLower(key.Text) {
		case "parts":
			return ""
		case "kind":
			kind = n.Values[i].Text
		}
	}
	return kind
}

// metadata reads a metadata file. A key of the other version of the format is an error, but its
// value is read too, to find all errors in one run.
type metadata struct {
	*document
	load    *loader
	ref     *Reference
	omit    *omitLists
	version string               // apiVersion in messages
	first   map[string]*Template // the first template of each cleaned path
	names   map[[2]string]bool   // names of parts (with ""), and of parts with components
	omitted int                  // sum of the fields that all templates omit
}

// read reads the root of the metadata.
func (m *metadata) read(root *kubeyaml.Node) {
	top, ok := m.Mapping(root, "the metadata", []string{"apiVersion", "parts", "templateFunctionFiles", "fieldsToOmit", "validate"})
	if !ok {
		return
	}
	m.apiVersion(top)
	m.otherVersion(top.Lookup("validate"), V2)
	m.ref.Validate = m.Flag(top.Field("validate"), "validate")
	m.omit = m.readOmitLists(top.Field("fieldsToOmit"))
	for _, n := range m.List(top.Field("parts"), "parts") {
		m.part(n)
	}
	for _, n := range m.List(top.Field("templateFunctionFiles"), "templateFunctionFiles") {
		m.functionFile(n)
	}
	if len(m.ref.Templates) == 0 && len(m.faults) == 0 {
		m.fault(
			code.RefEmpty,
			Place{File: m.file},
			"the reference has no templates; list them in the components of its parts",
		)
	}
}

// apiVersion determines the format: v2, or v1, which is also the default. Letter case and
// surrounding space do not matter. An unknown version is an error, and the file is read as the
// version that it looks like.
func (m *metadata) apiVersion(top kubeyaml.Mapping) {
	m.ref.Format, m.version = V1, "v1, because it has no apiVersion"
	n := top.Field("apiVersion")
	if n == nil || n.IsText() && strings.TrimSpace(n.Text) == "" {
		return
	}
	if n.Kind != kubeyaml.Scalar {
		m.fault(code.RefType, m.at(n), "apiVersion must be text, not %s", n.TypeName())
		return
	}
	m.version = strings.TrimSpace(n.Text)
	switch Format(strings.ToLower(m.version)) {
	case V1:
		return
	case V2:
		m.ref.Format = V2
		return
	}
	if usesRules(top.Field("parts"), 0) {
		m.ref.Format = V2
	}
	m.fault(
		code.RefAPIVersion,
		m.at(n),
		"unknown apiVersion %q; use v1, the default, or v2 (the rest of the file was read as %s)",
		m.version,
		m.ref.Format,
	)
	m.version = string(m.ref.Format)
}

// usesRules reports whether a component below parts has a rule of v2.
func usesRules(n *kubeyaml.Node, depth int) bool {
	const components = 4 // parts, part, components, component
	if n == nil || depth == components {
		return false
	}
	if depth == components-1 {
		return slices.ContainsFunc(n.Keys, func(key *kubeyaml.Node) bool { return isRule(key.Text) })
	}
	return slices.ContainsFunc(n.Values, func(below *kubeyaml.Node) bool { return usesRules(below, depth+1) })
}

// otherVersion reports an error if a key belongs to another version of the format, and returns
// whether it does.
func (m *metadata) otherVersion(f *kubeyaml.Field, of Format) bool {
	if f == nil || m.ref.Format == of {
		return false
	}
	if of == V2 {
		m.fault(
			code.RefVersionOnly, m.at(f.Name), "the key %q needs apiVersion v2, but this file is %s", f.Key, m.version,
		)
	} else {
		m.fault(code.RefVersionOnly, m.at(f.Name), "the key %q needs apiVersion v1, but this file is %s; a v2 component has one of %s",
			f.Key, m.version, code.Enumerate(ruleKeys(), "and"))
	}
	return true
}

// part reads an entry of parts: name, description, components.
func (m *metadata) part(n *kubeyaml.Node) {
	fields, ok := m.Mapping(n, "a part", []string{"name", "description", "components"})
	if !ok {
		return
	}
	p := &Part{}
	p.Name, ok = m.Text(fields.Field("name"), "the name of a part")
	p.Description, _ = m.Text(fields.Field("description"), "the description of a part")
	if ok && p.Name == "" {
		m.warn(code.RefNoName, m.at(n), "a part has no name; reports show it as \"\"")
	}
	key := [2]string{p.Name}
	if p.Name != "" && m.names[key] {
		m.warn(
			code.RefDuplicateName,
			m.at(fields.Field("name")),
			"another part is also named %q; reports cannot distinguish them",
			p.Name,
		)
	}
	m.names[key] = true
	m.ref.Parts = append(m.ref.Parts, p)
	components := m.List(fields.Field("components"), "components")
	for _, c := range components {
		m.component(c, p)
	}
	if kind := fields.Lookup("components"); len(components) == 0 && (kind == nil || isEmptyList(kind.Node)) {
		m.warn(code.RefNoEffect, m.at(n), "part %q has no component, so it has no effect", p.Name)
	}
}

// isEmptyList reports whether a node is null or a list without elements.
func isEmptyList(n *kubeyaml.Node) bool {
	return n.IsNull() || n.Kind == kubeyaml.List && len(n.Values) == 0
}

// functionFile reads an entry of templateFunctionFiles: the path of a file, or a glob (path.Match).
func (m *metadata) functionFile(n *kubeyaml.Node) {
	spelled, ok := m.Text(n, "an entry of templateFunctionFiles")
	if !ok {
		return
	}
	if strings.TrimSpace(spelled) == "" {
		m.fault(
			code.RefFunctionFile, m.at(n), "an entry of templateFunctionFiles is empty; it must be the path of a file",
		)
		return
	}
	paths := m.load.Glob(spelled)
	if len(paths) == 0 {
		paths = []string{spelled} // opening it reports the error
	}
	for _, p := range paths {
		name, data, ok := m.load.open(p, m.at(n), "the template function file", code.RefFunctionFile)
		if ok &&
			!slices.ContainsFunc(m.ref.Functions, func(f *FunctionFile) bool { return f.File == m.load.shown(name) }) {
			m.ref.Functions = append(m.ref.Functions, &FunctionFile{Path: p, File: m.load.shown(name), Source: data})
		}
	}
}
