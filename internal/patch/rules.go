package patch

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// Rules removes the CRs that overrides accept as missing or present from broken rules. It returns
// the remaining violations and the accepted CRs. of returns the objects with which a template
// breaks a rule: those that are present, or the one that the template states (see finding.Missed).
func (s *Set) Rules(
	broken []refconfig.Violation, of func(*refconfig.Template) []finding.Object,
) ([]refconfig.Violation, []finding.AcceptedCR) {
	var left []refconfig.Violation
	var accepted []finding.AcceptedCR
	for _, v := range broken {
		if v.Code == code.RuleExclusive && s.acceptsOthers(v, of) {
			left = append(left, v)
			continue
		}
		v.Templates = slices.DeleteFunc(slices.Clone(v.Templates), func(t *refconfig.Template) bool {
			objects := of(t)
			some := s.acceptedOf(v, t, objects)
			accepted = append(accepted, some...)
			return len(some) == len(objects)
		})
		least := 1
		switch v.Code {
		case code.RuleExclusive:
			v.There, least = v.Templates, 2
		case code.RuleForbidden:
			v.There = v.Templates
		}
		if len(v.Templates) >= least {
			left = append(left, v)
		}
	}
	return left, accepted
}

// acceptsOthers reports whether overrides accept several CRs of an exclusive rule together, and
// another one is there: it was not accepted beside them.
func (s *Set) acceptsOthers(v refconfig.Violation, of func(*refconfig.Template) []finding.Object) bool {
	accepts := func(t *refconfig.Template) bool {
		objects := of(t)
		return len(s.acceptedOf(v, t, objects)) == len(objects)
	}
	together := 0
	for _, rule := range v.Component.Rules {
		if rule.Kind != v.Rule || rule.Line != v.Line {
			continue
		}
		for _, t := range rule.Templates {
			if accepts(t) {
				together++
			}
		}
	}
	return together > 1 && slices.ContainsFunc(v.Templates, func(t *refconfig.Template) bool { return !accepts(t) })
}

// acceptedOf returns the objects of a template that break a rule and that overrides accept.
func (s *Set) acceptedOf(v refconfig.Violation, t *refconfig.Template, objects []finding.Object) []finding.AcceptedCR {
	present := forbids(v.Code)
	var all []finding.AcceptedCR
	for _, o := range objects {
		near := s.whole.near(o.Name)
		at := slices.IndexFunc(near, func(i int) bool {
			one := s.all[i]
			accepts := present && one.Present || !present && one.Missing
			return accepts && !one.Expired(s.today) && isFor(one, t) && meets(one, manifest.ID(o), !present)
		})
		if at >= 0 {
			all = append(all, finding.Accept(v, t, o, present, near[at], s.all[near[at]]))
		}
	}
	return all
}

func isGlob(text string) bool { return strings.ContainsAny(text, `*?[\`) }

// isPatch reports whether an override is about differences of a CR, and not about its presence.
func isPatch(o refconfig.Override) bool { return !o.Missing && !o.Present }
