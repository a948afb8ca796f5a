package patch

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// Request asks a run for overrides that accept what it finds: drift and missing fields, and CRs
// that break a rule.
type Request struct {
	Extra   bool     // accept extra content too
	Targets []Target // accept only CRs that one of these names; empty for all
}

// Target names something that may be found.
type Target struct {
	name     string
	Template func(*refconfig.Template) bool // of which everything is meant; nil where CRs are named
	crs      []crs                          // what the name may mean; the first that meets a CR counts
}

// crs names CRs, or what is at and below a field of them.
type crs struct {
	finding.Selector
	below refconfig.FieldPath
}

// ParseTargets reads names: of a template (a path, or a glob), of a component (a name, or a glob),
// or of CRs (a selector), where the path of a field may stand behind a colon.
func ParseTargets(names []string, ref *refconfig.Reference, templates []*render.Template) ([]Target, error) {
	var targets []Target
	var problems []error
	for _, name := range names {
		t, err := parseTarget(name, ref, templates)
		targets, problems = append(targets, t), append(problems, err)
	}
	return targets, errors.Join(problems...)
}

func parseTarget(name string, ref *refconfig.Reference, templates []*render.Template) (Target, error) {
	t := Target{name: name}
	meant, noTemplate := ref.SelectTemplates([]string{name})
	if noTemplate == nil {
		t.Template = meant
		return t, nil
	}
	if kept, _, err := ref.Select([]string{name}, nil); err == nil {
		t.Template = func(t *refconfig.Template) bool { return kept(t.Component) }
		return t, nil
	}
	for end := len(name); end > 0; end = strings.LastIndexByte(name[:end], ':') { // names of CRs may have colons, too
		s, err := finding.ParseSelector(name[:end])
		if err != nil ||
			!slices.ContainsFunc(templates, func(t *render.Template) bool { return isOfKind(s, t.Identity) }) {
			continue
		}
		c := crs{Selector: s}
		if end < len(name) {
			if c.below, err = refconfig.ParseFieldPath(name[end+1:]); err != nil {
				continue
			}
		}
		t.crs = append(t.crs, c)
	}
	if len(t.crs) > 0 {
		return t, nil
	}
	if kind := name[:1]; kind != strings.ToLower(kind) {
		return t, fmt.Errorf(
			"%q names neither CRs of a kind that the reference has (KIND/NAME, or with the path of a field KIND/NAME:spec.replicas), "+
				"nor a template or a component of it",
			name,
		)
	}
	return t, noTemplate
}

// isOfKind reports whether a selector may name CRs that a template is for.
func isOfKind(s finding.Selector, id template.Identity) bool {
	kind, exact := id.Kind.Exact()
	version, whole := id.APIVersion.Exact()
	s.HasGroup = s.HasGroup && whole
	return !exact || s.OfKind(finding.Object{APIVersion: version, Kind: kind})
}

// Scope is what of an object is to be accepted.
type Scope struct {
	all   bool
	below []refconfig.FieldPath // where it is not all: only what is at and below these
}

// Scope says what is to be accepted of an object that has to do with a template; false for nothing.
func (q *Request) Scope(t *refconfig.Template, o finding.Object) (s Scope, wanted bool) {
	if q == nil {
		return s, false
	}
	s.all = len(q.Targets) == 0
	for _, target := range q.Targets {
		if target.Template != nil && target.Template(t) {
			s.all = true
		}
		if i := slices.IndexFunc(target.crs, func(c crs) bool { return c.Meets(o) }); i >= 0 {
			s.all = s.all || target.crs[i].below == nil
			s.below = append(s.below, target.crs[i].below)
		}
	}
	return s, s.all || len(s.below) > 0
}

// has reports whether a field is to be accepted.
func (s Scope) has(path refconfig.FieldPath) bool {
	return s.all || slices.ContainsFunc(s.below, func(below refconfig.FieldPath) bool { return isBelow(path, below) })
}

// isAround reports whether a field is not to be accepted, but something below it.
func (s Scope) isAround(path refconfig.FieldPath) bool {
	return !s.has(path) &&
		slices.ContainsFunc(s.below, func(below refconfig.FieldPath) bool { return isBelow(below, path) })
}

// isBelow reports whether a path is another one, or leads further down from it. Steps that users
// write stand for keys and for items of lists.
func isBelow(path, above refconfig.FieldPath) bool {
	if len(path) < len(above) {
		return false
	}
	for i, step := range above {
		item := step.Index >= 0 && step.Index == path[i].Index
		if !step.Any && !item && (step.Key == "" || step.Key != path[i].Key) {
			return false
		}
	}
	return true
}

// Rule finds the overrides that accept the CRs by which a rule is broken; nil for none. A CR that
// may not have been collected is not known to be missing, and is accepted only where a target names
// it.
func (q *Request) Rule(v refconfig.Violation, b finding.Rule) *finding.Acceptance {
	out := &finding.Acceptance{}
	misses := b.Misses()
	for _, t := range v.Templates {
		wanted := func(o finding.Object) bool {
			scope, _ := q.Scope(t, o)
			return scope.all
		}
		m := misses[t.Path]
		switch {
		case m != nil && m.NotCollected && len(q.Targets) == 0:
			out.Left = append(out.Left, finding.NotAccepted{Message: t.Path +
				": the CR may not have been collected, so it is not known to be missing; name it with --override-for to accept that it is"})
		case m != nil && wanted(m.Object):
			made := identity(t, m.Object)
			made.Missing = true
			out.Overrides = append(out.Overrides, made)
		}
		for _, p := range b.Present {
			if forbids(v.Code) && p.Template == t.Path && wanted(p.Object) {
				made := identity(t, p.Object)
				made.Present = true
				out.Overrides = append(out.Overrides, made)
			}
		}
	}
	if len(out.Overrides)+len(out.Left) == 0 {
		return nil
	}
	return out
}

// forbids reports whether a rule is broken by CRs that are there.
func forbids(c code.Code) bool { return c == code.RuleForbidden || c == code.RuleExclusive }

// identity returns an override for a template and an object, as far as it is known.
func identity(t *refconfig.Template, o finding.Object) refconfig.Override {
	made := refconfig.Override{
		TemplatePath: t.Path,
		APIVersion:   o.APIVersion,
		Kind:         o.Kind,
		Namespace:    o.Namespace,
		Name:         o.Name,
	}
	for _, field := range []*string{&made.APIVersion, &made.Kind, &made.Namespace, &made.Name} {
		if strings.Contains(*field, "*") {
			*field = ""
		}
	}
	return made
}

// Unmet returns the names that name CRs of which none was compared, nor breaks a rule.
func (q *Request) Unmet(r *finding.Report) []string {
	var unmet []string
	if q == nil {
		return nil
	}
	for _, t := range q.Targets {
		named := func(o finding.Object) bool {
			return slices.ContainsFunc(t.crs,
				func(c crs) bool { return c.Meets(o) })
		}
		if t.Template == nil &&
			!slices.ContainsFunc(r.Runs, func(run *finding.Run) bool { return speaksOf(run, named) }) {
			unmet = append(unmet, t.name)
		}
	}
	return unmet
}

// speaksOf reports whether a run compared an object of some, or has a rule that is broken by one.
func speaksOf(r *finding.Run, named func(finding.Object) bool) bool {
	return slices.ContainsFunc(r.Comparisons, func(c *finding.Comparison) bool { return named(c.Object) }) ||
		slices.ContainsFunc(r.Rules, func(b finding.Rule) bool {
			return slices.ContainsFunc(b.Missing, func(m finding.Missed) bool { return named(m.Object) }) ||
				slices.ContainsFunc(b.Present, func(p finding.Present) bool { return named(p.Object) })
		})
}
