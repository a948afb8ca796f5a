package compare

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// present has, for each template, the CRs that make it present: CRs of the input, and CRs that
// other CRs refer to.
type present map[*render.Template][]finding.Present

// presentOf returns the CRs that were compared, by the templates that they make present. A CR that
// was compared with its nearest template makes the template present only if it has the name that
// the template states.
func presentOf(ts *templates, compared []*verdict) present {
	all := present{}
	for _, c := range compared {
		if c.template == nil {
			continue
		}
		t := ts.byRef(c.template)
		if c.found.Correlation.By != finding.ByNearest || t.Identity.Name.Matches(c.found.Object.Name) {
			all[t] = append(all[t], finding.Present{Object: c.found.Object})
		}
	}
	return all
}

// addReferenced adds CRs that are not in the input but that CRs in the input refer to, and returns
// them. It skips CRs that the input proves absent.
func (p present) addReferenced(ts *templates, by pointers, evidence *cluster.Evidence) (all []finding.Referenced) {
	for _, t := range ts.kept.Templates() {
		if len(p[t]) > 0 {
			continue
		}
		if object, how, ok := by.at(t.Identity); ok && !evidence.ProvesAbsent(queryFor(t.Identity)) {
			p[t] = []finding.Present{{Object: statedID(t.Identity), Referenced: true}}
			all = append(all, finding.Referenced{
				Template:    t.Ref.Path,
				By:          finding.Object(object),
				How:         how,
				Description: t.Ref.Description,
			})
		}
	}
	return all
}

// addRules evaluates the rules of the components and adds the broken ones to the result. there has the
// CRs of the input; it adds those that CRs of the input refer to.
func (r *run) addRules(there present) {
	ts, res := r.templates, r.result
	res.Referenced = there.addReferenced(ts, r.store.pointers(), r.evidence)
	isPresent := func(t *refconfig.Template) bool { return len(there[ts.byRef(t)]) > 0 }
	violations := r.ref.Evaluate(isPresent, r.opt.Keep)
	r.unread = append(r.unread, unanswered(r.ref, r.opt, ts, there, violations)...)
	violations, res.AcceptedCRs = r.overrides.Rules(violations, func(t *refconfig.Template) []finding.Object {
		return objectsFor(ts.byRef(t), there)
	}, r.required())
	missing := r.missing()
	for _, v := range violations {
		b := finding.NewRule(v)
		b.Present = append(b.Present, presentAgainst(b, v.There, ts, there, res.AcceptedCRs)...)
		if v.Code == code.RuleMissing || v.Code == code.RuleOneRequired {
			b = missing.explain(b, v.Templates)
		}
		if r.opt.Accept != nil {
			b.Acceptance = r.opt.Accept.Rule(v, b)
		}
		res.Rules = append(res.Rules, b)
	}
	r.unknownRules(there)
	res.NotCollected, res.Lost = append(res.NotCollected, missing.kinds...), missing.lost
	if parts := uncollectedParts(r.ref, res.Rules, isPresent); len(parts) > 0 && !r.evidence.CutShort() {
		r.warn(code.PartNotCollected, "",
			"nothing of "+strings.Join(parts, ", ")+" was collected: the cluster may or may not have it")
	}
	r.warnOfDoubts(there)
}

// required returns the templates of components that are analysed and whose CRs a rule may require.
func (r *run) required() patch.Stated {
	return func(yield func(*refconfig.Template, finding.Object) bool) {
		requiring := []refconfig.RuleKind{refconfig.AllOf, refconfig.AllOrNoneOf, refconfig.OneOf}
		for _, c := range r.ref.Components() {
			for _, rule := range c.Rules {
				if !slices.Contains(requiring, rule.Kind) || !r.opt.Keep(c) {
					continue
				}
				for _, t := range rule.Templates {
					if !yield(t, statedID(r.templates.byRef(t).Identity)) {
						return
					}
				}
			}
		}
	}
}

// objectsFor returns the CRs that make a template present, else the CR that it states.
func objectsFor(t *render.Template, there present) (objects []finding.Object) {
	for _, p := range there[t] {
		objects = append(objects, p.Object)
	}
	if objects == nil {
		objects = append(objects, statedID(t.Identity))
	}
	return objects
}

// presentAgainst returns the CRs of templates that break a rule because they are present, except
// CRs that an override accepts.
func presentAgainst(
	b finding.Rule, of []*refconfig.Template, ts *templates, there present, accepted []finding.AcceptedCR,
) (all []finding.Present) {
	for _, t := range of {
		for _, p := range there[ts.byRef(t)] {
			p.Template = t.Path
			if !slices.ContainsFunc(accepted, func(a finding.AcceptedCR) bool { return a.For(b, p) }) {
				all = append(all, p)
			}
		}
	}
	return all
}

// unanswered returns problems about components that the user named and that have neither a CR in
// the input nor a broken rule. Perhaps none of their CRs was collected.
func unanswered(
	ref *refconfig.Reference, opt Options, ts *templates, there present, violations []refconfig.Violation,
) []refconfig.Problem {
	answered := map[*refconfig.Component]bool{}
	for _, v := range violations {
		answered[v.Component] = true
	}
	for _, t := range ref.Templates {
		if slices.ContainsFunc(there[ts.byRef(t)], func(p finding.Present) bool { return !p.Referenced }) {
			answered[t.Component] = true
		}
	}
	return ref.Unanswered(opt.Chosen, func(c *refconfig.Component) bool { return answered[c] || !opt.Keep(c) })
}

// uncollectedParts returns the names of the parts that require CRs although none of their CRs was
// collected.
func uncollectedParts(
	ref *refconfig.Reference, rules []finding.Rule, isPresent func(*refconfig.Template) bool,
) (names []string) {
	has := func(c *refconfig.Component) bool {
		return slices.ContainsFunc(c.Rules, func(rule refconfig.Rule) bool {
			return slices.ContainsFunc(rule.Templates, isPresent)
		})
	}
	for _, p := range ref.Parts {
		collected, missed := slices.ContainsFunc(p.Components, has), false
		for _, b := range rules {
			for _, m := range b.Missing {
				if b.Part == p.Name {
					missed = true
					collected = collected || !m.NotCollected
				}
			}
		}
		if missed && !collected {
			names = append(names, p.Name)
		}
	}
	return names
}

// statedID returns the identity that a template states. A "*" replaces the open parts of a pattern.
// A field that the template leaves open is "".
func statedID(id template.Identity) finding.Object {
	text := func(m template.Matcher) string {
		if !m.Fixed() {
			return ""
		}
		return m.String()
	}
	return finding.Object{
		APIVersion: text(id.APIVersion),
		Kind:       text(id.Kind),
		Namespace:  text(id.Namespace),
		Name:       text(id.Name),
	}
}

// pointers has the objects with owner references or subjects, by kind and name of the object that
// they refer to, sorted by identity.
type pointers map[[2]string][]*manifest.Object

func (s *store) pointers() pointers {
	all := pointers{}
	add := func(kind, name string, o *manifest.Object) {
		if list := all[[2]string{kind, name}]; len(list) == 0 || list[len(list)-1] != o {
			all[[2]string{kind, name}] = append(list, o)
		}
	}
	for _, e := range s.distinct {
		for _, owner := range e.object.Owners {
			add(owner.Kind, owner.Name, e.object)
		}
		for _, subject := range e.object.Subjects {
			add(subject.Kind, subject.Name, e.object)
		}
	}
	return all
}

// at returns an object that refers to the object of a template, and how: as its owner, or as a
// ServiceAccount that a role binding names. Such a reference shows that the cluster has the
// template's object although the input lacks it.
func (p pointers) at(id template.Identity) (manifest.ID, string, bool) {
	kind, ok1 := id.Kind.Exact()
	name, ok2 := id.Name.Exact()
	if !ok1 || !ok2 {
		return manifest.ID{}, "", false
	}
	for _, o := range p[[2]string{kind, name}] {
		for _, owner := range o.Owners {
			if owner.Kind == kind && owner.Name == name && id.APIVersion.Matches(owner.APIVersion) &&
				ownedFrom(id, o.ID) {
				return o.ID, "ownerReference", true
			}
		}
		for _, subject := range o.Subjects {
			if kind != "ServiceAccount" || subject.Kind != kind || subject.Name != name {
				continue
			}
			if id.APIVersion.Matches("v1") && id.Namespace.Matches(subject.Namespace) {
				return o.ID, "subject", true
			}
		}
	}
	return manifest.ID{}, "", false
}

// ownedFrom reports whether the object of a template may own another object: an owner has either no
// namespace or the namespace of the objects that it owns.
func ownedFrom(id template.Identity, owned manifest.ID) bool {
	return !id.Namespace.Fixed() || id.Namespace.Matches(owned.Namespace)
}
