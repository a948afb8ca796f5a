package compare

import (
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// missing explains which CRs are missing. It is made after a run has compared everything.
type missing struct {
	templates *templates
	evidence  *cluster.Evidence
	compared  []*verdict
	unmatched []*manifest.Object                  // objects that may be the missing ones
	fix       func(*render.Template) *finding.Fix // nil if nobody wants to create CRs

	kinds []finding.Kind // kinds of the CRs that may not have been collected
	lost  bool           // some may be lost: the collector failed, or an archive or a file is broken
	names int            // number of name comparisons, see mostNames
}

// missing prepares the explanation of the missing CRs of a run.
func (r *run) missing() *missing {
	m := &missing{
		templates: r.templates,
		evidence:  r.evidence,
		compared:  r.compared,
		unmatched: r.unmatched,
	}
	if r.opt.Fix || r.opt.Create {
		m.fix = r.creation
	}
	return m
}

// explain returns a broken rule with its missing templates: their objects, the nearest objects of
// the input, and whether the objects may exist but were not collected.
func (m *missing) explain(b finding.Rule, templates []*refconfig.Template) finding.Rule {
	allUncollected := true
	for _, ref := range templates {
		t := m.templates.byRef(ref)
		one := finding.Missed{Template: ref.Path, Line: ref.Line, Object: statedID(t.Identity), Nearest: m.nearest(t)}
		kind, why := m.notCollectedBecause(t)
		one.NotCollected, one.Because = why != "", why
		if one.NotCollected && kind.Kind != "" {
			m.kinds = append(m.kinds, kind)
		}
		m.lost = m.lost || one.NotCollected && one.Because != finding.NotAsked
		if len(b.Present) > 0 {
			one.WantedBy = &b.Present[0].Object
		}
		if m.fix != nil {
			one.Fix = m.fix(t)
		}
		b.Missing = append(b.Missing, one)
		allUncollected = allUncollected && one.NotCollected
	}
	if allUncollected && b.Code == code.RuleMissing {
		b.Code = code.RuleNotGathered
	}
	if b.Code == code.RuleNotGathered || b.PerhapsBroken() {
		b.Message += ", perhaps not collected"
	}
	return b
}

// notCollectedBecause returns the kind of a template's objects, and the reason why the cluster may
// have the object although the input lacks it. The reason is "" if the cluster cannot have it.
func (m *missing) notCollectedBecause(t *render.Template) (finding.Kind, finding.Uncollected) {
	return kindOf(t), m.evidence.WhyUncollected(queryFor(t.Identity))
}

// kindOf returns the kind of a template's objects, as far as the template states it.
func kindOf(t *render.Template) finding.Kind {
	kind, _ := t.Identity.Kind.Exact()
	version, _ := t.Identity.APIVersion.Exact()
	return finding.Kind{APIVersion: version, Kind: kind}
}

// queryFor returns the query for the objects of a template.
func queryFor(id template.Identity) cluster.Query {
	kind, exact := id.Kind.Exact()
	if !exact {
		kind = ""
	}
	_, one := id.Namespace.Exact()
	return cluster.Query{
		Group:     group(id.APIVersion),
		Kind:      kind,
		Namespace: id.Namespace.Matches,
		Name:      id.Name.Matches,
		Spread:    !one,
	}
}

// group returns the API group of a matcher's apiVersion; "*" if it is open.
func group(m template.Matcher) string {
	v, exact := m.Exact()
	if !exact {
		return "*"
	}
	return manifest.ID{APIVersion: v}.Group()
}

// nearest returns the object that is nearest to a template without an object, or nil: the object
// that was compared with the template as the nearest one, else the unmatched object that agrees in
// most identity fields. Among several of these, it returns the one with the most similar name.
func (m *missing) nearest(t *render.Template) *finding.Nearest {
	id := t.Identity
	near := func(o manifest.ID) *finding.Nearest {
		differs := (correlate.Fixed(id) &^ correlate.Agree(id, o)).Names()
		return &finding.Nearest{
			Template: t.Ref.Path,
			Object:   finding.Object(o),
			Differs:  append([]string{}, differs...),
		}
	}
	for _, c := range m.compared {
		if c.found.Correlation.By == finding.ByNearest && m.templates.byRef(c.template) == t {
			return near(manifest.ID(c.found.Object))
		}
	}
	var best *manifest.Object
	most, like := 0, 0
	for _, u := range m.unmatched {
		if !id.Kind.Matches(u.ID.Kind) || !m.mayCompare(id, u.ID) || !mayBeMeant(id, u.ID) {
			continue
		}
		n, l := len(correlate.Agree(id, u.ID).Names()), correlate.Likeness(id.Name, u.ID.Name)
		if n > most || n == most && l > like {
			best, most, like = u, n, l
		}
	}
	if best == nil {
		return nil
	}
	return near(best.ID)
}

// mostNames is the number of pairs of names that a run compares at most to find the nearest
// objects. These comparisons take some seconds, and are enough for hundreds of missing CRs and tens
// of thousands of other CRs of their kind. A long name counts as several.
const mostNames = 4_000_000

// mayCompare counts a pair of names, and reports whether mostNames allows it.
func (m *missing) mayCompare(id template.Identity, o manifest.ID) bool {
	m.names += 1 + (len(id.Name.String())+len(o.Name))/64
	return m.names <= mostNames
}

// mayBeMeant reports whether a template may be intended for an object that it does not match: the
// object has its API group and kind, and either its name, or its namespace and a similar name.
func mayBeMeant(id template.Identity, o manifest.ID) bool {
	of := group(id.APIVersion)
	switch {
	case !id.Kind.Matches(o.Kind) || of != "*" && of != o.Group():
		return false
	case id.Name.Fixed() && id.Name.Matches(o.Name):
		return true
	}
	return id.Namespace.Matches(o.Namespace) && correlate.Similar(id.Name, o.Name, id.Namespace.Fixed())
}
