package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// nearestTried is the number of objects that a template is compared with to find the nearest one. A
// cluster may have hundreds of objects of a kind that a reference has once, so only those with the
// most similar identities are compared.
const nearestTried = 20

// nearby is a pair of an object without a template and a template that may be intended for it.
type nearby struct {
	at       int // index of the object in the store
	template *render.Template
	order    int  // position of the template in the reference
	kindOnly bool // the namespaces differ
	foreign  bool // the apiVersions differ
	likeness int  // how much the names have in common
	score    int  // number of changed characters, or incomparable or refused
}

// assignNearest assigns wanted templates without an object to objects that match no template and
// that have to do with them. Each template gets at most one object, and each object at most one
// template of its kind. Pairs with the same namespace are assigned first, then pairs with a smaller
// difference, then by the order of the reference and of the identities. So the order of the input
// does not matter.
func (r *run) assignNearest(verdicts []*verdict) {
	c, all := r.comparer, r.nearbys(verdicts)
	scores := workers.Each(c.ctx, c.opt.Workers, len(all), func(i int) int { return c.distance(all[i]) })
	for i, score := range scores {
		all[i].score = score
	}
	if r.ctx.Err() != nil {
		for i, v := range verdicts {
			if v != nil && v.none && r.templates.index.ComesNear(r.store.distinct[i].object.ID.Kind) {
				verdicts[i] = nil // as for an object that was not compared
			}
		}
		return
	}
	slices.SortStableFunc(all, func(a, b nearby) int {
		return cmp.Or(compareBools(a.kindOnly, b.kindOnly), cmp.Compare(a.score, b.score), a.order-b.order, a.at-b.at)
	})
	given := map[*render.Template]bool{}
	var found []int
	for _, n := range all {
		e := r.store.distinct[n.at]
		if n.score < refused && !given[n.template] && r.assigned[e] == nil {
			given[n.template], r.assigned[e] = true, n.template
			found = append(found, n.at)
		}
	}
	if c.opt.Choose != nil {
		c.alternatives = map[*stored][]*render.Template{}
		for _, n := range all {
			if e := r.store.distinct[n.at]; n.score < refused && !given[n.template] && r.assigned[e] != nil {
				c.alternatives[e] = append(c.alternatives[e], n.template)
			}
		}
	}
	compared := workers.Each(c.ctx, c.opt.Workers, len(found), func(i int) *verdict {
		e := c.store.distinct[found[i]]
		return c.safely(e, r.assigned[e])
	})
	for i, at := range found {
		verdicts[at] = compared[i] // nil for an object that was not compared
	}
	c.ask(verdicts)
}

// nearbys pairs each object without a template with the wanted templates without an object that
// may be intended for it. It keeps the objects with the most similar identities for each template.
func (r *run) nearbys(verdicts []*verdict) []nearby {
	wanted := r.wantedTemplates(verdicts)
	unmet := map[[2]string][]*render.Template{} // the templates near an object, by its kind and namespace
	byTemplate := map[*render.Template][]nearby{}
	for i, v := range verdicts {
		if v == nil || !v.none {
			continue
		}
		id := r.store.distinct[i].object.ID
		if correlate.Everywhere(id) {
			continue
		}
		of := [2]string{id.Kind, id.Namespace}
		if _, there := unmet[of]; !there {
			all := r.templates.index.Nearest(id)
			unmet[of] = slices.DeleteFunc(all, func(t *render.Template) bool { return !wanted[t] })
		}
		for _, t := range unmet[of] {
			if !correlate.Related(t.Identity, id) {
				continue
			}
			byTemplate[t] = likest(
				byTemplate[t],
				10*nearestTried,
				nearby{at: i, template: t, kindOnly: !t.Identity.Namespace.Matches(id.Namespace),
					foreign: !t.Identity.APIVersion.Matches(
						id.APIVersion,
					), likeness: correlate.Likeness(t.Identity.Name, id.Name)},
			)
		}
	}
	var all []nearby
	for order, t := range r.templates.index.Templates() {
		for _, n := range likest(byTemplate[t], 0) {
			n.order = order
			all = append(all, n)
		}
	}
	return all
}

// likest appends to a list. If the list then has more than most entries, it keeps those with the
// most similar identities.
func likest(list []nearby, most int, more ...nearby) []nearby {
	if list = append(list, more...); len(list) <= most {
		return list
	}
	slices.SortStableFunc(list, func(a, b nearby) int {
		return cmp.Or(compareBools(a.kindOnly, b.kindOnly), compareBools(a.foreign, b.foreign), b.likeness-a.likeness)
	})
	return list[:min(len(list), nearestTried)]
}

// wantedTemplates returns the templates without an object that a rule requires: by itself, or
// because another CR of the component is there.
func (r *run) wantedTemplates(verdicts []*verdict) map[*render.Template]bool {
	met, wanted := map[*render.Template]bool{}, map[*render.Template]bool{}
	for _, v := range verdicts {
		switch {
		case v == nil:
		case v.template != nil:
			met[r.templates.byRef(v.template)] = true
		case v.leftOut != nil:
			met[v.leftOut] = true
		}
	}
	isMet := func(t *refconfig.Template) bool { return met[r.templates.byRef(t)] }
	for _, c := range r.ref.Components() {
		present := slices.ContainsFunc(c.Rules, func(rule refconfig.Rule) bool {
			return slices.ContainsFunc(rule.Templates, isMet)
		})
		for _, rule := range c.Rules {
			switch rule.Kind {
			case refconfig.AllOf:
			case refconfig.AllOrNoneOf, refconfig.AnyOf:
				if !present {
					continue
				}
			default: // other rules forbid or require no certain CR
				continue
			}
			for _, t := range rule.Templates {
				wanted[r.templates.byRef(t)] = !isMet(t)
			}
		}
	}
	return wanted
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// These are the scores of pairs without a comparison. Objects that cannot be compared come after
// all others; objects that the template refuses are omitted.
const (
	incomparable = math.MaxInt - 1
	refused      = math.MaxInt
)

// distance returns the score of an object and a template that may be intended for it.
func (c *comparer) distance(n nearby) (score int) {
	defer func() {
		if recover() != nil {
			score = incomparable // the error is reported if the pair is assigned and compared again
		}
	}()
	e := c.store.distinct[n.at]
	leave, ok := c.enter(e)
	defer leave()
	if !ok {
		return incomparable
	}
	s := c.subject(e, nil)
	s, err := c.open(s)
	if err != nil {
		return incomparable
	}
	s.refused = nil // what an API server would reject makes it no other CR
	all, _ := c.attempts(s, []*render.Template{n.template})
	switch {
	case len(all) == 0:
		return refused
	case all[0].err != nil:
		return incomparable
	}
	return all[0].distance(s.secretive)
}
