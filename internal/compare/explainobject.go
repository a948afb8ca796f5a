package compare

import (
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/correlate"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// object explains the comparison of one object.
func (x explainer) object(e *stored) finding.ExplainedObject {
	id := e.object.ID
	c := x.weigh(e)
	out := finding.ExplainedObject{Object: finding.Object(id), Source: sourceOf(e.object.Place), Result: finding.NoTemplate,
		Considered: []finding.Considered{}}
	manual := x.manual(id)
	if manual != nil {
		out.Manual = manual.Path
	}
	if len(c.candidates) > 0 {
		out.By, out.Result = c.correlation.By, finding.RefusedByAll
	}
	var chosen *compared
	if c.err != nil || len(c.attempts) > 0 {
		chosen = x.smallest(c)
		out.Result, out.Template = chosen.Result, chosen.Template.Path
	}
	for _, t := range x.templates() {
		if t.Identity.Kind.Meets(id.Kind) || slices.Contains(c.candidates, t) || t.Ref == manual {
			out.Considered = append(out.Considered, x.consider(c, t, chosen))
		}
	}
	x.copies(e, &out, chosen)
	return out
}

// copies says where else an object stands, and what is odd about it.
func (x explainer) copies(e *stored, out *finding.ExplainedObject, chosen *compared) {
	for _, c := range x.store.copies {
		if c.kept != e {
			continue
		}
		for _, other := range c.all {
			if other != e {
				out.Copies = append(out.Copies, sourceOf(other.object.Place))
			}
		}
		if w, ok := x.copiesDiffer(c); ok {
			out.Warnings = append(out.Warnings, w)
		}
	}
	if chosen == nil {
		return
	}
	for _, warning := range []func(*compared) (finding.Warning, bool){maskedWarning, twiceWarning} {
		if w, ok := warning(chosen); ok {
			out.Warnings = append(out.Warnings, w)
		}
	}
}

// consider says what became of one template.
func (x explainer) consider(c *choice, t *render.Template, chosen *compared) finding.Considered {
	out := finding.Considered{Template: finding.TemplateOf(t.Ref), Identity: identityFields(t.Identity, &c.stored.object.ID)}
	out.Standing = x.standing(c, t, chosen)
	out.Candidate = out.Standing.Candidate()
	if i := slices.IndexFunc(c.refusals, func(r refusal) bool { return r.template == t.Ref }); i >= 0 {
		r := c.refusals[i]
		out.Refusal = &finding.RefusedAt{Reason: r.reason, File: r.at.File, Line: r.at.Line}
	}
	at := slices.IndexFunc(c.attempts, func(a *attempt) bool { return a.template == t })
	if at < 0 {
		if out.Standing == finding.Chosen { // and cannot be decoded
			out.Result, out.Error = chosen.Result, chosen.Error
		}
		return out
	}
	a := c.attempts[at]
	tried := c.compared(a, x.show)
	out.Result, out.Error = tried.Result, tried.Error
	if a.err == nil {
		x.measure(a)
		out.Score, out.Counts = &a.score, &tried.Counts
	}
	if !x.what.NoDetail && (x.what.AllCandidates || out.Standing == finding.Chosen) {
		out.Detail = x.detail(c, a, tried)
	}
	return out
}

// standing says how a template stands in the search.
func (x explainer) standing(c *choice, t *render.Template, chosen *compared) finding.Standing {
	if !slices.Contains(c.candidates, t) {
		return x.passedOver(c, t)
	}
	if slices.ContainsFunc(c.refusals, func(r refusal) bool { return r.template == t.Ref }) {
		return finding.RefusedIt
	}
	at := slices.IndexFunc(c.attempts, func(a *attempt) bool { return a.template == t })
	switch {
	case at < 0 && t.Ref == chosen.template, at >= 0 && c.attempts[at] == c.ranked[0]:
		return finding.Chosen
	case at < 0 || c.attempts[at].err != nil: // at < 0: the object cannot be decoded
		return finding.NotEvaluated
	case c.attempts[at].score == c.ranked[0].score:
		return finding.Tie
	}
	return finding.Larger
}

// passedOver says why a template is no candidate.
func (x explainer) passedOver(c *choice, t *render.Template) finding.Standing {
	id := c.stored.object.ID
	agree, fixed := correlate.Agree(t.Identity, id), correlate.Fixed(t.Identity)
	switch {
	case x.byRef(t.Ref) == nil:
		return finding.NotAnalysed
	case c.correlation.By == "manual":
		return finding.Overruled
	case c.correlation.By == byNearest && !t.Identity.Namespace.Meets(id.Namespace) && c.candidates[0].Identity.Namespace.Meets(id.Namespace):
		return finding.Farther
	case agree != fixed:
		return finding.Unlike
	case fixed.Rank() > correlate.Fixed(c.candidates[0].Identity).Rank():
		return finding.LessSpecific
	}
	return finding.Pattern
}

// identityFields sets what a template states beside what an object has; nil for no object.
func identityFields(t render.Identity, id *manifest.ID) []finding.IdentityField {
	field := func(name string, m render.Matcher, has func(manifest.ID) string) finding.IdentityField {
		f := finding.IdentityField{Field: name}
		if m.Fixed() {
			states := m.String()
			_, whole := m.Exact()
			f.States, f.Pattern = &states, !whole
		}
		if id != nil {
			value := has(*id)
			agrees := m.Meets(value)
			f.Has, f.Agrees = &value, &agrees
		}
		return f
	}
	return []finding.IdentityField{
		field("apiVersion", t.APIVersion, func(id manifest.ID) string { return id.APIVersion }),
		field("kind", t.Kind, func(id manifest.ID) string { return id.Kind }),
		field("namespace", t.Namespace, func(id manifest.ID) string { return id.Namespace }),
		field("name", t.Name, func(id manifest.ID) string { return id.Name }),
	}
}

// detail tells what is behind an attempt.
func (x explainer) detail(c *choice, a *attempt, tried *compared) *finding.Detail {
	t, id := a.template.Ref, c.stored.object.ID
	d := &finding.Detail{File: t.File, Rendered: []finding.RenderedLine{}, Asked: []finding.Asked{}, Merged: t.Config.IgnoreUnspecified,
		Overrides: x.overridesOf(id, a), Differences: tried.Comparison.Differences}
	for _, f := range t.Config.PerField {
		d.Functions = append(d.Functions, finding.InlineFunction{Path: f.Path.String(), Function: f.Function})
	}
	if a.trace != nil {
		for _, l := range renderedLines(a.trace.Lines, secret.OfKind(id.Kind).IsObject()) {
			d.Rendered = append(d.Rendered, l.shown(x.show.Secrets))
		}
		for _, one := range a.trace.Asked {
			d.Asked = append(d.Asked, finding.Asked{Path: one.Path.String(), File: one.At.File, Line: one.At.Line, Needed: one.Needed})
		}
		for _, q := range a.trace.Queries {
			d.Lookups = append(d.Lookups, finding.Lookup{APIVersion: q.APIVersion, Kind: q.Kind, Namespace: q.Namespace, Name: q.Name,
				Found: q.Found, File: q.At.File, Line: q.At.Line})
		}
	}
	if a.whole != nil {
		d.Omitted = omittedFields(x.omitted(t), a.whole, c.input)
	}
	return d
}

// overridesOf says what became of each override that fits an object and the template of an attempt.
func (x explainer) overridesOf(id manifest.ID, a *attempt) []finding.UsedOverride {
	var all []finding.UsedOverride
	for i, one := range x.accepted.all {
		if !meets(one, id) || !isFor(one, a.template.Ref) {
			continue
		}
		use := finding.UsedOverride{File: one.Place.File, Line: one.Place.Line, Type: string(one.Type), Reason: one.Reason, Expires: one.Expires,
			State: finding.OverrideOverruled}
		at := slices.IndexFunc(a.overrides, func(u usedOverride) bool { return u.index == i })
		switch {
		case one.Expired(x.accepted.today):
			use.State = finding.OverrideExpired
		case at >= 0 && a.overrides[at].obsolete:
			use.State = finding.OverrideObsolete
		case at >= 0:
			use.State, use.Applied = finding.OverrideUsed, true
		}
		all = append(all, use)
	}
	return all
}

// omittedFields returns the fields of some values that entries leave out, sorted; none below another.
func omittedFields(entries []refconfig.OmitEntry, values ...any) []string {
	found := map[string]bool{}
	for _, v := range values {
		left := tree.Omit(tree.Copy(v), entries)
		eachGone(nil, v, left, secret.Of(v), func(p refconfig.FieldPath) { found[p.String()] = true })
	}
	return tree.Keys(found)
}

// eachGone calls f for every field of a value that is not in what is left of it. Of a list that lost items, it is the list, and of
// secret data the uppermost key.
func eachGone(at refconfig.FieldPath, before, left any, scope secret.Scope, f func(refconfig.FieldPath)) {
	if scope.IsWhole() {
		if !tree.Equal(before, left) {
			f(at)
		}
		return
	}
	switch b := before.(type) {
	case map[string]any:
		l, _ := left.(map[string]any)
		for _, k := range tree.Keys(b) {
			p := overlay.Extend(at, refconfig.Step{Key: k, Index: -1})
			if v, there := l[k]; there {
				eachGone(p, b[k], v, scope.Below(k, b[k]), f)
				continue
			}
			f(p)
		}
	case []any:
		l, _ := left.([]any)
		if len(l) != len(b) {
			f(at)
			return
		}
		for i := range b {
			eachGone(overlay.Extend(at, refconfig.Step{Index: i}), b[i], l[i], scope.Below("", b[i]), f)
		}
	}
}

// sameTemplate reports whether a name is the path of a template, within the reference or as a user would open it.
func sameTemplate(t *refconfig.Template, name string) bool {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	return clean == path.Clean(t.Path) || clean == path.Clean(t.File)
}
