package compare

import (
	"slices"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Wanted decides which objects of an input a run needs, so that the others can be dropped when they
// are read: most of a support archive has nothing to do with the reference. It is safe for
// concurrent use.
type Wanted struct {
	templates *templates
	// Files reports whether templates ask for the names of the input's files.
	Files bool
	kinds map[string]bool // the kinds of templates; owners and subjects of other kinds do not matter
	// the kinds of templates by their groups, "*" for kinds of any group; nil if the run does not
	// validate
	defined   map[string][]string
	validates bool
	given     *crdschema.Set // the schemas that the user gave
}

// Wants returns a Wanted for runs with the same reference, templates and options.
func Wants(ref *refconfig.Reference, engine *render.Engine, opt Options) *Wanted {
	w := &Wanted{
		templates: newTemplates(ref, engine, opt), kinds: map[string]bool{}, validates: opt.Validate,
	}
	for _, t := range engine.Templates() {
		w.Files = w.Files || t.MayCall("inputFiles")
		kind, exact := t.Identity.Kind.Exact()
		if !exact {
			continue
		}
		if w.kinds[kind] = true; !opt.Validate {
			continue
		}
		group := "*"
		if version, exact := t.Identity.APIVersion.Exact(); exact {
			group = manifest.ID{APIVersion: version}.Group()
		}
		if w.defined == nil {
			w.defined = map[string][]string{}
		}
		w.defined[group] = append(w.defined[group], kind)
	}
	return w
}

// Defines reports whether the run validates and an object is the definition of a kind that a
// template is for. If the plural of the kind is irregular, it searches the text of the definition
// for the kind.
func (w *Wanted) Defines(o *manifest.Object) bool {
	plural, group, ok := defined(o)
	if !ok {
		return false
	}
	fits := func(kind string) bool {
		return (collector.PathID{Plural: plural}).OfKind(kind) ||
			o.Has("kind: "+kind+"\n") || o.Has(`"kind":"`+kind+`"`) || o.Has(`"kind": "`+kind+`"`)
	}
	return slices.ContainsFunc(w.defined[group], fits) || slices.ContainsFunc(w.defined["*"], fits)
}

// Trim drops the parts of an object that the run does not need. Its identity remains.
func (w *Wanted) Trim(o *manifest.Object) {
	if !w.templates.looksAt(o.ID) && !w.Defines(o) && !(w.validates && w.mayHaveSchema(o)) {
		o.Drop()
	}
	o.Owners = slices.DeleteFunc(o.Owners, func(owner manifest.Owner) bool { return !w.kinds[owner.Kind] })
	if len(o.Owners) == 0 {
		o.Owners = nil
	}
	if !w.kinds["ServiceAccount"] {
		o.Subjects = nil
	}
}

// looksAt reports whether a run reads the content of objects of an identity.
func (s *templates) looksAt(id manifest.ID) bool {
	if s.keeps(id) {
		return true
	}
	first, _ := s.first(id, nil)
	return first != nil || s.orNearest && s.index.ComesNear(id.Kind)
}

// keeps reports whether a run may need the content of an object after its comparison.
func (s *templates) keeps(id manifest.ID) bool {
	switch id.Kind {
	case "ClusterVersion", "Infrastructure":
		return id.APIVersion == configVersion
	}
	return s.lookups.Matches(id.APIVersion, id.Kind)
}

// lookups returns the lookups that the templates, and the overrides that are templates, may make.
func lookups(engine *render.Engine, overrides []refconfig.Override) template.Lookups {
	var texts []string
	for _, o := range overrides {
		if o.Type == refconfig.GoTemplate {
			texts = append(texts, o.Patch)
		}
	}
	return engine.Lookups(texts...)
}
