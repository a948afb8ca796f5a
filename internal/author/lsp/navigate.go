package lsp

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// cursor is a place in a file of a reference, with the names of the reference.
type cursor struct {
	*project
	file   string
	text   *text
	offset int
	names  []name
	at     *name // the name around the cursor; nil for none
}

// cursor returns the place that a request is about; nil if the file belongs to no reference.
func (q *query) cursor(file string) *cursor {
	p := q.project(file)
	if p == nil {
		return nil
	}
	c := &cursor{project: p, file: file, text: p.text(file), names: p.names(file)}
	c.offset = c.text.offset(q.Position)
	for i, n := range c.names {
		if n.file == file && n.from <= c.offset && c.offset <= n.to {
			c.at = &c.names[i]
		}
	}
	return c
}

// same returns the places with the same name as the one at the cursor.
func (c *cursor) same() (all []name) {
	for _, n := range c.names {
		isSame := n.scope == c.at.scope || n.scope == "*" || c.at.scope == "*"
		if n.kind == c.at.kind && n.name == c.at.name && isSame {
			all = append(all, n)
		}
	}
	return all
}

// location returns the location of a name.
func (p *project) location(n name) location {
	return location{URI: p.uri(n.file), Range: p.text(n.file).span(n.from, n.to)}
}

// locations returns the locations of names, sorted and without duplicates.
func (p *project) locations(names []name) []location {
	slices.SortFunc(names, func(a, b name) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.from, b.from))
	})
	all := make([]location, len(names))
	for i, n := range names {
		all[i] = p.location(n)
	}
	return slices.Compact(all)
}

// definition returns where the name at the cursor is defined.
func (q *query) definition(file string) []location {
	c := q.cursor(file)
	switch {
	case c == nil:
		return []location{}
	case c.at == nil:
		return c.printed()
	case c.at.kind == fileName:
		all := []location{}
		for _, file := range c.named() {
			all = append(all, location{URI: c.uri(file)})
		}
		return all
	}
	return c.locations(slices.DeleteFunc(c.same(), func(n name) bool { return !n.defines }))
}

// printed returns where a template prints the field that an entry of perField at the cursor is for.
func (c *cursor) printed() []location {
	all := []location{}
	root := c.yaml(c.ref.Metadata)
	if c.file != c.ref.Metadata || root == nil {
		return all
	}
	engine, _ := render.Compile(c.ctx, c.ref)
	for _, t := range engine.Templates() {
		_, config := entryAt(root, t.Ref.Line).Field("config")
		for _, one := range elements(config, "perField") {
			_, field := one.Field("pathToKey")
			if field == nil || field.Kind != kubeyaml.Scalar {
				continue
			}
			from, to := c.extent(c.file, field)
			path, err := refconfig.ParseFieldPath(field.Text)
			if err != nil || c.offset < from || c.offset > to {
				continue
			}
			for _, part := range partsAt(c.ctx, t, path) {
				in := c.project.text(part.Place.File)
				from, to := in.underline(part.Place.Line, part.Place.Column, "")
				all = append(all, location{URI: c.uri(part.Place.File), Range: in.span(from, to)})
			}
		}
	}
	return all
}

// named returns the files that the path or glob at the cursor names.
func (c *cursor) named() (all []string) {
	if info, err := fs.Stat(c.files, c.at.name); err == nil && !info.IsDir() {
		return []string{below(c.folder) + c.at.name}
	}
	for _, f := range c.ref.Functions {
		if ok, _ := path.Match(c.at.name, path.Clean(f.Path)); ok {
			all = append(all, f.File)
		}
	}
	return all
}

// references returns where the name at the cursor is used. In a template outside of names, these are
// the places in the metadata that name the file.
func (q *query) references(file string) []location {
	c := q.cursor(file)
	if c == nil {
		return []location{}
	}
	if c.at == nil {
		if file == c.ref.Metadata {
			return []location{}
		}
		c.at = &name{mention: mention{kind: fileName, name: strings.TrimPrefix(file, below(c.folder))}}
	}
	isLeftOut := func(n name) bool { return n.defines && !q.Context.IncludeDeclaration }
	return c.locations(slices.DeleteFunc(c.same(), isLeftOut))
}

// renamed returns the name at the cursor if it can be changed.
func (q *query) renamed(file string) *cursor {
	c := q.cursor(file)
	if c == nil || c.at == nil || !slices.Contains([]nameKind{templateName, listName, codeName}, c.at.kind) ||
		c.at.kind == listName && c.at.name == refconfig.BuiltInOmitList {
		return nil
	}
	return c
}

// prepareRename returns the range of the name that can be changed, nil for none.
func (q *query) prepareRename(file string) *textRange {
	c := q.renamed(file)
	if c == nil {
		return nil
	}
	at := c.text.span(c.at.from, c.at.to)
	return &at
}

// rename changes a name wherever it is written.
func (q *query) rename(file string) (any, *jsonrpc2.Error) {
	failed := func(why string) (any, *jsonrpc2.Error) {
		return nil, &jsonrpc2.Error{Code: codeRequestFailed, Message: why}
	}
	c := q.renamed(file)
	if c == nil {
		return failed("only the names of templates, codes and lists of fields to omit can be changed")
	}
	switch isCode := c.at.kind == codeName; {
	case c.yaml(c.ref.Metadata) == nil:
		return failed("the metadata cannot be read, so it is not known where the name is used")
	case isCode && code.CheckOwn(q.NewName) != nil:
		return failed(code.CheckOwn(q.NewName).Error())
	case !isCode && !regexp.MustCompile(`^[A-Za-z_][\w./-]*$`).MatchString(q.NewName):
		return failed("a name has letters, digits and . / - _, and begins with a letter")
	case c.at.kind == listName && q.NewName == refconfig.BuiltInOmitList:
		return failed(q.NewName + " is built in")
	}
	all, edits := c.same(), map[string][]textEdit{}
	if slices.ContainsFunc(all, func(n name) bool { return n.scope == "*" }) { // it is that of every template
		c.at.scope = "*"
		all = c.same()
	}
	for _, n := range c.names {
		if n.kind == c.at.kind && n.name == q.NewName && q.NewName != c.at.name {
			return failed("another one is named " + q.NewName)
		}
	}
	for _, l := range c.locations(all) {
		edits[l.URI] = append(edits[l.URI], textEdit{l.Range, q.NewName})
	}
	return workspaceEdit{Changes: edits}, nil
}

// links returns the files that the metadata names.
func (q *query) links(file string) []documentLink {
	all := []documentLink{}
	c := q.cursor(file)
	if c == nil || file != c.ref.Metadata {
		return all
	}
	for i, n := range c.names {
		if c.at = &c.names[i]; n.kind == fileName {
			for _, target := range c.named() {
				all = append(all, documentLink{Range: c.text.span(n.from, n.to), Target: c.uri(target)})
			}
		}
	}
	return all
}

// symbols returns the outline of a file.
func (q *query) symbols(file string) []symbol {
	p := q.project(file)
	if p == nil {
		return []symbol{}
	}
	return p.outline(file)
}

func (p *project) outline(file string) []symbol {
	all := []symbol{}
	t := p.text(file)
	if root := p.yaml(file); root != nil && file == p.ref.Metadata {
		for _, part := range elements(root, "parts") {
			one := p.symbol(file, namespaceSymbol, part, "name")
			for _, component := range elements(part, "components") {
				inner := p.symbol(file, moduleSymbol, component, "name")
				for _, entry := range entries(component) {
					if s := p.symbol(file, fileSymbol, entry, "path"); s.Name != "" {
						inner.Children = append(inner.Children, s)
					}
				}
				one.Children = append(one.Children, inner)
			}
			all = append(all, one)
		}
		for _, n := range p.ofMetadata(root) {
			if n.kind == listName && n.defines {
				all = append(all, symbol{Name: n.name, Kind: arraySymbol,
					Range: t.span(n.start, n.whole), SelectionRange: t.span(n.from, n.to)})
			}
		}
	}
	if m := regexp.MustCompile(`(?m)^kind:[ \t]*["']?(\w+)`).FindStringSubmatchIndex(t.string); m != nil &&
		file != p.ref.Metadata {
		all = append(all, symbol{Name: t.string[m[2]:m[3]], Kind: classSymbol,
			Range: t.span(m[0], m[1]), SelectionRange: t.span(m[2], m[3])})
	}
	for _, n := range p.names(file) {
		kind := functionSymbol
		if n.kind == codeName {
			kind = eventSymbol
		}
		if n.file == file && n.defines && (n.kind == templateName || n.kind == codeName) {
			all = append(all, symbol{Name: n.name, Kind: kind,
				Range: t.span(n.start, n.whole), SelectionRange: t.span(n.from, n.to)})
		}
	}
	return all
}

// symbol returns the symbol of a mapping, whose name is the value of a key.
func (p *project) symbol(file string, kind symbolKind, n *kubeyaml.Node, key string) symbol {
	t := p.text(file)
	s := symbol{Kind: kind, Range: t.span(n.Offset, p.end(file, n))}
	s.SelectionRange = textRange{s.Range.Start, s.Range.Start}
	if _, at := n.Field(key); at != nil && at.Kind == kubeyaml.Scalar {
		s.Name = at.Text
		from, to := p.extent(file, at)
		s.SelectionRange = t.span(from, to)
	}
	_, about := n.Field("description")
	if about != nil && about.Kind == kubeyaml.Scalar {
		s.Detail, _, _ = strings.Cut(strings.TrimSpace(about.Text), "\n")
	}
	if s.Name == "" && key == "name" {
		s.Name = "?" // editors reject a symbol without a name
	}
	return s
}

// Limits of searches in folders.
const (
	mostFiles   = 10_000
	mostSymbols = 1000
)

// workspaceSymbols returns the names of all references that contain the letters of a query in their
// order.
func (q *query) workspaceSymbols() []workspaceSymbol {
	all := []workspaceSymbol{}
	for _, folder := range q.known() {
		p := q.load(q.ctx, q.open, folder)
		for _, file := range p.ref.Files {
			var add func(symbols []symbol, in string)
			add = func(symbols []symbol, in string) {
				for _, s := range symbols {
					if isLike(s.Name, q.Query) && len(all) < mostSymbols {
						all = append(all, workspaceSymbol{
							Name: s.Name, Kind: s.Kind, ContainerName: in,
							Location: location{URI: p.uri(file), Range: s.SelectionRange},
						})
					}
					add(s.Children, s.Name)
				}
			}
			add(p.outline(file), strings.TrimPrefix(file, below(path.Dir(folder))))
		}
	}
	return all
}

// isLike reports whether a name contains the letters of a query in their order, in any case.
func isLike(name, query string) bool {
	rest := []rune(strings.ToLower(query))
	for _, r := range strings.ToLower(name) {
		if len(rest) > 0 && r == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// known returns the folders of the references with an open document and of those in the folders
// of the workspace, sorted.
func (q *query) known() (all []string) {
	for file := range q.open {
		all = append(all, q.folders(q.open, file)...)
	}
	q.mu.Lock()
	roots := make([]string, 0, len(q.roots))
	for root := range q.roots {
		roots = append(roots, root)
	}
	q.mu.Unlock()
	for _, root := range roots {
		seen := 0
		if root == "" {
			continue
		}
		_ = fs.WalkDir(q.files(q.open, root), ".", func(name string, d fs.DirEntry, err error) error {
			seen++
			switch {
			case seen > mostFiles || q.ctx.Err() != nil:
				return fs.SkipAll
			case d == nil:
				return fs.SkipAll
			case err != nil, d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case !d.IsDir() && refconfig.IsMetadataName(d.Name()):
				all = append(all, path.Join(root, path.Dir(name)))
			}
			return nil
		})
	}
	slices.Sort(all)
	return slices.Compact(all)
}
