package compare

import (
	"path"
	"slices"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// templates holds the templates of the reference and their candidates, and everything about them
// that is the same for all clusters. It is not modified.
type templates struct {
	index   *correlate.Index            // finds the templates for an object, also those that are left out
	kept    *correlate.Index            // has the templates that are analysed
	byPath  map[string]*render.Template // for each clean path, its first analysed template, else its first, see byRef
	leftOut map[*render.Template]bool   // those of which no component is analysed
	// for each such template, the entries of its path that compare in different ways, itself first
	entries      map[*render.Template][]*render.Template
	pairs        map[string]*refconfig.Template // templates that the user paired with objects, by object key
	placeholders bool                           // identities may have placeholders
	orNearest    bool                           // an object without a match is compared with the nearest template
	lookups      template.Lookups
	builtIn      []refconfig.OmitEntry                         // the fields that are never compared
	omits        map[*refconfig.Template][]refconfig.OmitEntry // see omitted
	runtime      []refconfig.OmitEntry                         // the fields that the cluster writes
	warnings     func() []warning                              // returns warnings about the reference
}

func newTemplates(ref *refconfig.Reference, engine *render.Engine, opt Options) *templates {
	s := &templates{
		byPath:       map[string]*render.Template{},
		leftOut:      map[*render.Template]bool{},
		omits:        map[*refconfig.Template][]refconfig.OmitEntry{},
		entries:      map[*render.Template][]*render.Template{},
		builtIn:      []refconfig.OmitEntry{{Path: refconfig.PathOf("metadata", "managedFields")}},
		pairs:        opt.Manual,
		orNearest:    opt.Nearest,
		runtime:      tree.RuntimeFields(),
		placeholders: opt.Placeholders,
		lookups:      lookups(engine, opt.Overrides),
	}
	if ref.Format == refconfig.Annotations {
		s.builtIn = append(s.builtIn, refconfig.OmitEntry{
			Path: refconfig.PathOf("metadata", "annotations", "reference-config.openshift.io/attributes"),
		})
	}
	keeps := func(t *render.Template) bool { return opt.Keep == nil || opt.Keep(t.Ref.Component) }
	var first, kept, all []*render.Template // first has a template of each path, and all the entries that are analysed
	for _, entries := range entriesOf(ref, engine) {
		analysed, rest := split(entries, keeps)
		entries = distinct(slices.Concat(analysed, rest))
		for _, t := range entries {
			s.omits[t.Ref] = slices.Clip(slices.Concat(s.builtIn, t.Ref.Config.Omit))
		}
		t := entries[0]
		s.byPath[path.Clean(t.Ref.Path)], s.entries[t], first = t, entries, append(first, t)
		if s.leftOut[t] = len(analysed) == 0; !s.leftOut[t] {
			kept, all = append(kept, t), append(all, distinct(analysed)...)
		}
	}
	s.index, s.kept = correlate.New(first), correlate.New(kept)
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

// entriesOf returns the entries of the reference by their clean paths, in the order of the
// reference. The reference may be a part of that of the engine, see Reference.Only.
func entriesOf(ref *refconfig.Reference, engine *render.Engine) (all [][]*render.Template) {
	listed, at := map[string]bool{}, map[string]int{}
	for _, t := range ref.Templates {
		listed[path.Clean(t.Path)] = true
	}
	for _, t := range engine.Templates() {
		name := path.Clean(t.Ref.Path)
		i, known := at[name]
		switch {
		case known:
			all[i] = append(all[i], t)
		case listed[name]:
			at[name], all = len(all), append(all, []*render.Template{t})
		}
	}
	return all
}

// split returns the templates that have a property, and the others.
func split(all []*render.Template, has func(*render.Template) bool) (with, without []*render.Template) {
	for _, t := range all {
		if has(t) {
			with = append(with, t)
		} else {
			without = append(without, t)
		}
	}
	return with, without
}

// distinct returns the entries of a path without those that compare in the same way as an earlier
// one.
func distinct(entries []*render.Template) (all []*render.Template) {
	for _, t := range entries {
		alike := func(other *render.Template) bool { return other.Ref.Config.Same(t.Ref.Config) }
		if !slices.ContainsFunc(all, alike) {
			all = append(all, t)
		}
	}
	return all
}

// byRef returns the template for an entry of the metadata, or nil if the run has no template of its
// path. All entries with the same path, in any component, share the template of the first analysed
// entry.
func (s *templates) byRef(t *refconfig.Template) *render.Template {
	return s.byPath[path.Clean(t.Path)]
}

// leavesOut reports whether all of some templates are left out; no templates are not.
func (s *templates) leavesOut(all []*render.Template) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(t *render.Template) bool { return !s.leftOut[t] })
}

// candidates has the templates that an object is compared with, and how they were found.
type candidates struct {
	all []*render.Template // in the order of the reference
	by  finding.Correlation
}

// find returns the templates for an object: the one that the user paired with it, else those that
// match it, else nearest, which may be nil. Components are chosen later, so some may be left out.
func (s *templates) find(id manifest.ID, nearest *render.Template) candidates {
	return s.findBy(id, nearest, s.index.Find)
}

// first returns the first template that find returns and that is analysed, or nil. It is faster
// than find.
func (s *templates) first(id manifest.ID, nearest *render.Template) (*render.Template, finding.Correlation) {
	found := s.findBy(id, nearest, s.index.First)
	if len(found.all) > 0 && s.leftOut[found.all[0]] {
		found = s.find(id, nearest)
	}
	for _, t := range found.all {
		if !s.leftOut[t] {
			return t, found.by
		}
	}
	return nil, found.by
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

// omitted returns the fields that are not compared for a template. The list belongs to all callers.
func (s *templates) omitted(t *refconfig.Template) []refconfig.OmitEntry {
	if known, made := s.omits[t]; made {
		return known
	}
	return slices.Concat(s.builtIn, t.Config.Omit)
}
