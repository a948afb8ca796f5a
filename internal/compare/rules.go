package compare

import (
	"cmp"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// rules evaluates the component rules over the templates that met an object, or whose object others point at.
func (r *run) rules() {
	met := map[*render.Template]bool{}
	for i := range r.result.Comparisons {
		if c := &r.result.Comparisons[i]; c.Template != nil && r.stands(c) {
			met[r.byRef(c.Template)] = true
		}
	}
	for _, t := range r.index.Templates() {
		if met[t] {
			continue
		}
		if by, how, ok := r.store.pointsAt(t.Identity); ok {
			met[t] = true
			r.result.Referenced = append(r.result.Referenced, Referenced{Template: t.Ref, By: by, How: how})
		}
	}
	violations := r.ref.Evaluate(func(t *refconfig.Template) bool { return met[r.byRef(t)] }, r.opt.Keep)
	gaps := map[KindOf]bool{}
	for _, v := range violations {
		b := BrokenRule{Violation: v, Code: v.Code}
		if v.Code == code.RuleMissing || v.Code == code.RuleOneRequired {
			r.explainMissing(&b, gaps, met)
		}
		r.result.Rules = append(r.result.Rules, b)
	}
	for g := range gaps {
		r.result.NotGathered = append(r.result.NotGathered, g)
	}
	slices.SortFunc(r.result.NotGathered, func(a, b KindOf) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.APIVersion, b.APIVersion))
	})
}

// explainMissing says of missing templates which unmatched object comes near, and whether the input could have shown the
// object at all.
func (r *run) explainMissing(b *BrokenRule, gaps map[KindOf]bool, met map[*render.Template]bool) {
	uncollected := 0
	for _, t := range b.Templates {
		if met[r.byRef(t)] {
			continue
		}
		if n, ok := r.nearest(r.byRef(t)); ok {
			b.Nearest = append(b.Nearest, n)
		}
		if kind, missed := r.notGathered(r.byRef(t).Identity); missed {
			gaps[kind] = true
			uncollected++
		}
	}
	if uncollected == len(b.Templates) && b.Code == code.RuleMissing {
		b.Code = code.RuleNotGathered
		b.Message += ", maybe not collected"
	}
}

// notGathered returns the kind of a template's objects, and whether the input could not have shown them: it was gathered, and
// has nothing of the kind.
func (r *run) notGathered(id render.Identity) (KindOf, bool) {
	kind, exact := id.Kind.Exact()
	version, _ := id.APIVersion.Exact()
	return KindOf{version, kind}, exact && r.in.Gathered && !r.collected(group(id.APIVersion), kind)
}

// group returns the API group of a matcher's apiVersion; "*" where it is open.
func group(m render.Matcher) string {
	v, exact := m.Exact()
	if !exact {
		return "*"
	}
	return manifest.ID{APIVersion: v}.Group()
}

// collected reports whether the input holds an object, or a List, of an API group ("*" for any) and kind.
func (r *run) collected(group, kind string) bool {
	for k, list := range r.store.byKind {
		if len(list) > 0 && k[1] == kind && (group == "*" || manifest.ID{APIVersion: k[0]}.Group() == group) {
			return true
		}
	}
	return slices.ContainsFunc(r.in.Listed, func(l GroupKind) bool {
		return l.Kind == kind && (group == "*" || l.Group == group)
	})
}

// pointsAt looks for an object that shows that a template's object exists although the input lacks it: an owner
// reference to it, or a role binding with it as a ServiceAccount subject.
func (s *store) pointsAt(id render.Identity) (manifest.ID, string, bool) {
	kind, ok1 := id.Kind.Exact()
	name, ok2 := id.Name.Exact()
	if !ok1 || !ok2 {
		return manifest.ID{}, "", false
	}
	for _, e := range s.distinct {
		o := e.object
		for _, owner := range o.Owners {
			if owner.Kind == kind && owner.Name == name && id.APIVersion.Meets(owner.APIVersion) && ownedFrom(id, o.ID) {
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

// ownedFrom reports whether an object could be owned by what a template names: an owner is cluster-scoped or lives in the
// namespace of what it owns.
func ownedFrom(id render.Identity, owned manifest.ID) bool {
	return !id.Namespace.Fixed() || id.Namespace.Meets(owned.Namespace)
}

// configVersion is the apiVersion of the objects by which OpenShift describes the cluster itself.
const configVersion = "config.openshift.io/v1"

// cluster reads what the input says about its cluster.
func (r *run) cluster() {
	c := &r.result.Cluster
	c.Gathered = r.in.When
	for _, e := range r.store.byKind[[2]string{configVersion, "ClusterVersion"}] {
		if v, err := e.decode(); err == nil && c.ID == "" {
			c.ID = stringAt(v, "spec", "clusterID")
			c.Version = stringAt(v, "status", "desired", "version")
		}
	}
	for _, e := range r.store.byKind[[2]string{configVersion, "Infrastructure"}] {
		if v, err := e.decode(); err == nil && c.Infrastructure == "" {
			c.Infrastructure = stringAt(v, "status", "infrastructureName")
		}
	}
}

// stringAt returns the string at a path of keys, or "".
func stringAt(v any, keys ...string) string {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	s, _ := v.(string)
	return s
}
