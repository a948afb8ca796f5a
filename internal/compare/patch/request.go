package patch

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Request asks for overrides that accept what a run finds: drift, missing fields, and CRs that
// break a rule.
type Request struct {
	Extra   bool     // accept extra content too
	Targets []Target // accept only CRs that one of these names; empty for all
	// accept only these CRs, and of each only these fields and what is below them, all of it for none,
	// and only that these CRs break rules; nil for all
	Only     map[CR][]Field
	Breaking map[CR]bool
}

// Target selects findings by the name of a template, a component or a CR.
type Target struct {
	name     string
	Template func(*refconfig.Template) bool // selects templates with all their CRs; nil if the target names CRs
	crs      []crs                          // possible meanings of the name; the first one that selects a CR counts
}

// CR is a CR that was compared with a template, or that breaks a rule with it.
type CR struct {
	Template string
	Object   finding.Object
}

// Field is a field of a CR. Items of a list may have the same path, one in the list of the reference and
// one in that of the CR.
type Field struct {
	Path refconfig.FieldPath
	Of   Side // for an item: which list the path is of
}

// Side is the list that the path of an item is of.
type Side int

// EitherSide stands for both lists, as for a path that a user writes. Only an item that the CR lacks has a
// path of the reference's list.
const (
	EitherSide Side = iota
	OfReference
	OfCR
)

// FieldOf returns the field of a finding; lacks says that the reference has a value and the CR has none.
func FieldOf(path refconfig.FieldPath, lacks bool) Field {
	if lacks {
		return Field{path, OfReference}
	}
	return Field{path, OfCR}
}

// isLackingItem reports whether the field is an item of a list that the CR lacks.
func (f Field) isLackingItem() bool {
	return f.Of == OfReference && len(f.Path) > 0 && f.Path[len(f.Path)-1].Key == ""
}

// has reports whether another field is equal to the field or below it.
func (f Field) has(other Field) bool {
	if !isBelow(other.Path, f.Path) {
		return false
	}
	n := len(f.Path)
	if n == 0 || f.Of == EitherSide || f.Path[n-1].Index < 0 || other.Path[n-1].Index < 0 {
		return true
	}
	if len(other.Path) > n { // only an item of the CR has findings below it
		other.Of = OfCR
	}
	return f.Of == other.Of
}

// crs selects CRs, or fields of them.
type crs struct {
	finding.Selector
	below refconfig.FieldPath
}

// ParseTargets parses targets: a template (a path or a glob), a component (a name or a glob), or
// CRs (a selector, optionally with a colon and the path of a field).
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
	selected, noTemplate := ref.SelectTemplates([]string{name})
	if noTemplate == nil {
		t.Template = selected
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

// isOfKind reports whether a selector may select CRs of a template.
func isOfKind(s finding.Selector, id template.Identity) bool {
	kind, exact := id.Kind.Exact()
	version, whole := id.APIVersion.Exact()
	s.HasGroup = s.HasGroup && whole
	return !exact || s.OfKind(finding.Object{APIVersion: version, Kind: kind})
}

// Scope is the part of an object that is to be accepted.
type Scope struct {
	all   bool
	below []Field // if not all: only these fields and those below them
}

// Scope returns the part of an object of a template that is to be accepted, and whether there is
// one.
func (q *Request) Scope(t *refconfig.Template, o finding.Object) (s Scope, ok bool) {
	if q == nil {
		return s, false
	}
	if q.Only != nil {
		below, named := q.Only[CR{t.Path, o}]
		return Scope{all: named && len(below) == 0, below: below}, named
	}
	s.all = len(q.Targets) == 0
	for _, target := range q.Targets {
		if target.Template != nil && target.Template(t) {
			s.all = true
		}
		if i := slices.IndexFunc(target.crs, func(c crs) bool { return c.Matches(o) }); i >= 0 {
			s.all = s.all || target.crs[i].below == nil
			s.below = append(s.below, Field{Path: target.crs[i].below})
		}
	}
	return s, s.all || len(s.below) > 0
}

// has reports whether a field is to be accepted.
func (s Scope) has(f Field) bool {
	return s.all || slices.ContainsFunc(s.below, func(below Field) bool { return below.has(f) })
}

// isAround reports whether a child of a field, but not the field itself, is to be accepted.
func (s Scope) isAround(f Field) bool {
	return !s.has(f) && slices.ContainsFunc(s.below, func(below Field) bool { return f.has(below) })
}

// isBelow reports whether a path is equal to another one or below it. A step that a user wrote may
// be a key or an index.
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

// names reports whether a target selects a whole object of a template by a name, not by a glob.
func (q *Request) names(t *refconfig.Template, o finding.Object) bool {
	isGlob := func(t Target) bool { return strings.ContainsAny(t.name, "*?") }
	byName := Request{Targets: slice.Without(q.Targets, isGlob)}
	scope, _ := byName.Scope(t, o)
	return scope.all && len(byName.Targets) > 0
}

// Rule returns overrides that accept the CRs that break a rule, or nil. It accepts a CR that may
// not have been collected only if a target names it.
func (q *Request) Rule(v refconfig.Violation, b finding.Rule) *finding.Acceptance {
	out := &finding.Acceptance{}
	for i, t := range v.Templates {
		accepts := func(o finding.Object) bool {
			if q.Only != nil {
				return q.Breaking[CR{t.Path, o}]
			}
			scope, _ := q.Scope(t, o)
			return scope.all
		}
		m := b.Missed(i)
		switch {
		case m != nil && m.NotCollected && q.Only == nil && accepts(m.Object) && !q.names(t, m.Object):
			out.Left = append(out.Left, finding.NotAccepted{Message: t.Path +
				": the CR may not have been collected, so it is not known to be missing; name it with --override-for to accept that it is"})
		case m != nil && accepts(m.Object):
			made := identity(t, m.Object)
			made.Missing = true
			out.Overrides = append(out.Overrides, made)
		}
		for _, p := range b.Present {
			if forbids(v.Code) && p.Template == t.Path && accepts(p.Object) {
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

// forbids reports whether CRs break a rule by being present.
func forbids(c code.Code) bool { return c == code.RuleForbidden || c == code.RuleExclusive }

// identity returns an override with the template and the known fields of an object.
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

// Unmet returns the targets that name CRs but select no CR that was compared or breaks a rule.
func (q *Request) Unmet(r *finding.Report) []string {
	var unmet []string
	if q == nil {
		return nil
	}
	for _, t := range q.Targets {
		named := func(o finding.Object) bool {
			return slices.ContainsFunc(t.crs,
				func(c crs) bool { return c.Matches(o) })
		}
		if t.Template == nil &&
			!slices.ContainsFunc(r.Runs, func(run *finding.Run) bool { return speaksOf(run, named) }) {
			unmet = append(unmet, t.name)
		}
	}
	return unmet
}

// speaksOf reports whether a run compared an object that a target selects, or whether such an
// object breaks a rule.
func speaksOf(r *finding.Run, named func(finding.Object) bool) bool {
	return slices.ContainsFunc(r.Comparisons, func(c *finding.Comparison) bool { return named(c.Object) }) ||
		slices.ContainsFunc(r.Rules, func(b finding.Rule) bool {
			return slices.ContainsFunc(b.Missing, func(m finding.Missed) bool { return named(m.Object) }) ||
				slices.ContainsFunc(b.Present, func(p finding.Present) bool { return named(p.Object) })
		})
}
