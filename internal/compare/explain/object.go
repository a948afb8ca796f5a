package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// object explains the comparison of one object.
func (x explainer) object(at int) ExplainedObject {
	o := x.study.Object(at)
	id := o.Object.ID
	out := ExplainedObject{Object: finding.Object(id), Source: finding.SourceOf(o.Object.Source()), Result: NoTemplate,
		Considered: []Considered{}, Warnings: o.Warnings}
	manual := x.study.Manual(id)
	if manual != nil {
		out.Manual = manual.Path
	}
	if len(o.Candidates) > 0 {
		out.By, out.Result = o.Correlation.By, RefusedByAll
	}
	if o.With != nil {
		out.Result, out.Template = o.Chosen.Result, o.Chosen.Template.Path
	}
	templates := x.study.Templates()
	for _, t := range templates {
		if t.Identity.Kind.Matches(id.Kind) || slices.Contains(o.Candidates, t) || t.Ref == manual {
			out.Considered = append(out.Considered, x.consider(o, t))
		}
	}
	for _, other := range o.Copies {
		out.Copies = append(out.Copies, finding.SourceOf(other.Source()))
	}
	return out
}

// attemptWith returns the comparison of an object with a template, or nil if there was none.
func attemptWith(o compare.Studied, t *render.Template) *compare.Attempt {
	if i := slices.IndexFunc(o.Attempts, func(a compare.Attempt) bool { return a.Template == t }); i >= 0 {
		return &o.Attempts[i]
	}
	return nil
}

// consider returns the outcome for one template.
func (x explainer) consider(o compare.Studied, t *render.Template) Considered {
	out := Considered{
		Template: finding.TemplateOf(t.Ref),
		Identity: identityFields(t.Identity, &o.Object.ID),
		Standing: x.standing(o, t),
	}
	out.Candidate = out.Standing.Candidate()
	if i := slices.IndexFunc(o.Refusals, func(r compare.Refusal) bool { return r.Template == t.Ref }); i >= 0 {
		r := o.Refusals[i]
		out.Refusal = &RefusedAt{Reason: r.Reason, File: r.At.File, Line: r.At.Line}
	}
	a := attemptWith(o, t)
	if a == nil {
		if out.Standing == Chosen { // chosen, but the object cannot be decoded
			out.Result, out.Error = o.Chosen.Result, o.Chosen.Error
		}
		return out
	}
	// names the metadata entry that counted
	out.Template, out.Result, out.Error = a.Comparison.Template, a.Comparison.Result, a.Comparison.Error
	if out.Error == nil {
		out.Score, out.Counts = &a.Score, &a.Comparison.Counts
	}
	if !x.what.NoDetail && (x.what.AllCandidates || out.Standing == Chosen) {
		out.Detail = x.detail(o, a)
	}
	return out
}

// standing returns the outcome for a template.
func (x explainer) standing(o compare.Studied, t *render.Template) Standing {
	if o.LeftOut && t == o.Candidates[0] {
		return NotAnalysed
	}
	if !slices.Contains(o.Candidates, t) {
		return x.notCandidate(o, t)
	}
	if slices.ContainsFunc(o.Refusals, func(r compare.Refusal) bool { return r.Template == t.Ref }) {
		return RefusedIt
	}
	a := attemptWith(o, t)
	switch {
	case t == o.With:
		return Chosen
	case a == nil || a.Comparison.Error != nil: // nil if the object cannot be decoded
		return NotEvaluated
	case a.Score == attemptWith(o, o.With).Score:
		return Tie
	}
	return Larger
}

// notCandidate returns why a template is not a candidate.
func (x explainer) notCandidate(o compare.Studied, t *render.Template) Standing {
	id := o.Object.ID
	agree, fixed := correlate.Agree(t.Identity, id), correlate.Fixed(t.Identity)
	switch {
	case !x.study.Analyses(t):
		return NotAnalysed
	case o.Correlation.By == finding.ByManual:
		return Overruled
	case o.Correlation.By == finding.ByNearest && !t.Identity.Namespace.Matches(id.Namespace) &&
		o.Candidates[0].Identity.Namespace.Matches(id.Namespace):
		return Farther
	case agree != fixed:
		return Unlike
	case fixed.Rank() > correlate.Fixed(o.Candidates[0].Identity).Rank():
		return LessSpecific
	}
	return Pattern
}

// identityFields compares the identity of a template with that of an object; id is nil for no
// object.
func identityFields(t template.Identity, id *manifest.ID) []IdentityField {
	field := func(name string, m template.Matcher, has func(manifest.ID) string) IdentityField {
		f := IdentityField{Field: name}
		if m.Fixed() {
			states := m.String()
			_, whole := m.Exact()
			f.States, f.Pattern = &states, !whole
		}
		if id != nil {
			value := has(*id)
			agrees := m.Matches(value)
			f.Has, f.Agrees = &value, &agrees
		}
		return f
	}
	return []IdentityField{
		field("apiVersion", t.APIVersion, func(id manifest.ID) string { return id.APIVersion }),
		field("kind", t.Kind, func(id manifest.ID) string { return id.Kind }),
		field("namespace", t.Namespace, func(id manifest.ID) string { return id.Namespace }),
		field("name", t.Name, func(id manifest.ID) string { return id.Name }),
	}
}

// detail returns the details of a comparison.
func (x explainer) detail(o compare.Studied, a *compare.Attempt) *Detail {
	t := a.Template.Ref
	d := &Detail{File: t.File, Rendered: []RenderedLine{}, Asked: []Asked{}, Merged: t.Config.IgnoreUnspecified,
		Overrides: a.Overrides, Differences: a.Comparison.Differences, Notes: a.Comparison.Notes,
		Omitted: a.Omitted}
	for _, f := range t.Config.PerField {
		d.Functions = append(d.Functions, InlineFunction{Path: f.Path.String(), Function: f.Said()})
	}
	if a.Trace == nil {
		return d
	}
	d.Rendered = renderedLines(a.Trace.Lines, secret.OfKind(o.Object.ID.Kind).IsObject(), x.secrets)
	d.Asked = append(d.Asked, a.Trace.Asked...)
	d.Lookups = a.Trace.Queries
	return d
}

// sameTemplate reports whether a name is the path of a template, within the reference or as a user
// would open it.
func sameTemplate(t *refconfig.Template, name string) bool {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	return clean == path.Clean(t.Path) || clean == path.Clean(t.File)
}
