package lsp

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// project is a reference as the editor has it: its files, with the open documents in them.
type project struct {
	*server
	ctx    context.Context
	open   documents
	folder string
	files  overlay
	ref    *refconfig.Reference
	faults []refconfig.Problem
	texts  map[string]*text
}

// load loads the reference in a folder.
func (s *server) load(ctx context.Context, open documents, folder string) *project {
	p := &project{server: s, ctx: ctx, open: open, folder: folder, texts: map[string]*text{}}
	p.files = s.files(open, folder)
	p.ref, p.faults = s.opt.Load(ctx, p.files, folder)
	return p
}

// project returns the reference that a file belongs to: that of the nearest folder above it that names
// the file, or else that of the nearest; nil for none.
func (q *query) project(file string) (nearest *project) {
	for _, folder := range q.folders(q.open, file) {
		p := q.load(q.ctx, q.open, folder)
		if slices.Contains(p.ref.Files, file) {
			return p
		}
		if nearest == nil {
			nearest = p
		}
	}
	return nearest
}

// text returns the text of a file; an empty one if it cannot be read.
func (p *project) text(file string) *text {
	if t := p.texts[file]; t != nil {
		return t
	}
	t := p.server.text(p.open, file)
	p.texts[file] = t
	return t
}

// text returns the text of a file; an empty one if it cannot be read.
func (s *server) text(open documents, file string) *text {
	d, isOpen := open[file]
	if !isOpen {
		files := s.opt.Open(path.Dir(file))
		if info, err := fs.Stat(files, path.Base(file)); err == nil && info.Size() <= refconfig.DefaultFileLimit {
			data, _ := fs.ReadFile(files, path.Base(file))
			d.text = strings.TrimPrefix(string(kubeyaml.DecodeText(data)), kubeyaml.BOM)
		}
	}
	return newText(d.text, s.encoding)
}

// yaml returns the first document of a file; nil if it is no YAML.
func (p *project) yaml(file string) *kubeyaml.Node {
	nodes, fault := kubeyaml.DefaultLimits().ParseAt([]byte(p.text(file).string), 0)
	if fault != nil || len(nodes) == 0 {
		return nil
	}
	return nodes[0]
}

// uri returns the URI of a file as the editor writes it.
func (p *project) uri(file string) string { return cmp.Or(p.open[file].uri, uriOf(file)) }

// nameKind is what a name names.
type nameKind int

const (
	noName        nameKind = iota
	templateName           // a named template
	codeName               // a code of the reference
	fileName               // the path of a file, or a glob
	listName               // a list of fields to omit
	partName               // a part
	componentName          // a component
)

// name is a place in a file that names something.
type name struct {
	mention
	file string
	// where else the name means the same: "" in all files, * in any file, or only in this file
	scope string
}

// names returns the names in all files of the reference, and in one more.
func (p *project) names(more string) (all []name) {
	if root := p.yaml(p.ref.Metadata); root != nil && p.ref.Metadata != "" {
		all = p.ofMetadata(root)
	}
	codesFile := below(p.folder) + refconfig.CodesFile
	if slices.Contains(p.ref.Files, codesFile) {
		_, codes := p.yaml(codesFile).Field("codes")
		if codes != nil {
			for i, key := range codes.Keys {
				all = append(all, p.name(codeName, codesFile, key, codes.Values[i]))
			}
		}
	}
	isShared := map[string]bool{} // whether a file of functions defines a template
	files := slices.Clone(p.ref.Files)
	if !slices.Contains(files, more) {
		files = append(files, more)
	}
	first := len(all)
	for _, file := range files {
		if file == p.ref.Metadata || file == codesFile {
			continue
		}
		for _, m := range mentions(p.text(file).string) {
			all = append(all, name{mention: m, file: file})
			if m.kind == templateName && m.defines && p.isOfFunctions(file) {
				isShared[m.name] = true
			}
		}
	}
	for i := first; i < len(all); i++ {
		n := &all[i]
		switch ofFunctions := p.isOfFunctions(n.file); {
		case n.kind != templateName:
		case !isShared[n.name] && ofFunctions:
			n.scope = "*" // each template may define it
		case !isShared[n.name], n.defines && !ofFunctions:
			n.scope = n.file
		}
	}
	return all
}

// isOfFunctions reports whether all templates share a file.
func (p *project) isOfFunctions(file string) bool {
	return slices.ContainsFunc(p.ref.Functions, func(f *refconfig.FunctionFile) bool { return f.File == file })
}

// name returns the name at a node. It is a definition if the node with its content is given.
func (p *project) name(kind nameKind, file string, at, whole *kubeyaml.Node) name {
	from, to := p.extent(file, at)
	n := name{mention: mention{kind: kind, name: at.Text, from: from, to: to, start: from, whole: to}, file: file}
	if whole != nil {
		n.defines, n.whole = true, max(to, p.end(file, whole))
	}
	return n
}

// extent returns the offsets of a scalar, without quotes.
func (p *project) extent(file string, n *kubeyaml.Node) (from, to int) {
	t := p.text(file)
	from, to = n.Offset, n.EndIn(t.string)
	if _, end := t.lineOf(from); to > end {
		to = end
	}
	if n.Style == kubeyaml.SingleQuoted || n.Style == kubeyaml.DoubleQuoted {
		from, to = from+1, to-1
	}
	return from, max(from, to)
}

// end returns the offset after a node.
func (p *project) end(file string, n *kubeyaml.Node) (to int) {
	if n.Kind == kubeyaml.Scalar {
		_, to = p.extent(file, n)
	}
	for _, child := range slices.Concat(n.Keys, n.Values) {
		to = max(to, p.end(file, child))
	}
	return to
}

// ofMetadata returns the names in the metadata.
func (p *project) ofMetadata(root *kubeyaml.Node) (all []name) {
	add := func(kind nameKind, at, whole *kubeyaml.Node) {
		if at != nil && at.Kind == kubeyaml.Scalar && at.Text != "" {
			n := p.name(kind, p.ref.Metadata, at, whole)
			if kind == fileName {
				n.name = path.Clean(n.name)
			}
			all = append(all, n)
		}
	}
	_, omit := root.Field("fieldsToOmit")
	_, standard := omit.Field("defaultOmitRef")
	add(listName, standard, nil)
	if _, items := omit.Field("items"); items != nil && items.Kind == kubeyaml.Map {
		for i, key := range items.Keys {
			add(listName, key, items.Values[i])
			for _, entry := range items.Values[i].Values {
				_, include := entry.Field("include")
				add(listName, include, nil)
			}
		}
	}
	for _, file := range elements(root, "templateFunctionFiles") {
		add(fileName, file, nil)
	}
	for _, part := range elements(root, "parts") {
		_, at := part.Field("name")
		add(partName, at, part)
		for _, component := range elements(part, "components") {
			_, at := component.Field("name")
			add(componentName, at, component)
			for _, entry := range entries(component) {
				_, at := entry.Field("path")
				add(fileName, at, nil)
				_, config := entry.Field("config")
				for _, list := range elements(config, "fieldsToOmitRefs") {
					add(listName, list, nil)
				}
			}
		}
	}
	return all
}

// elements returns the elements of a list that is the value of a key.
func elements(n *kubeyaml.Node, key string) []*kubeyaml.Node {
	if _, list := n.Field(key); list != nil && list.Kind == kubeyaml.List {
		return list.Values
	}
	return nil
}

// entries returns the entries of templates in a component, whatever its rule is.
func entries(component *kubeyaml.Node) (all []*kubeyaml.Node) {
	if component.Kind != kubeyaml.Map {
		return nil
	}
	for _, list := range component.Values {
		if list.Kind == kubeyaml.List {
			all = append(all, list.Values...)
		}
	}
	return all
}
