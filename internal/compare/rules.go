package compare

import (
	"cmp"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// rules evaluates the component rules over the templates that met an object, or whose object others
// point at. Where the input shows that there is no such object, those that point at it do so in
// vain.
func (r *run) rules() {
	met := map[*render.Template][]finding.Present{}
	for _, c := range r.compared {
		if c.template != nil && r.stands(c) {
			t := r.templates.byRef(c.template)
			met[t] = append(met[t], finding.Present{Object: c.found.Object})
		}
	}
	pointers := r.store.pointers()
	for _, t := range r.templates.index.Templates() {
		if len(met[t]) > 0 {
			continue
		}
		if by, how, ok := pointers.at(t.Identity); ok && !r.comparer.evidence.ProvesAbsent(sought(t.Identity)) {
			met[t] = []finding.Present{{Object: statedID(t.Identity), Referenced: true}}
			r.result.Referenced = append(r.result.Referenced, finding.Referenced{
				Template:    t.Ref.Path,
				By:          finding.Object(by),
				How:         how,
				Description: t.Ref.Description,
			})
		}
	}
	isMet := func(t *refconfig.Template) bool { return len(met[r.templates.byRef(t)]) > 0 }
	violations := r.ref.Evaluate(isMet, r.opt.Keep)
	r.nothingOf(met, violations)
	violations, r.result.AcceptedCRs = r.comparer.overrides.Rules(
		violations,
		func(t *refconfig.Template) (objects []finding.Object) {
			for _, p := range met[r.templates.byRef(t)] {
				objects = append(objects, p.Object)
			}
			if objects == nil {
				objects = append(objects, statedID(r.templates.byRef(t).Identity))
			}
			return objects
		},
	)
	for _, v := range violations {
		b := finding.NewRule(v)
		for _, t := range v.There {
			for _, p := range met[r.templates.byRef(t)] {
				p.Template = t.Path
				if !slices.ContainsFunc(r.result.AcceptedCRs, func(a finding.AcceptedCR) bool { return a.For(b, p) }) {
					b.Present = append(b.Present, p)
				}
			}
		}
		if v.Code == code.RuleMissing || v.Code == code.RuleOneRequired {
			r.explainMissing(&b, v.Templates)
		}
		if r.opt.Accept != nil {
			b.Acceptance = r.opt.Accept.Rule(v, b)
		}
		r.result.Rules = append(r.result.Rules, b)
	}
	r.uncollectedParts(met)
	slices.SortFunc(r.result.NotCollected, func(a, b finding.Kind) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.APIVersion, b.APIVersion))
	})
}

// nothingOf notes which components that the user named have neither a CR in the input nor a broken
// rule: perhaps they were not collected.
func (r *run) nothingOf(met map[*render.Template][]finding.Present, violations []refconfig.Violation) {
	answered := map[*refconfig.Component]bool{}
	for _, v := range violations {
		answered[v.Component] = true
	}
	for _, t := range r.ref.Templates {
		if slices.ContainsFunc(met[r.templates.byRef(t)], func(p finding.Present) bool { return !p.Referenced }) {
			answered[t.Component] = true
		}
	}
	r.unread = append(
		r.unread,
		r.ref.Unanswered(r.opt.Chosen, func(c *refconfig.Component) bool { return answered[c] || !r.opt.Keep(c) })...)
}

// explainMissing says of missing templates which objects they are for, which one comes near, and
// whether the input could have shown the object at all.
func (r *run) explainMissing(b *finding.Rule, templates []*refconfig.Template) {
	for _, t := range templates {
		of := r.templates.byRef(t)
		m := finding.Missed{Template: t.Path, Line: t.Line, Object: statedID(of.Identity), Nearest: r.nearest(of)}
		kind, why := r.notGathered(of.Identity)
		m.NotCollected, m.Because = why != "", why
		if m.NotCollected && kind.Kind != "" && !slices.Contains(r.result.NotCollected, kind) {
			r.result.NotCollected = append(r.result.NotCollected, kind)
		}
		r.result.Lost = r.result.Lost || m.NotCollected && why != finding.NotAsked
		if len(b.Present) > 0 {
			m.WantedBy = &b.Present[0].Object
		}
		if r.opt.Fix {
			m.Fix = r.comparer.fixMissing(of, m.Object)
		}
		b.Missing = append(b.Missing, m)
	}
	collected := func(m finding.Missed) bool { return !m.NotCollected }
	if !slices.ContainsFunc(b.Missing, collected) && b.Code == code.RuleMissing {
		b.Code = code.RuleNotGathered
		b.Message += ", perhaps not collected"
	}
}

// statedID returns the identity that a template states: a pattern has * for what is open, a field
// that is left open is "".
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

// pointers are the objects with owner references and subjects, by the kind and the name of these,
// in their order.
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

// at looks for an object that shows that a template's object exists although the input lacks it: an
// owner reference to it, or a role binding with it as a ServiceAccount subject.
func (p pointers) at(id template.Identity) (manifest.ID, string, bool) {
	kind, ok1 := id.Kind.Exact()
	name, ok2 := id.Name.Exact()
	if !ok1 || !ok2 {
		return manifest.ID{}, "", false
	}
	for _, o := range p[[2]string{kind, name}] {
		for _, owner := range o.Owners {
			if owner.Kind == kind && owner.Name == name && id.APIVersion.Meets(owner.APIVersion) &&
				ownedFrom(id, o.ID) {
				return o.ID, "ownerReference", true
			}
		}
		for _, subject := range o.Subjects {
			if kind != "ServiceAccount" || subject.Kind != kind || subject.Name != name {
				continue
			}
			if id.APIVersion.Meets("v1") && id.Namespace.Meets(subject.Namespace) {
				return o.ID, "subject", true
			}
		}
	}
	return manifest.ID{}, "", false
}

// ownedFrom reports whether an object could be owned by what a template names: an owner is
// cluster-scoped or lives in the namespace of what it owns.
func ownedFrom(id template.Identity, owned manifest.ID) bool {
	return !id.Namespace.Fixed() || id.Namespace.Meets(owned.Namespace)
}

// configVersion is the apiVersion of the objects by which OpenShift describes the cluster itself.
const configVersion = "config.openshift.io/v1"

// cluster reads what the input says about its cluster.
func (r *run) cluster() {
	c := &r.result.Cluster
	c.Gathered = r.in.When
	for _, e := range r.store.byKind[[2]string{configVersion, "ClusterVersion"}] {
		if v, err := e.decode(); err == nil && c.ID == "" && e.object.Wrapper == "" {
			c.ID = tree.StringAt(v, "spec", "clusterID")
			c.Version = tree.StringAt(v, "status", "desired", "version")
		}
	}
	for _, e := range r.store.byKind[[2]string{configVersion, "Infrastructure"}] {
		if v, err := e.decode(); err == nil && c.Infrastructure == "" && e.object.Wrapper == "" {
			c.Infrastructure = tree.StringAt(v, "status", "infrastructureName")
		}
	}
}
