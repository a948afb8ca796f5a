package refconfig

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/userfile"
)

// loadMetadata loads a metadata file and all files that it names. If the user named the file rather
// than its folder, the file may be a link to anywhere.
func (l *loader) loadMetadata(name string) {
	whole := Place{File: l.shown(name)}
	l.ref.Metadata = whole.File
	data, err := l.readFile(path.Join(l.root, name))
	if err != nil {
		l.unreadable(whole, "this", err)
		return
	}
	l.files[name] = data
	isUTF16 := bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))
	if bytes.IndexByte(data, 0) >= 0 && !isUTF16 {
		l.fault(code.RefNotFound, whole,
			"this is not text, so it cannot be a metadata file; a reference is a folder with a metadata.yaml, or that file")
		return
	}
	l.ref.MetadataText = data
	d := l.documentOf(whole.File)
	root, ok := d.Parse(data)
	if root == nil {
		if ok {
			l.fault(code.RefEmpty, whole, "the metadata file is empty; add parts with components that list templates")
		}
		return
	}
	if kind := objectKind(root); kind != "" {
		d.faultAt(root, code.RefNotFound, "this is a CR of kind %s, not a metadata file; "+
			"name the folder of the reference or its metadata file first, and then the input", kind)
		return
	}
	(&metadata{document: d, load: l, ref: l.ref, first: map[string]*Template{}, names: map[[2]string]bool{}}).read(root)
	l.loadCodes()
}

// documentOf returns a reader for a file of the reference with the codes of metadata.
func (l *loader) documentOf(file string) *document {
	codes := userfile.Codes{Syntax: code.RefSyntax, WrongType: code.RefType, UnknownKey: code.RefUnknownKey,
		Duplicate: code.RefDuplicateKey, Dropped: code.RefDropped}
	d := l.document(file, codes, l.aliases)
	d.Words = []string{"name", "description"}
	return d
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
	m.apiVersion(top.Field("apiVersion"))
	m.otherVersion(top.Lookup("validate"))
	m.ref.Validate = m.Flag(top.Field("validate"), "validate")
	m.readOmitLists(top.Field("fieldsToOmit"))
	for _, n := range m.List(top.Field("parts"), "parts") {
		m.part(n)
	}
	for _, n := range m.List(top.Field("templateFunctionFiles"), "templateFunctionFiles") {
		m.functionFile(n)
	}
	if len(m.ref.Templates) == 0 && len(m.faults) == 0 {
		m.fault(code.RefEmpty, Place{File: m.file}, "the reference has no templates; list them in the components of its parts")
	}
}

// apiVersion determines the format: v2, or v1, which is also the default. Letter case and
// surrounding space do not matter. An unknown version is an error, and the file is read as v2 if it
// has a rule of v2.
func (m *metadata) apiVersion(n *kubeyaml.Node) {
	m.ref.Format, m.version = V1, "v1, because it has no apiVersion"
	if n == nil || n.IsText() && strings.TrimSpace(n.Text) == "" {
		return
	}
	if n.Kind != kubeyaml.Scalar {
		m.faultAt(n, code.RefType, "apiVersion must be text, not %s", n.TypeName())
		return
	}
	m.version = strings.TrimSpace(n.Text)
	hasRule := func(rule string) bool { return bytes.Contains(m.ref.MetadataText, []byte(rule+":")) }
	format := Format(strings.ToLower(m.version))
	if format == V2 || format != V1 && slices.ContainsFunc(ruleKeys(), hasRule) {
		m.ref.Format = V2
	}
	if format != m.ref.Format {
		m.faultAt(n, code.RefAPIVersion, "unknown apiVersion %q; use v1, the default, or v2 (the rest of the file was read as %s)",
			m.version, m.ref.Format)
		m.version = string(m.ref.Format)
	}
}

// otherVersion reports an error if a key, unless it is nil, belongs to the other version of the
// format.
func (m *metadata) otherVersion(f *userfile.Field) {
	if f == nil {
		return
	}
	of, hint := V2, ""
	if slices.Contains(v1Keys(), f.Key) {
		of, hint = V1, "; a v2 component has one of "+code.Enumerate(ruleKeys(), "and")
	}
	if of != m.ref.Format {
		m.faultAt(f.Name, code.RefVersionOnly, "the key %q needs apiVersion %s, but this file is %s%s", f.Key, of, m.version, hint)
	}
}

// part reads an entry of parts: name, description, components.
func (m *metadata) part(n *kubeyaml.Node) {
	fields, ok := m.Mapping(n, "a part", []string{"name", "description", "components"})
	if !ok {
		return
	}
	p := &Part{}
	p.Name, p.Description = m.named(n, fields, nil)
	m.ref.Parts = append(m.ref.Parts, p)
	components := fields.Lookup("components")
	if components == nil || isEmptyList(components.Node) {
		m.warnAt(n, code.RefNoEffect, "part %q has no component, so it has no effect", p.Name)
		return
	}
	for _, c := range m.List(components.Node, "components") {
		m.component(c, p)
	}
}

// named reads the name and the description of a part, or of a component of a part. It warns of a
// name that is missing or not unique.
func (m *metadata) named(n *kubeyaml.Node, fields userfile.Mapping, of *Part) (name, description string) {
	what := "a part"
	if of != nil {
		what = "a component"
	}
	at := fields.Field("name")
	name, ok := m.Text(at, "the name of "+what)
	description, _ = m.Text(fields.Field("description"), "the description of "+what)
	key, duplicate := [2]string{name}, fmt.Sprintf("another part is also named %q", name)
	if of != nil {
		what += fmt.Sprintf(" of part %q", of.Name)
		key, duplicate = [2]string{of.Name, name}, fmt.Sprintf("part %q has two components named %q", of.Name, name)
	}
	switch {
	case ok && name == "":
		m.warnAt(n, code.RefNoName, "%s has no name; reports show it as \"\"", what)
	case ok && m.names[key]:
		m.warnAt(at, code.RefDuplicateName, "%s; reports cannot distinguish them", duplicate)
	case ok:
		m.names[key] = true
	}
	return name, description
}

// isEmptyList reports whether a node is null or a list without elements.
func isEmptyList(n *kubeyaml.Node) bool {
	return n.IsNull() || n.Kind == kubeyaml.List && len(n.Values) == 0
}

// functionFile reads an entry of templateFunctionFiles: the path of a file, or a glob (path.Match).
func (m *metadata) functionFile(n *kubeyaml.Node) {
	spelled, ok := m.Text(n, "an entry of templateFunctionFiles")
	if ok && strings.TrimSpace(spelled) == "" {
		m.faultAt(n, code.RefFunctionFile, "an entry of templateFunctionFiles is empty; it must be the path of a file")
		ok = false
	}
	if !ok {
		return
	}
	paths := m.load.glob(spelled)
	if len(paths) == 0 {
		paths = []string{spelled} // opening it reports the error
	}
	for _, p := range paths {
		name, data, ok := m.load.open(p, m.at(n), "the template function file", code.RefFunctionFile)
		file := m.load.shown(name)
		if ok && !slices.ContainsFunc(m.ref.Functions, func(f *FunctionFile) bool { return f.File == file }) {
			m.ref.Functions = append(m.ref.Functions, &FunctionFile{Path: p, File: file, Source: data})
		}
	}
}
