package patch

import (
	"path"
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

// acceptedOf returns the objects of a template that break a rule and that overrides accept.
func (s *Set) acceptedOf(v refconfig.Violation, t *refconfig.Template, objects []finding.Object) []finding.AcceptedCR {
	present := forbids(v.Code)
	var all []finding.AcceptedCR
	for _, o := range objects {
		near := s.whole.near(o.Name)
		at := slices.IndexFunc(near, func(i int) bool {
			switch one := s.all[i]; {
			case one.Expired(s.today) || !isFor(one, t):
				return false
			case present:
				return one.Present && meets(one, manifest.ID(o))
			default:
				return one.Missing && meetsStated(one, o)
			}
		})
		if at >= 0 {
			all = append(all, finding.Accept(v, t, o, present, near[at], s.all[near[at]]))
		}
	}
	return all
}

func isGlob(text string) bool { return strings.ContainsAny(text, `*?[\`) }

// meetsStated reports whether an override may match an object that is known only by the identity
// that a template states. In it, "*" replaces the open parts of a pattern, and "" is an open field.
func meetsStated(o refconfig.Override, stated finding.Object) bool {
	if o.ExactMatch != "" {
		return o.ExactMatch == manifest.ID(stated).Key()
	}
	agree := func(want, have string) bool {
		if want == "" || have == "" || want == have || !isGlob(have) {
			return want == "" || have == "" || want == have
		}
		met, _ := path.Match(have, want)
		return met
	}
	return agree(o.APIVersion, stated.APIVersion) && agree(o.Kind, stated.Kind) &&
		agree(o.Namespace, stated.Namespace) &&
		agree(o.Name, stated.Name)
}

// isPatch reports whether an override is about differences of a CR, and not about its presence.
func isPatch(o refconfig.Override) bool { return !o.Missing && !o.Present }
