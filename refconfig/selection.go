package refconfig

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
)

// Template returns the template with a path, the first if there are several, or nil.
func (r *Reference) Template(name string) *Template {
	name = path.Clean(name)
	for _, t := range r.Templates {
		if path.Clean(t.Path) == name {
			return t
		}
	}
	return nil
}

// Only returns the reference with only the entries of a template's path, and the rules on them.
func (r *Reference) Only(t *Template) *Reference {
	only := func(templates []*Template) []*Template {
		return slice.Without(templates, func(one *Template) bool {
			return path.Clean(one.Path) != path.Clean(t.Path)
		})
	}
	ref := *r
	ref.Templates, ref.Parts = only(r.Templates), nil
	for _, p := range r.Parts {
		part := *p
		part.Components = nil
		for _, c := range p.Components {
			component := *c
			component.Rules = slices.Clone(c.Rules)
			for i, rule := range c.Rules {
				component.Rules[i].Templates = only(rule.Templates)
			}
			part.Components = append(part.Components, &component)
		}
		ref.Parts = append(ref.Parts, &part)
	}
	return &ref
}

// SelectTemplates returns the templates with some paths, as the reference writes them, or globs
// (path.Match). The error joins a Problem for each name without a template.
func (r *Reference) SelectTemplates(names []string) (func(*Template) bool, error) {
	var clean []string
	for _, name := range names {
		clean = append(clean, path.Clean(name))
	}
	called := func(t *Template) []string { return []string{path.Clean(t.Path)} }
	chosen, err := choose(r.Templates, clean, called, func(name string) Problem {
		return Place{}.Problem(code.Usage, "the reference has no template \"%s\"%s", name, suggest(r.Templates)(name))
	})
	return func(t *Template) bool { return chosen[t] }, err
}

// choose returns the things that some names select: for each name, the things with that name, or
// else those that the name matches as a glob (path.Match). none returns the error for a name that
// selects nothing.
func choose[T comparable](
	all []T, names []string, called func(T) []string, none func(string) Problem,
) (map[T]bool, error) {
	chosen := map[T]bool{}
	var problems []error
	for _, name := range names {
		globs := func(other string) bool {
			matches, _ := path.Match(name, other)
			return matches
		}
		meant := func(t T) bool { return slices.Contains(called(t), name) }
		if !slices.ContainsFunc(all, meant) {
			meant = func(t T) bool { return slices.ContainsFunc(called(t), globs) }
		}
		if !slices.ContainsFunc(all, meant) {
			problems = append(problems, none(name))
		}
		for _, t := range all {
			if meant(t) {
				chosen[t] = true
			}
		}
	}
	return chosen, errors.Join(problems...)
}

// TemplatesOf returns all templates of a component in the order of the reference, including those
// without a rule.
func (r *Reference) TemplatesOf(c *Component) []*Template {
	var templates []*Template
	for _, t := range r.Templates {
		if t.Component == c {
			templates = append(templates, t)
		}
	}
	return templates
}

// Components returns all components in the order of the reference.
func (r *Reference) Components() []*Component {
	var components []*Component
	for _, p := range r.Parts {
		components = append(components, p.Components...)
	}
	return components
}

// Select returns the components to compare: those that include selects, or all if it is empty,
// without those that skip selects. A name is a component or part/component, or a glob (path.Match).
// A literal name takes precedence over a glob.
//
// kept reports whether a component was selected. leftOut has the names of the others in the order
// of the reference. The error joins a Problem for each name that selects no component; it is also
// an error if no component is left.
func (r *Reference) Select(include, skip []string) (kept func(*Component) bool, leftOut []string, err error) {
	all := r.Components()
	none := func(name string) Problem { return r.noComponent(all, name) }
	wanted, errInclude := choose(all, include, (*Component).names, none)
	unwanted, errSkip := choose(all, skip, (*Component).names, none)
	if err := errors.Join(errInclude, errSkip); err != nil {
		return nil, nil, err
	}
	chosen := map[*Component]bool{}
	for _, c := range all {
		chosen[c] = (len(include) == 0 || wanted[c]) && !unwanted[c]
		if !chosen[c] {
			leftOut = append(leftOut, c.String())
		}
	}
	if len(all) > 0 && len(leftOut) == len(all) {
		return nil, nil, Place{}.Problem(code.Usage,
			"no component is left to compare; --skip-component excludes all that --component selects")
	}
	return func(c *Component) bool { return chosen[c] }, leftOut, nil
}

// Unanswered returns a problem for each literal name among the selected ones whose components have
// no CR in the input, because the report then says nothing about them. A rule that forbids CRs is
// answered if there are none.
func (r *Reference) Unanswered(names []string, answered func(*Component) bool) (problems []Problem) {
	forbids := func(rule Rule) bool { return rule.Kind == NoneOf }
	for _, name := range names {
		isOther := func(c *Component) bool { return !slices.Contains(c.names(), name) }
		called := slices.DeleteFunc(r.Components(), isOther)
		isFine := func(c *Component) bool { return answered(c) || slices.ContainsFunc(c.Rules, forbids) }
		if len(called) == 0 || slices.ContainsFunc(called, isFine) {
			continue
		}
		at := Place{File: cmp.Or(r.Metadata, r.Path)}
		if rules := called[0].Rules; len(rules) > 0 {
			at.Line = rules[0].Line
		}
		problems = append(problems, at.Problem(code.ComponentLacking, "the input has no CR of the component %q; "+
			"check that they were collected; if the component is optional, remove the option or use a glob", name))
	}
	return problems
}

// names returns the names that select the component.
func (c *Component) names() []string { return []string{c.Name, c.String()} }

// firstOf returns the first names as text.
func firstOf(most int, names []string) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", …"
}

// noComponent returns the problem of a name that selects no component, with the name that was
// probably intended.
func (r *Reference) noComponent(all []*Component, name string) Problem {
	if _, err := path.Match(name, ""); err != nil {
		return Place{}.Problem(code.Usage, `the glob "%s" is malformed; it has a [ without a ], or ends with a \`, name)
	}
	names := append(among(all, (*Component).String), among(all, func(c *Component) string { return c.Name })...)
	message := "no component is called \"" + name + "\""
	isPart := slices.ContainsFunc(r.Parts, func(p *Part) bool { return p.Name == name && !strings.Contains(name, "/") })
	switch h := code.DidYouMean(name, names); {
	case isPart:
		message += "; it is the name of a part, whose components are \"" + name + "/*\""
	case h.Instead != "":
		message += h.String()
	case len(all) > 0:
		message += "; there are " + firstOf(8, among(all, (*Component).String))
	}
	return Problem{Code: code.ComponentUnknown, Message: message}
}
