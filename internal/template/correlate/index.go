package correlate

import (
	"iter"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
)

// Field is one of the four fields of an identity, as a bit.
type Field uint8

// The fields.
const (
	APIVersion Field = 1 << iota
	Kind
	Namespace
	Name
)

// order returns the groups of fixed fields from the most specific to the least. A template belongs
// to the group of exactly its fixed fields; kind is always one of them.
func order() []Field {
	return []Field{
		APIVersion | Name | Namespace | Kind,
		APIVersion | Namespace | Kind,
		Name | Namespace | Kind,
		APIVersion | Name | Kind,
		Name | Kind,
		Namespace | Kind,
		APIVersion | Kind,
		Kind,
	}
}

// Rank returns the position of a group of fixed fields in order: 0 for the most specific one.
func (f Field) Rank() int { return max(slices.Index(order(), f), 0) }

// Names returns the fields' names in the order apiVersion, kind, namespace, name.
func (f Field) Names() []string {
	names := make([]string, 0, 4)
	for i, name := range fieldNames() {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// fieldNames returns the names of all fields, in the order of their bits.
func fieldNames() [4]string { return [4]string{"apiVersion", "kind", "namespace", "name"} }

// matchers returns a template's matcher for each field, in the order of their bits.
func matchers(id *template.Identity) [4]*template.Matcher {
	return [4]*template.Matcher{&id.APIVersion, &id.Kind, &id.Namespace, &id.Name}
}

// Fixed returns the identity fields that a template states.
func Fixed(id template.Identity) (f Field) {
	for i, m := range matchers(&id) {
		if m.Fixed() {
			f |= 1 << i
		}
	}
	return f
}

// Agree returns the identity fields that a template states and an object matches.
func Agree(id template.Identity, o manifest.ID) (f Field) {
	values := [4]string{o.APIVersion, o.Kind, o.Namespace, o.Name}
	for i, m := range matchers(&id) {
		if m.Fixed() && m.Matches(values[i]) {
			f |= 1 << i
		}
	}
	return f
}

// Index finds the candidates of objects. It is not modified after New.
type Index struct {
	templates []*render.Template
	byKind    map[string][]entry // templates with a literal kind
	byName    map[named][]entry  // those with a literal kind and name
	unnamed   map[string][]entry // those with a literal kind, but no literal name
	open      []entry            // templates whose kind is a pattern
}

// named is a kind with a name.
type named struct{ kind, name string }

type entry struct {
	template *render.Template
	at       int // position in the reference
	fixed    Field
	rank     int // the position in order(), and within it literal fields before patterns
}

// New returns the index of some templates in the order of the reference.
func New(templates []*render.Template) *Index {
	ix := &Index{templates: templates, byKind: map[string][]entry{}, byName: map[named][]entry{},
		unnamed: map[string][]entry{}}
	for i, t := range templates {
		e := entry{template: t, at: i, fixed: Fixed(t.Identity)}
		if e.rank = 2 * e.fixed.Rank(); hasPattern(t.Identity) {
			e.rank++
		}
		kind, exact := t.Identity.Kind.Exact()
		if !exact {
			ix.open = append(ix.open, e)
			continue
		}
		ix.byKind[kind] = append(ix.byKind[kind], e)
		if name, exact := t.Identity.Name.Exact(); exact {
			ix.byName[named{kind, name}] = append(ix.byName[named{kind, name}], e)
		} else {
			ix.unnamed[kind] = append(ix.unnamed[kind], e)
		}
	}
	return ix
}

// near returns lists of templates that may match an object: those with its kind and name, those of
// its kind without a literal name, and those whose kind is a pattern.
func (ix *Index) near(o manifest.ID) [3][]entry {
	return [3][]entry{ix.byName[named{o.Kind, o.Name}], ix.unnamed[o.Kind], ix.open}
}

// Templates returns the templates of the index.
func (ix *Index) Templates() []*render.Template { return ix.templates }

// Candidates are the templates that an object may match, and why.
type Candidates struct {
	Templates []*render.Template // in the order of the reference
	Fields    Field              // the identity fields that match
}

// Find returns the candidates of an object: of the templates whose fixed fields all match the
// object, those of the most specific group. Among these, templates with a literal field come before
// those with a pattern for it.
func (ix *Index) Find(o manifest.ID) Candidates {
	first, n := ix.first(o)
	if n <= 1 {
		return only(first)
	}
	all := make([]entry, 0, n)
	for e := range ix.agreeing(o) {
		if e.rank == first.rank {
			all = append(all, *e)
		}
	}
	return candidates(all)
}

// First returns only the first candidate of an object.
func (ix *Index) First(o manifest.ID) Candidates {
	e, _ := ix.first(o)
	return only(e)
}

// only returns candidates that consist of one entry; no candidates for nil.
func only(e *entry) Candidates {
	if e == nil {
		return Candidates{}
	}
	return Candidates{[]*render.Template{e.template}, e.fixed}
}

// first returns the first candidate of an object, or nil, and the number of candidates.
func (ix *Index) first(o manifest.ID) (first *entry, n int) {
	for e := range ix.agreeing(o) {
		switch {
		case first == nil || e.rank < first.rank:
			first, n = e, 1
		case e.rank == first.rank:
			n++
			if e.at < first.at {
				first = e
			}
		}
	}
	return first, n
}

// agreeing returns the templates whose fixed fields all match the object.
func (ix *Index) agreeing(o manifest.ID) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for _, list := range ix.near(o) {
			for i := range list {
				e := &list[i]
				if id := &e.template.Identity; id.Name.Matches(o.Name) && Agree(*id, o) == e.fixed && !yield(e) {
					return
				}
			}
		}
	}
}

// FindOpen returns the candidates of an object with placeholders in its name, namespace or
// apiVersion: all templates of its kind whose fixed fields can match once the placeholders are
// filled in, of any group.
func (ix *Index) FindOpen(o manifest.ID) Candidates {
	var all []entry
	fields := APIVersion | Kind | Namespace | Name
	for _, list := range [][]entry{ix.byKind[o.Kind], ix.open} {
		for _, e := range list {
			id := e.template.Identity
			if id.Kind.Matches(o.Kind) && id.APIVersion.MayMatch(o.APIVersion) && id.Namespace.MayMatch(o.Namespace) &&
				id.Name.MayMatch(o.Name) {
				all = append(all, e)
				fields &= Agree(id, o)
			}
		}
	}
	c := candidates(all)
	c.Fields = fields
	return c
}

// Nearest returns the nearest templates of an object without candidates: those of its kind and
// namespace, or else those of its kind, in the order of the reference. A field that a template does
// not state matches anything.
func (ix *Index) Nearest(o manifest.ID) []*render.Template {
	var sameNamespace, sameKind []*render.Template
	for _, e := range ix.byKind[o.Kind] {
		sameKind = append(sameKind, e.template)
		if e.template.Identity.Namespace.Matches(o.Namespace) {
			sameNamespace = append(sameNamespace, e.template)
		}
	}
	if len(sameNamespace) > 0 {
		return sameNamespace
	}
	return sameKind
}

// ComesNear reports whether objects of a kind have nearest templates.
func (ix *Index) ComesNear(kind string) bool { return len(ix.byKind[kind]) > 0 }

// HasKind reports whether objects of a kind can match a template.
func (ix *Index) HasKind(kind string) bool {
	return len(ix.byKind[kind]) > 0 ||
		slices.ContainsFunc(ix.open, func(e entry) bool { return e.template.Identity.Kind.Matches(kind) })
}

// HasKindOf reports whether a template can be for objects of the API group and kind of an object, in
// any version.
func (ix *Index) HasKindOf(o manifest.ID) bool {
	isOf := func(e entry) bool {
		version, exact := e.template.Identity.APIVersion.Exact()
		return e.template.Identity.Kind.Matches(o.Kind) &&
			(!exact || manifest.ID{APIVersion: version}.Group() == o.Group())
	}
	return slices.ContainsFunc(ix.byKind[o.Kind], isOf) || slices.ContainsFunc(ix.open, isOf)
}

// Misspelt returns the kind of a template that objects of a kind were probably meant for, because the
// two differ only in upper and lower case; "" if there is none, or if a template has the kind itself.
func (ix *Index) Misspelt(apiVersion, kind string) (meant string) {
	if ix.HasKind(kind) {
		return ""
	}
	for other, entries := range ix.byKind {
		isMeant := func(e entry) bool { return e.template.Identity.APIVersion.Matches(apiVersion) }
		if strings.EqualFold(other, kind) && slices.ContainsFunc(entries, isMeant) && (meant == "" || other < meant) {
			meant = other
		}
	}
	return meant
}

// hasPattern reports whether a template states a pattern for a field.
func hasPattern(id template.Identity) bool {
	for _, m := range matchers(&id) {
		if _, exact := m.Exact(); m.Fixed() && !exact {
			return true
		}
	}
	return false
}

// candidates sorts entries by the order of the reference.
func candidates(entries []entry) Candidates {
	slices.SortFunc(entries, func(a, b entry) int { return a.at - b.at })
	c := Candidates{Templates: slices.Grow([]*render.Template(nil), len(entries))}
	for _, e := range entries {
		c.Templates = append(c.Templates, e.template)
		c.Fields = e.fixed
	}
	return c
}
