package compare

import (
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/correlate"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// object explains the comparison of one object.
func (x explainer) object(e *stored) ExplainedObject {
	id := e.object.ID
	c := x.weigh(e)
	out := ExplainedObject{Object: id, Source: e.object.Place, Manual: x.manual(id)}
	if len(c.candidates) > 0 {
		out.By = c.correlation.By
	}
	if c.err != nil || len(c.attempts) > 0 {
		out.Comparison = x.smallest(c)
	}
	out.KindUnknown = true
	for _, t := range x.templates() {
		of := t.Identity.Kind.Meets(id.Kind)
		out.KindUnknown = out.KindUnknown && !of
		if of || slices.Contains(c.candidates, t) || t.Ref == out.Manual {
			out.Considered = append(out.Considered, x.consider(c, t, out.Comparison))
		}
	}
	x.copies(e, &out)
	return out
}

// copies says where else an object stands, and what is odd about it.
func (x explainer) copies(e *stored, out *ExplainedObject) {
	for _, c := range x.store.copies {
		if c.kept != e {
			continue
		}
		for _, other := range c.all {
			if other != e {
				out.Copies = append(out.Copies, other.object.Place)
			}
		}
		if w, ok := x.copiesDiffer(c); ok {
			out.Warnings = append(out.Warnings, w)
		}
	}
	if out.Comparison == nil {
		return
	}
	for _, warning := range []func(*Comparison) (Warning, bool){maskedWarning, twiceWarning} {
		if w, ok := warning(out.Comparison); ok {
			out.Warnings = append(out.Warnings, w)
		}
	}
}

// consider says what became of one template.
func (x explainer) consider(c *choice, t *render.Template, chosen *Comparison) Considered {
	id := c.stored.object.ID
	out := Considered{Template: t.Ref, Identity: identityFields(t.Identity, id)}
	if !slices.Contains(c.candidates, t) {
		out.Standing = x.passedOver(c, t)
		return out
	}
	for i := range c.refusals {
		if c.refusals[i].Template == t.Ref {
			out.Standing, out.Refusal = RefusedIt, &c.refusals[i]
			return out
		}
	}
	at := slices.IndexFunc(c.attempts, func(a *attempt) bool { return a.template == t })
	if at < 0 { // the object cannot be decoded
		out.Standing = NotEvaluated
		if t.Ref == chosen.Template {
			out.Standing, out.Compared = Chosen, chosen
		}
		return out
	}
	a := c.attempts[at]
	out.Compared = c.comparison(a)
	out.Detail = x.detail(c, a)
	winner := c.ranked[0]
	if a.err == nil {
		out.Score = a.measure()
	}
	switch {
	case a == winner:
		out.Standing, out.Compared = Chosen, chosen
	case a.err != nil:
		out.Standing = NotEvaluated
	case a.score == winner.score:
		out.Standing = Tie
	default:
		out.Standing = Larger
	}
	return out
}

// passedOver says why a template is no candidate.
func (x explainer) passedOver(c *choice, t *render.Template) Standing {
	id := c.stored.object.ID
	agree, fixed := correlate.Agree(t.Identity, id), correlate.Fixed(t.Identity)
	switch {
	case x.byRef(t.Ref) == nil:
		return NotAnalysed
	case c.correlation.By == "manual":
		return Overruled
	case c.correlation.By == byNearest && !t.Identity.Namespace.Meets(id.Namespace) && c.candidates[0].Identity.Namespace.Meets(id.Namespace):
		return Farther
	case agree != fixed:
		return Differs
	case fixed.Rank() > correlate.Fixed(c.candidates[0].Identity).Rank():
		return LessSpecific
	}
	return Pattern
}

// identityFields sets what a template states beside what an object has.
func identityFields(t render.Identity, id manifest.ID) []IdentityField {
	field := func(name string, m render.Matcher, has string) IdentityField {
		f := IdentityField{Name: name, Has: has, Stated: m.Fixed(), Agrees: m.Meets(has)}
		if _, f.Whole = m.Exact(); f.Stated {
			f.States = m.String()
		}
		return f
	}
	return []IdentityField{
		field("apiVersion", t.APIVersion, id.APIVersion), field("kind", t.Kind, id.Kind),
		field("namespace", t.Namespace, id.Namespace), field("name", t.Name, id.Name),
	}
}

// detail tells what is behind an attempt.
func (x explainer) detail(c *choice, a *attempt) *Detail {
	t, id := a.template.Ref, c.stored.object.ID
	d := &Detail{Functions: t.Config.PerField, Merged: t.Config.IgnoreUnspecified}
	if a.trace != nil {
		d.Lines = renderedLines(a.trace.Lines, secret.OfKind(id.Kind).IsObject())
		d.Asked, d.Queries = a.trace.Asked, a.trace.Queries
	}
	d.Overrides = x.overridesOf(id, a)
	if a.whole != nil {
		d.Omitted = omittedFields(x.omitted(t), a.whole, c.input)
	}
	return d
}

// overridesOf says what became of each override that fits an object and the template of an attempt.
func (x explainer) overridesOf(id manifest.ID, a *attempt) []UsedOverride {
	var all []UsedOverride
	for i, one := range x.accepted.all {
		if !meets(one, id) || !isFor(one, a.template.Ref) {
			continue
		}
		use := UsedOverride{one, OverrideOverruled}
		at := slices.IndexFunc(a.overrides, func(u usedOverride) bool { return u.index == i })
		switch {
		case one.Expired(x.accepted.today):
			use.State = OverrideExpired
		case at >= 0 && a.overrides[at].obsolete:
			use.State = OverrideObsolete
		case at >= 0:
			use.State = OverrideUsed
		}
		all = append(all, use)
	}
	return all
}

// omittedFields returns the fields of some values that entries leave out, sorted; none below another.
func omittedFields(entries []refconfig.OmitEntry, values ...any) []refconfig.FieldPath {
	found := map[string]refconfig.FieldPath{}
	for _, v := range values {
		left := tree.Omit(tree.Copy(v), entries)
		eachGone(nil, v, left, secret.Of(v), func(p refconfig.FieldPath) { found[p.String()] = p })
	}
	var paths []refconfig.FieldPath
	for _, k := range tree.Keys(found) {
		paths = append(paths, found[k])
	}
	return paths
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
			p := extend(at, refconfig.Step{Key: k, Index: -1})
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
			eachGone(extend(at, refconfig.Step{Index: i}), b[i], l[i], scope.Below("", b[i]), f)
		}
	}
}

// sameTemplate reports whether a name is the path of a template, within the reference or as a user would open it.
func sameTemplate(t *refconfig.Template, name string) bool {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	return clean == path.Clean(t.Path) || clean == path.Clean(t.File)
}
