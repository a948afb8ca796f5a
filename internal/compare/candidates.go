package compare

import (
	"cmp"
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

// selection knows by which templates objects are met, what of the input templates look up, and what
// else of the templates is the same for all clusters. It is not modified.
type selection struct {
	index  *correlate.Index            // of the templates that are analysed
	byPath map[string]*render.Template // the one that stands for each clean path, see byRef
	// those of its path that compare in different ways, itself the first
	entries      map[*render.Template][]*render.Template
	pairs        map[string]*refconfig.Template // by object key: those that the user paired objects with
	placeholders bool                           // identities may have such
	orNearest    bool                           // objects that none fits are compared with the nearest
	lookups      template.Lookups
	omit         map[*refconfig.Template][]refconfig.OmitEntry
	runtime      []refconfig.OmitEntry                          // of any object
	doubts       func() ([]refconfig.Problem, []diff.Malformed) // about the templates
}

func newSelection(ref *refconfig.Reference, engine *render.Engine, opt Options) *selection {
	s := &selection{
		byPath:       map[string]*render.Template{},
		entries:      map[*render.Template][]*render.Template{},
		omit:         map[*refconfig.Template][]refconfig.OmitEntry{},
		pairs:        opt.Manual,
		orNearest:    opt.Nearest,
		runtime:      tree.RuntimeFields(),
		placeholders: opt.Placeholders,
		lookups:      lookups(engine, opt.Overrides),
	}
	var kept, all []*render.Template // kept are those that stand for their paths
	omit := omitter{}
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
		s.omit[t.Ref] = omit.omitted(t.Ref, ref.Format)
	}
	s.index = correlate.New(kept)
	s.doubts = sync.OnceValues(func() ([]refconfig.Problem, []diff.Malformed) {
		return slices.Concat(ref.Warnings, engine.Warnings(), correlate.Overlaps(kept)), malformed(all)
	})
	return s
}

// byRef returns the template that stands for an entry of the metadata, nil if it is not analysed.
// Entries of one path, in however many components, are one template: that of the first entry that
// is analysed.
func (s *selection) byRef(t *refconfig.Template) *render.Template {
	return s.byPath[path.Clean(t.Path)]
}

// ByNearest is how an object and a template found each other that do not fit.
const ByNearest = "nearest"

// templatesFor returns the templates that an object is compared with: its candidates, else the one
// that it is assigned to.
func (r *run) templatesFor(e *stored) ([]*render.Template, finding.Correlation) {
	return r.templates(e, r.index.Find)
}

// firstFor returns the first of the templates that an object is compared with, which is found
// sooner; nil where there is none.
func (r *run) firstFor(e *stored) (*render.Template, finding.Correlation) {
	first, correlation := r.templates(e, r.index.First)
	if len(first) == 0 {
		return nil, correlation
	}
	return first[0], correlation
}

func (r *run) templates(
	e *stored, find func(manifest.ID) correlate.Candidates,
) ([]*render.Template, finding.Correlation) {
	candidates, correlation := r.candidates(e.object.ID, find)
	if t := r.assigned[cmp.Or(e.copyOf, e)]; t != nil && len(candidates) == 0 {
		return []*render.Template{
				t,
			}, finding.Correlation{
				By:     ByNearest,
				Fields: correlate.Agree(t.Identity, e.object.ID).Names(),
			}
	}
	return candidates, correlation
}

// candidates returns the templates that fit an object: the manually chosen one, or those that
// correlate, as far as they are to be found.
func (s *selection) candidates(
	id manifest.ID, find func(manifest.ID) correlate.Candidates,
) ([]*render.Template, finding.Correlation) {
	if manual := s.manual(id); manual != nil {
		if t := s.byRef(manual); t != nil {
			return []*render.Template{
					t,
				}, finding.Correlation{
					By:     "manual",
					Fields: correlate.Agree(t.Identity, id).Names(),
				}
		}
	}
	if s.placeholders && id.Open() {
		find = s.index.FindOpen
	}
	if found := find(id); len(found.Templates) > 0 {
		return found.Templates, finding.Correlation{By: "fixed", Fields: found.Fields.Names()}
	}
	return nil, finding.Correlation{}
}

// manual returns the template that the user paired an object with, or nil.
func (s *selection) manual(id manifest.ID) *refconfig.Template {
	if len(s.pairs) == 0 {
		return nil
	}
	return s.pairs[id.Key()]
}
