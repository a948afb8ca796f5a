package patch

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// Rules removes the CRs that overrides accept as missing or present from broken rules. It returns
// the remaining violations and the accepted CRs. of returns the objects with which a template
// breaks a rule: those that are present, or the one that the template states (see finding.Missed).
// required has all templates that a rule may require.
func (s *Set) Rules(
	broken []refconfig.Violation, of func(*refconfig.Template) []finding.Object, required Stated,
) ([]refconfig.Violation, []finding.AcceptedCR) {
	var left []refconfig.Violation
	var accepted []finding.AcceptedCR
	meant := s.meantBy(required)
	for _, v := range broken {
		if v.Code == code.RuleExclusive && s.acceptsOthers(v, of) {
			left = append(left, v)
			continue
		}
		v.Templates = slice.Without(v.Templates, func(t *refconfig.Template) bool {
			objects := of(t)
			some := s.acceptedOf(v, t, objects, meant)
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
		return len(s.acceptedOf(v, t, objects, nil)) == len(objects)
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

// Stated has templates, each with the identity that it states.
type Stated iter.Seq2[*refconfig.Template, finding.Object]

// meant is a CR that an override may accept as missing: the one that templates name, or the one of a
// template that leaves the name open.
type meant struct {
	object finding.Object // without a name if that is open
	path   string         // of the template; "" if it states the name
}

func meantIn(t *refconfig.Template, stated finding.Object) meant {
	if stated.Name == "" || isGlob(stated.Name) {
		return meant{path: path.Clean(t.Path)}
	}
	return meant{object: stated}
}

// meantBy returns the missing CRs that each override may be for. Those that templates name go
// before those whose name is open.
func (s *Set) meantBy(required Stated) map[int][]meant {
	all := map[int][]meant{}
	for t, stated := range required {
		for _, i := range s.whole.near(stated.Name) {
			one := s.all[i]
			if m := meantIn(t, stated); one.Missing && isFor(one, t) && matches(one, manifest.ID(stated), true) &&
				unnamed(one, stated) == "" && !slices.Contains(all[i], m) {
				all[i] = append(all[i], m)
			}
		}
	}
	for i, of := range all {
		isOpen := func(m meant) bool { return m.path != "" }
		if named := slice.Without(of, isOpen); len(named) > 0 {
			all[i] = named
		}
	}
	return all
}

// acceptedOf returns the objects of a template that break a rule and that overrides accept. An
// override accepts no missing CR if several may be meant.
func (s *Set) acceptedOf(
	v refconfig.Violation, t *refconfig.Template, objects []finding.Object, may map[int][]meant,
) []finding.AcceptedCR {
	present := forbids(v.Code)
	var all []finding.AcceptedCR
	for _, o := range objects {
		near := s.whole.near(o.Name)
		at := slices.IndexFunc(near, func(i int) bool {
			one := s.all[i]
			accepts := present && one.Present || !present && one.Missing
			if !accepts || one.Expired(s.today) || !isFor(one, t) || !matches(one, manifest.ID(o), !present) {
				return false
			}
			isOther := func(m meant) bool { return m != meantIn(t, o) }
			return present || unnamed(one, o) == "" && !slices.ContainsFunc(may[i], isOther)
		})
		if at >= 0 {
			all = append(all, finding.Accept(v, t, o, present, near[at], s.all[near[at]]))
		}
	}
	return all
}

// unnamed returns what an override lacks to name the missing CR that it matches, or "". Without a
// name it would accept every CR that is missing. It names a CR by its kind and name, or by its
// template and every field of the identity that the template states.
func unnamed(o refconfig.Override, stated finding.Object) string {
	if o.ExactMatch != "" || o.Kind != "" && o.Name != "" {
		return ""
	}
	if o.TemplatePath == "" {
		return "kind and name"
	}
	var lacking []string
	for _, f := range []struct{ key, given, stated string }{
		{"kind", o.Kind, stated.Kind}, {"namespace", o.Namespace, stated.Namespace}, {"name", o.Name, stated.Name},
	} {
		if f.given == "" && f.stated != "" && !isGlob(f.stated) {
			lacking = append(lacking, f.key+": "+f.stated)
		}
	}
	return strings.Join(lacking, ", ")
}

func isGlob(text string) bool { return strings.ContainsAny(text, `*?[\`) }

// isPatch reports whether an override is about differences of a CR, and not about its presence.
func isPatch(o refconfig.Override) bool { return !o.Missing && !o.Present }
