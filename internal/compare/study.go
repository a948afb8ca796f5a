package compare

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Study is a run that explains its comparisons.
type Study struct {
	run    *run
	engine *render.Engine
}

// Studied is what a run does with one object.
type Studied struct {
	Object      *manifest.Object
	Copies      []*manifest.Object // other objects of the same identity; they are not compared
	Candidates  []*render.Template
	Correlation finding.Correlation
	Refusals    []Refusal
	// comparisons with the candidates that do not refuse the object, in the order of the reference;
	// empty if it cannot be decoded
	Attempts []Attempt
	LeftOut  bool                // it belongs to a template of which no component is analysed
	With     *render.Template    // the template that the object is compared with; nil for none
	Chosen   *finding.Comparison // the comparison with this template
	Warnings []finding.Warning
}

// Attempt is the comparison of an object with one candidate.
type Attempt struct {
	Template   *render.Template
	Comparison *finding.Comparison // with all differences
	Score      int                 // number of changed characters, if the template could be evaluated
	Overrides  []finding.UsedOverride
	Trace      *render.Trace
	Omitted    []string // the fields of both sides that entries of the reference omit, sorted
}

// NewStudy prepares a run with the same arguments as Run. It asks, accepts and shows nothing. Its
// results must not be used after the end of the context.
func NewStudy(ctx context.Context, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options) *Study {
	opt.Choose, opt.Accept, opt.EveryKind = nil, nil, false
	opt.Show = diff.Show{Secrets: opt.Show.Secrets, NoValues: true}
	return &Study{run: newRun(ctx, ref, engine, in, opt), engine: engine}
}

// Complete does the same as Run. The result for one template, or for an object that is compared
// with the nearest template, depends on all objects.
func (s *Study) Complete() error { return s.run.complete(s.run.compareAll()) }

// Result returns the result of the run, as far as it is complete.
func (s *Study) Result() *finding.Run { return s.run.result }

// Unreadable returns the problems with reading the input. What was lost counts if it concerns the
// reference, as far as objects have been compared.
func (s *Study) Unreadable() []refconfig.Problem {
	in := s.run.in
	in.SortLost(s.run.concerns)
	return in.Unreadable
}

// Objects lists the distinct objects, sorted by identity.
func (s *Study) Objects() []*manifest.Object {
	all := make([]*manifest.Object, len(s.run.store.distinct))
	for i, e := range s.run.store.distinct {
		all[i] = e.object
	}
	return all
}

// Templates lists the templates of the reference. Of several with the same path, it lists only
// one: the analysed template, else the first.
func (s *Study) Templates() []*render.Template {
	seen := map[string]bool{}
	return slice.Without(s.engine.Templates(), func(t *render.Template) bool {
		name, analysed := path.Clean(t.Ref.Path), s.run.templates.byRef(t.Ref)
		again := seen[name] || analysed != nil && analysed != t
		seen[name] = seen[name] || !again
		return again
	})
}

// Analyses reports whether a template is analysed.
func (s *Study) Analyses(t *render.Template) bool {
	first := s.run.templates.byRef(t.Ref)
	return first != nil && !s.run.templates.leftOut[first]
}

// AnalysesComponent reports whether a component is analysed.
func (s *Study) AnalysesComponent(c *refconfig.Component) bool { return s.run.opt.Keep(c) }

// Manual returns the template that the user paired an object with, or nil.
func (s *Study) Manual(id manifest.ID) *refconfig.Template {
	return s.run.templates.manual(id)
}

// Absent returns the nearest object for a template without an object. If the object may not have
// been collected, it also returns its kind and the reason. The run must be complete.
func (s *Study) Absent(
	t *render.Template,
) (nearest *finding.Nearest, notCollected *finding.Kind, why finding.Uncollected) {
	m := s.run.missing()
	kind, why := m.notCollectedBecause(t)
	if why != "" {
		notCollected = &kind
	}
	return m.nearest(t), notCollected, why
}

// Creation returns the object to create for a template without an object, as far as the template says
// it.
func (s *Study) Creation(t *render.Template) *finding.Fix { return s.run.creation(t) }

// Object compares the object at an index with all its candidates.
func (s *Study) Object(at int) Studied {
	r, c := s.run, s.run.comparer
	e := c.store.distinct[at]
	v := c.compare(c.subject(e, r.assigned[e]))
	of := cmp.Or(v.stored, e)
	if v.leftOut != nil {
		return Studied{Object: of.object, LeftOut: true, Candidates: []*render.Template{v.leftOut}}
	}
	subject := c.subject(of, r.assigned[e])
	subject.trace = true
	if v.looked != nil {
		subject.looked.use = v.looked.use
	}
	one := c.weigh(subject)
	out := Studied{
		Object:      of.object,
		Candidates:  one.candidates.all,
		Correlation: one.candidates.by,
		Refusals:    one.refusals,
	}
	for _, a := range one.attempts {
		out.Attempts = append(out.Attempts, c.studied(one, a))
	}
	out.Copies, out.Warnings = r.studiedCopies(e, of, v)
	if hides := subject.searched.Hides(); hides != "" {
		out.Warnings = append(
			out.Warnings, finding.Warning{Code: code.LimitTime, Place: e.object.Place.String(), Message: hides},
		)
	}
	if one.err == nil && len(one.attempts) == 0 {
		return out
	}
	chosen := c.resolve(one, 0)
	out.With, out.Chosen = c.templates.byRef(chosen.template), chosen.found
	if kind := kindOfObject(e.object.ID); c.schemas.lacks(kind) {
		out.Warnings = append(out.Warnings, finding.Warning{
			Code: code.Unvalidated, Place: e.object.Place.String(),
			Message: "no schema of " + kind.Words() + " was found, so the CR was not validated",
		})
	}
	for _, w := range chosen.warnings {
		if w.once == "" {
			out.Warnings = append(out.Warnings, w.Warning)
		}
	}
	return out
}

// studied converts an attempt for the caller.
func (c *comparer) studied(one *choice, a *attempt) Attempt {
	t := a.template.Ref
	out := Attempt{
		Template:   c.templates.byRef(t),
		Comparison: one.verdict(a.shown(), diff.Show{Secrets: c.opt.Show.Secrets, Expected: true}).found,
		Overrides:  c.overrides.Explain(one.subject.stored.object.ID, t, a.value.Uses),
		Trace:      a.trace,
	}
	if a.err == nil {
		out.Score = a.distance(one.subject.secretive)
		for _, f := range a.suppressed {
			if f.Rule == finding.ByBuiltIn || f.Rule == finding.ByReference {
				out.Omitted = append(out.Omitted, f.Path)
			}
		}
		slices.Sort(out.Omitted)
	}
	return out
}

// studiedCopies returns the other objects of an identity than the one that counts, and warnings about
// them.
func (r *run) studiedCopies(e, of *stored, v *verdict) (others []*manifest.Object, warnings []finding.Warning) {
	if v.disagree != "" {
		warnings = append(warnings, v.copiesDisagree())
	}
	for _, c := range r.store.copies {
		if c.kept != e {
			continue
		}
		for _, other := range c.all {
			if other != of {
				others = append(others, other.object)
			}
		}
		d := r.copiesDiffer(c, v)
		r.unread = append(r.unread, d.unread...)
		if d.warning != nil && v.disagree == "" {
			warnings = append(warnings, *d.warning)
		}
	}
	return others, warnings
}
