package compare

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// concerns reports whether CRs of a kind concern the reference: they can match a template, or a
// template looks them up, or they would define a custom kind that is not validated. The kinds that
// templates compute for lookups are known after all objects have been compared.
func (r *run) concerns(kind string) bool {
	return r.templates.kept.HasKind(kind) || r.templates.lookups.HasKind(kind) ||
		r.evidence.AskedFor(kind) ||
		kind == "CustomResourceDefinition" && slices.ContainsFunc(r.withoutSchema(), isCustom)
}

// sortLost decides which lost content of the inputs concerns the reference.
func (r *run) sortLost() {
	for _, in := range []*Collected{&r.in, &r.old} {
		in.SortLost(r.concerns)
		r.unread = append(r.unread, in.Unreadable...)
		r.warnOf(in.Warnings...)
	}
}

// addGaps adds what is not known because objects were not collected: the results of lookups, and
// whether the cluster has further objects of templates.
func (r *run) addGaps(there present) {
	now, earlier := r.evidence, r.earlier
	for _, u := range slices.Concat(now.Unanswered(false), earlier.Unanswered(true)) {
		if u.Lost {
			r.unread = append(r.unread, u.Problem)
			continue
		}
		r.result.NotKnown = append(r.result.NotKnown, u.Problem)
		if u.Kind != (finding.Kind{}) {
			r.result.NotCollected = append(r.result.NotCollected, u.Kind)
		}
	}
	r.result.NotKnown = append(r.result.NotKnown, r.maskedLookups()...)
	var open []cluster.Query
	if now.HasGaps() && !r.opt.Given {
		open = r.openQueries(there)
	}
	concerned, others := now.Gaps(open...)
	r.result.NotKnown = append(r.result.NotKnown, concerned...)
	_, old := earlier.Gaps()
	r.warnOf(slices.Concat(others, old)...)
}

// openQueries returns queries for the objects of the analysed templates that the input may lack, and for
// the definitions of custom kinds that are not validated. A template that states one identity, and
// has its object, lacks none.
func (r *run) openQueries(there present) (queries []cluster.Query) {
	for _, t := range r.templates.kept.Templates() {
		_, named := t.Identity.Name.Exact()
		one := func(p finding.Present) bool { return t.Identity.Namespace.Fixed() || p.Object.Namespace == "" }
		if !named || !slices.ContainsFunc(there[t], one) {
			queries = append(queries, queryFor(t.Identity))
		}
	}
	for _, k := range r.withoutSchema() {
		if isCustom(k) {
			queries = append(queries, cluster.DefinitionOf(k))
		}
	}
	return queries
}

// unknownRules adds the rules that are not broken, but would be if the cluster has CRs that the
// input may not show.
func (r *run) unknownRules(there present) {
	if !r.evidence.HasGaps() {
		return
	}
	for _, c := range r.ref.Components() {
		if !r.opt.Keep(c) {
			continue
		}
		for _, rule := range c.Rules {
			unseen, unknown := r.unseen(rule, there)
			if !unknown {
				continue
			}
			var names []string
			for _, t := range unseen {
				names = append(names, statedID(t.Identity).Short())
				r.result.NotCollected = append(r.result.NotCollected, kindOf(t))
			}
			at := refconfig.Place{File: r.ref.Metadata, Line: rule.Line}
			r.result.NotKnown = append(r.result.NotKnown, at.Problem(
				code.RuleUnknown, "the rule %s of %s is not known, because these CRs may not have been collected: %s",
				rule.Kind, c.Name, strings.Join(names, ", ")))
		}
	}
}

// unseen returns the templates of a rule whose objects the cluster may have although the input lacks
// them, and whether these objects would break the rule.
func (r *run) unseen(rule refconfig.Rule, there present) (unseen []*render.Template, unknown bool) {
	most, bounded := rule.Most()
	if !bounded {
		return nil, false
	}
	found := 0
	for _, ref := range rule.Templates {
		t := r.templates.byRef(ref)
		switch {
		case len(there[t]) > 0:
			found++
		case r.evidence.WhyUnknown(queryFor(t.Identity)) != "":
			unseen = append(unseen, t)
		}
	}
	return unseen, found <= most && found+len(unseen) > most
}

// maskedLookups returns a problem for each CR that a template looked up and of which it reads a value
// that the collector masked.
func (r *run) maskedLookups() (all []refconfig.Problem) {
	for _, e := range r.store.distinct {
		for _, one := range append([]*stored{e}, e.others...) {
			o := one.object
			layout := r.layoutOf(o)
			if !one.looked.Load() || layout == "" {
				continue
			}
			if path := r.readOf(o.ID, diff.MaskedIn(layout, o.ID.Kind, one.value)); path != nil {
				all = append(all, o.Place.Problem(code.LookupUnknown,
					"%s, which a template looks up, has a value that the collector masked: %s; the result of the template may "+
						"be wrong; compare the CR as the cluster has it", finding.Object(o.ID).Stated(), path))
			}
		}
	}
	return all
}

// readOf returns the first of some fields of an object that a template may read when it looks the
// object up; nil for none.
func (r *run) readOf(id manifest.ID, fields []refconfig.FieldPath) refconfig.FieldPath {
	if len(fields) == 0 {
		return nil
	}
	var prober probe.Prober
	for _, t := range r.templates.kept.Templates() {
		for _, l := range prober.Execute(r.ctx, t.Template).Lookups {
			if !mayFind(l, id) {
				continue
			}
			for _, text := range l.Reads {
				read, err := refconfig.ParseFieldPath(text)
				i := slices.IndexFunc(fields, func(field refconfig.FieldPath) bool {
					n := min(len(read), len(field))
					return err != nil || refconfig.OmitEntry{Path: read[:n]}.Match(field[:n])
				})
				if i >= 0 {
					return fields[i]
				}
			}
		}
	}
	return nil
}

// mayFind reports whether a lookup may find a CR.
func mayFind(l probe.LookedUp, id manifest.ID) bool {
	may := func(wanted, has string) bool { return wanted == "" || wanted == "*" || wanted == has }
	return may(l.APIVersion, id.APIVersion) && may(l.Kind, id.Kind) && may(l.Namespace, id.Namespace) &&
		may(l.Name, id.Name)
}
