package refconfig

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
)

// crFile is a file of a folder without metadata that may hold CRs.
type crFile struct {
	name string // relative to the reference's folder
	data []byte
}

// loadAnnotated loads a folder without a metadata file: a reference in the annotations format, or
// of plain CRs, which are templates without annotations.
//
// If exactly one folder below it has metadata, it loads that reference instead.
func (l *loader) loadAnnotated(shown string) {
	l.ref.Format = Annotations
	var files []crFile
	var metadata []string
	for _, name := range l.filesBelow() {
		if isHidden(name) {
			l.passOverHidden(name)
			continue
		}
		f, ok := l.candidate(name)
		if !ok || name == CodesFile && !looksLikeCR(f.data) {
			continue
		}
		files = append(files, f)
		if isMetadata(f.data) {
			metadata = append(metadata, name)
		}
	}
	if len(metadata) > 0 {
		l.metadataBelow(shown, metadata)
		return
	}
	l.loadFiles(shown, files)
	l.loadCodes()
}

// loadFiles builds a reference from the CRs in some files.
func (l *loader) loadFiles(shown string, files []crFile) {
	l.ref.Format = Annotations
	omit, known := BuiltInOmit(), plainCRs{}
	for _, f := range files {
		if l.ended() {
			break
		}
		for _, one := range l.crs(f) {
			l.files[f.name] = f.data
			file := l.shown(f.name)
			as := l.attributes(file, one)
			c := l.component(as)
			t := &Template{Path: one.path(f.name), File: file, Source: one.text, LinesBefore: one.before,
				Plain: !as.given, Part: c.Part, Component: c, Config: Config{Omit: omit}}
			if t.Plain {
				if of := known.add(t); of != nil {
					l.warn(code.RefOverlap, Place{File: t.File, Line: t.LinesBefore + 1}, "ignored: the same CR as in %s", of.File)
					continue
				}
			}
			l.ref.Templates = append(l.ref.Templates, t)
			c.addAnnotated(t, as.required)
		}
	}
	if len(l.ref.Templates) == 0 && len(l.faults) == 0 {
		l.fault(code.RefEmpty, Place{File: shown}, "the folder has neither a metadata.yaml nor a CR")
	}
	for _, c := range l.ref.Components() {
		c.Rules = slices.DeleteFunc(c.Rules, func(r Rule) bool { return len(r.Templates) == 0 })
	}
}

// component returns the component that a CR names; "" is a name like any other.
func (l *loader) component(as attributes) *Component {
	i := slices.IndexFunc(l.ref.Parts, func(p *Part) bool { return p.Name == as.partOf })
	if i < 0 {
		i = len(l.ref.Parts)
		l.ref.Parts = append(l.ref.Parts, &Part{Name: as.partOf})
	}
	p := l.ref.Parts[i]
	if j := slices.IndexFunc(p.Components, func(c *Component) bool { return c.Name == as.component }); j >= 0 {
		return p.Components[j]
	}
	c := &Component{Name: as.component, Part: p}
	if c.Name != "" { // it is optional as a whole, but if one of its required CRs exists, all must
		c.Rules = []Rule{{Kind: AllOrNoneOf}, {Kind: AnyOf}}
	}
	p.Components = append(p.Components, c)
	return c
}

// addAnnotated adds a template to the rules of its component. Each template of a component without
// a name has a rule of its own.
func (c *Component) addAnnotated(t *Template, required bool) {
	kind, at := AnyOf, 1
	if required {
		kind, at = AllOf, 0
	}
	if c.Name == "" {
		at = len(c.Rules)
		c.Rules = append(c.Rules, Rule{Kind: kind})
	}
	c.Rules[at].Templates = append(c.Rules[at].Templates, t)
}

// filesBelow returns the files below the folder, sorted by path, except those of Git.
func (l *loader) filesBelow() []string {
	var names []string
	visit := func(full string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(strings.TrimPrefix(full, l.root), "/")
		if l.root == "." {
			name = full
		}
		isGit := full != l.root && path.Base(full) == ".git"
		switch {
		case slices.Contains(l.without, name):
			l.warn(code.ReferenceInInput, Place{File: l.shown(name)}, "this is an INPUT, and no part of the reference around it")
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case err != nil && isHidden(name):
			l.passOver(name, 0, "it cannot be read, and its name, or that of a folder above it, begins with a dot")
		case err != nil:
			l.unreadable(Place{File: l.shown(name)}, "this", err)
		case d.IsDir() && (isGit || l.isFixture(full)):
			return fs.SkipDir
		case isGit || d.IsDir():
		case d.Type()&fs.ModeSymlink != 0 && l.isFolder(full):
			l.linkedFolder(name)
		default:
			names = append(names, name)
		}
		return nil
	}
	// visit records every error and returns none.
	_ = fs.WalkDir(l.FS, l.root, visit)
	slices.Sort(names)
	return names
}

// linkedFolder reports a link to a folder. What is in the reference is read by its own name.
func (l *loader) linkedFolder(name string) {
	if l.linkLeaves(name) && !isHidden(name) {
		l.notRead(name, 0, "this link leads to a folder outside of the reference, whose CRs were not read; copy the folder")
		return
	}
	l.warn(code.LinkSkipped, Place{File: l.shown(name)},
		"symbolic links to folders are not followed; templates in this one are not part of the reference")
}

// isFixture reports whether a folder is a fixture, and so not part of the reference.
func (l *loader) isFixture(full string) bool {
	if path.Base(path.Dir(full)) != FixturesFolder || full == l.root {
		return false
	}
	info, err := fs.Stat(l.FS, path.Join(full, ExpectationFile))
	return err == nil && info.Mode().IsRegular()
}

func (l *loader) isFolder(full string) bool {
	info, err := fs.Stat(l.FS, full)
	return err == nil && info.IsDir()
}

// metadataBelow loads the only reference whose metadata is below the folder. It reports a folder
// with several: each is a reference, so the folder is not.
func (l *loader) metadataBelow(shown string, metadata []string) {
	named := map[string]bool{} // folders with a metadata.yaml: each is a reference
	for _, name := range metadata {
		if IsMetadataName(name) {
			named[path.Dir(name)] = true
		}
	}
	isOther := func(name string) bool { return named[path.Dir(name)] && !IsMetadataName(name) }
	metadata = slices.DeleteFunc(metadata, isOther)
	if len(metadata) > 1 || !IsMetadataName(metadata[0]) {
		below := among(metadata, l.shown)
		if len(below) > 1 {
			l.ref.Below = below
		}
		l.fault(code.RefNotFound, Place{File: shown},
			"the folder has no metadata.yaml, but a folder below it has one; name that: %s", firstOf(3, below))
		return
	}
	l.warnings = nil // they may be about files that this reference does not name
	l.ref.Path = l.shown(metadata[0])
	l.root, l.prefix = path.Join(l.root, path.Dir(metadata[0])), strings.TrimSuffix(l.ref.Path, path.Base(metadata[0]))
	l.loadMetadata(path.Base(metadata[0]))
}

// IsMetadataName reports whether a path, with slashes, is that of a metadata file which is found by its
// name.
func IsMetadataName(name string) bool {
	return path.Base(name) == "metadata.yaml" || path.Base(name) == "metadata.yml"
}
