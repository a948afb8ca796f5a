package compare

import (
	"path"
	"slices"
	"sync"

	"github.com/validationtool/validationtool/internal/correlate"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// templates holds the analysed templates and their candidates, and everything about them that is
// the same for all clusters. It is not modified.
type templates struct {
	index  *correlate.Index            // finds the analysed templates for an object
	byPath map[string]*render.Template // the first analysed template of each clean path, see byRef
	// for each such template, the entries of its path that compare in different ways, itself first
	entries      map[*render.Template][]*render.Template
	pairs        map[string]*refconfig.Template // templates that the user paired with objects, by object key
	placeholders bool                           // identities may have placeholders
	orNearest    bool                           // an object without a match is compared with the nearest template
	lookups      template.Lookups
	builtIn      []refconfig.OmitEntry // the fields that are never compared
	runtime      []refconfig.OmitEntry // the fields that the cluster writes
	warnings     func() []warning      // returns warnings about the reference
}

func newTemplates(ref *refconfig.Reference, engine *render.Engine, opt Options) *templates {
	s := &templates{
		byPath:       map[string]*render.Template{},
		entries:      map[*render.Template][]*render.Template{},
		builtIn:      []refconfig.OmitEntry{{Path: refconfig.PathOf("metadata", "managedFields")}},
		pairs:        opt.Manual,
		orNearest:    opt.Nearest,
		runtime:      tree.RuntimeFields(),
		placeholders: opt.Placeholders,
		lookups:      lookups(engine, opt.Overrides),
	}
	var kept, all []*render.Template // kept has the first template of each path
	if ref.Format == refconfig.Annotations {
		s.builtIn = append(s.builtIn, refconfig.OmitEntry{
			Path: refconfig.PathOf("metadata", "annotations", "reference-config.openshift.io/attributes"),
		})
	}
	listed := map[string]bool{} // the reference may be a part of that of the engine, see Reference.Only
	for _, t := range ref.Templates {
		listed[path.Clean(t.Path)] = true
	}
	for _, t := range engine.Templates() {
		name := path.Clean(t.Ref.Path)
		alike := func(other *render.Template) bool { return other.Ref.Config.Same(t.Ref.Config) }
		if !listed[name] || opt.Keep != nil && !opt.Keep(t.Ref.Component) ||
			slices.ContainsFunc(s.entries[s.byPath[name]], alike) {
			continue
		}
		if s.byPath[name] == nil {
			kept = append(kept, t)
			s.byPath[name] = t
		}
		s.entries[s.byPath[name]] = append(s.entries[s.byPath[name]], t)
		all = append(all, t)
	}
	s.index = correlate.New(kept)
	s.warnings = sync.OnceValue(func() (warnings []warning) {
		for _, p := range slices.Concat(ref.Warnings, engine.Warnings(), correlate.Overlaps(kept)) {
			warnings = append(warnings, warningOf(p))
		}
		for _, t := range all {
			warnings = append(warnings, malformed(t.Ref, diff.Check(t).Malformed)...)
		}
		return warnings
	})
	return s
}

// byRef returns the template for an entry of the metadata, or nil if it is not analysed. All
// entries with the same path, in any component, share the template of the first analysed entry.
func (s *templates) byRef(t *refconfig.Template) *render.Template {
	return s.byPath[path.Clean(t.Path)]
}

// candidates has the templates that an object is compared with, and how they were found.
type candidates struct {
	all []*render.Template // in the order of the reference
	by  finding.Correlation
}

// find returns the templates for an object: the one that the user paired with it, else those that
// match it, else nearest, which may be nil.
func (s *templates) find(id manifest.ID, nearest *render.Template) candidates {
	return s.findBy(id, nearest, s.index.Find)
}

// first returns the first template that find returns, or nil. It is faster than find.
func (s *templates) first(id manifest.ID, nearest *render.Template) (*render.Template, finding.Correlation) {
	found := s.findBy(id, nearest, s.index.First)
	if len(found.all) == 0 {
		return nil, found.by
	}
	return found.all[0], found.by
}

func (s *templates) findBy(
	id manifest.ID, nearest *render.Template, find func(manifest.ID) correlate.Candidates,
) candidates {
	one := func(t *render.Template, by finding.FoundBy) candidates {
		return candidates{
			all: []*render.Template{t},
			by:  finding.Correlation{By: by, Fields: correlate.Agree(t.Identity, id).Names()},
		}
	}
	if manual := s.manual(id); manual != nil {
		if t := s.byRef(manual); t != nil {
			return one(t, finding.ByManual)
		}
	}
	if s.placeholders && id.Open() {
		find = s.index.FindOpen
	}
	if found := find(id); len(found.Templates) > 0 {
		return candidates{
			all: found.Templates, by: finding.Correlation{By: finding.ByFixed, Fields: found.Fields.Names()},
		}
	}
	if nearest != nil {
		return one(nearest, finding.ByNearest)
	}
	return candidates{}
}

// manual returns the template that the user paired an object with, or nil.
func (s *templates) manual(id manifest.ID) *refconfig.Template {
	if len(s.pairs) == 0 {
		return nil
	}
	return s.pairs[id.Key()]
}

// omitted returns the fields that are not compared for a template.
func (s *templates) omitted(t *refconfig.Template) []refconfig.OmitEntry {
	return slices.Concat(s.builtIn, t.Config.Omit)
}
