package refconfig

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
)

// annotated is the reading of a reference in the annotations format.
type annotated struct {
	*loader
	omit     []OmitEntry        // what all its templates leave out
	optional map[*Template]bool // not required
}

// loadAnnotated reads a folder without metadata file: a reference in the annotations format. Every YAML file below it is a
// template, in the order of their paths. What begins with a dot is not looked at: such files and folders belong to other
// tools, like git.
func (l *loader) loadAnnotated(shown string) {
	l.ref.Format = Annotations
	names := l.yamlFiles()
	if len(names) == 0 {
		if len(l.faults) == 0 {
			l.fault(code.RefEmpty, place{file: shown}, "the folder has neither a metadata.yaml nor any YAML file below it")
		}
		return
	}
	var metadata []string
	for _, name := range names {
		data, err := l.read(name)
		if err != nil {
			l.unreadable(place{file: l.shown(name)}, err)
			continue
		}
		if likeMetadata(string(data)) {
			metadata = append(metadata, l.shown(name))
		}
	}
	if len(metadata) > 0 {
		l.severalReferences(shown, metadata)
		return
	}
	a := annotated{loader: l, omit: builtInOmit(), optional: map[*Template]bool{}}
	for _, name := range names {
		if data, ok := l.files[name]; ok {
			a.template(name, data)
		}
	}
	a.rules()
}

// yamlFiles returns the YAML files below the folder, sorted by path.
func (l *loader) yamlFiles() []string {
	var names []string
	visit := func(full string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(strings.TrimPrefix(full, l.root), "/")
		if l.root == "." {
			name = full
		}
		hidden := full != l.root && strings.HasPrefix(path.Base(full), ".")
		switch {
		case err != nil:
			l.fault(code.RefUnreadable, place{file: l.shown(name)}, "%s", reason(err))
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden || d.IsDir():
		case d.Type()&fs.ModeSymlink != 0 && l.isFolder(full):
			l.warn(code.LinkSkipped, place{file: l.shown(name)}, "a symbolic link to a folder is not followed; templates in it are not part of the reference")
		case isYAML(name):
			names = append(names, name)
		}
		return nil
	}
	// Every error is noted by visit, which returns none.
	_ = fs.WalkDir(l.fsys, l.root, visit)
	slices.Sort(names)
	return names
}

func (l *loader) isFolder(full string) bool {
	info, err := fs.Stat(l.fsys, full)
	return err == nil && info.IsDir()
}

func isYAML(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml":
		return true
	}
	return false
}

// likeMetadata reports whether a file is no template but the metadata of a reference: it has parts and no kind.
func likeMetadata(text string) bool {
	parts := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "kind:") {
			return false
		}
		parts = parts || strings.HasPrefix(line, "parts:")
	}
	return parts
}

// severalReferences reports a folder that has metadata files under other names or further below: each of them is a
// reference, and their folder is none.
func (l *loader) severalReferences(shown string, metadata []string) {
	const most = 3
	named := strings.Join(metadata[:min(len(metadata), most)], ", ")
	if len(metadata) > most {
		named += ", …"
	}
	l.fault(code.RefNotFound, place{file: shown}, "the folder has no metadata.yaml, but below it there is the metadata of a reference; name that: %s", named)
}

// template adds a template with the attributes that its annotation gives it.
func (a annotated) template(name string, source []byte) {
	file, text := a.shown(name), string(source)
	if line := secondDocument(text); line > 0 {
		a.fault(code.RefTemplateYAML, place{file, line, 1}, "a second YAML document begins here; a template file holds one CR")
	}
	as := a.attributes(file, text)
	c := a.component(as)
	t := &Template{Path: name, File: file, Source: source, Part: c.Part, Component: c, Config: Config{Omit: a.omit}}
	a.ref.Templates = append(a.ref.Templates, t)
	a.optional[t] = !as.required
}

// component returns the component that a CR says it belongs to; "" is a name like any other.
func (a annotated) component(as attributes) *Component {
	i := slices.IndexFunc(a.ref.Parts, func(p *Part) bool { return p.Name == as.partOf })
	if i < 0 {
		i = len(a.ref.Parts)
		a.ref.Parts = append(a.ref.Parts, &Part{Name: as.partOf})
	}
	p := a.ref.Parts[i]
	j := slices.IndexFunc(p.Components, func(c *Component) bool { return c.Name == as.component })
	if j < 0 {
		j = len(p.Components)
		p.Components = append(p.Components, &Component{Name: as.component, Part: p})
	}
	return p.Components[j]
}

// rules makes the rules of the components: a named one is optional as a whole, but if one of its required CRs is there,
// all must be. CRs without component are required, or not, one by one.
func (a annotated) rules() {
	required, optional := map[*Component][]*Template{}, map[*Component][]*Template{}
	for _, t := range a.ref.Templates {
		c := t.Component
		switch {
		case c.Name == "" && a.optional[t]:
			c.addRule(AnyOf, []*Template{t})
		case c.Name == "":
			c.addRule(AllOf, []*Template{t})
		case a.optional[t]:
			optional[c] = append(optional[c], t)
		default:
			required[c] = append(required[c], t)
		}
	}
	for _, p := range a.ref.Parts {
		for _, c := range p.Components {
			c.addRule(AllOrNoneOf, required[c])
			c.addRule(AnyOf, optional[c])
		}
	}
}

// secondDocument returns the line of the --- before the second document of a file that has any content, 0 if there is
// none. Templates are often no YAML before they are executed, so this goes by the text: comments and lines that consist
// of template actions are no content, and in a block of text --- is indented.
func secondDocument(text string) int {
	content, separator, number := false, 0, 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "---" || strings.HasPrefix(line, "--- "):
			if content {
				separator = number
			}
		case isBare(line):
		case separator > 0:
			return separator
		default:
			content = true
		}
	}
	return 0
}

// isBare reports whether a line of a template holds nothing of the CR: it is blank, a comment, or an action.
func isBare(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || line == "..." || strings.HasPrefix(line, "{{") && strings.HasSuffix(line, "}}")
}
