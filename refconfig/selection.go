package refconfig

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
)

// Template returns the template that a path of the reference names, nil if there is none. Of
// several entries of one path it is the first.
func (r *Reference) Template(name string) *Template {
	name = path.Clean(name)
	for _, t := range r.Templates {
		if path.Clean(t.Path) == name {
			return t
		}
	}
	return nil
}

// Only returns the reference with no template but that of a path, and of the rules what is about it.
func (r *Reference) Only(t *Template) *Reference {
	other := func(one *Template) bool { return path.Clean(one.Path) != path.Clean(t.Path) }
	only := *r
	only.Templates, only.Parts = slices.DeleteFunc(slices.Clone(r.Templates), other), nil
	for _, p := range r.Parts {
		part := *p
		part.Components = nil
		for _, c := range p.Components {
			component := *c
			component.Rules = nil
			for _, rule := range c.Rules {
				if rule.Templates = slices.DeleteFunc(slices.Clone(rule.Templates), other); len(rule.Templates) > 0 {
					component.Rules = append(component.Rules, rule)
				}
			}
			part.Components = append(part.Components, &component)
		}
		only.Parts = append(only.Parts, &part)
	}
	return &only
}

// SelectTemplates returns which templates some names mean: paths as the reference spells them, or
// globs (path.Match) of such. The error joins a Problem for each name that means no template.
func (r *Reference) SelectTemplates(names []string) (func(*Template) bool, error) {
	means := func(name string, t *Template) bool {
		globbed, _ := path.Match(path.Clean(name), path.Clean(t.Path))
		return globbed || path.Clean(name) == path.Clean(t.Path)
	}
	chosen, err := choose(r.Templates, names, means, means, func(name string) Problem {
		return Place{}.Problem(
			code.Usage, "the reference has no template \"%s\"%s", name, hintsOf(r.Templates).template(name),
		)
	})
	return func(t *Template) bool { return chosen[t] }, err
}

// choose returns the things that some names mean: of each name those that it is, or else those that
// it globs. none says that there are none of either.
func choose[T comparable](
	all []T, names []string, is, globs func(string, T) bool, none func(string) Problem,
) (map[T]bool, error) {
	chosen := map[T]bool{}
	var problems []error
	for _, name := range names {
		found := slices.DeleteFunc(slices.Clone(all), func(t T) bool { return !is(name, t) })
		if len(found) == 0 {
			found = slices.DeleteFunc(slices.Clone(all), func(t T) bool { return !globs(name, t) })
		}
		if len(found) == 0 {
			problems = append(problems, none(name))
		}
		for _, t := range found {
			chosen[t] = true
		}
	}
	return chosen, errors.Join(problems...)
}

// TemplatesOf returns a component's templates in the order of the reference, those included that no
// rule is about.
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

// Select takes components into an analysis by name: those that include means, all of them where it
// is empty, without those that skip means. A name is that of a component or part/component, and may
// be a glob (path.Match); a name that is a component's literally means that one.
//
// kept reports whether a component was taken, and leftOut names the others in the order of the
// reference. The error joins a Problem for each name that means no component; it is an error too if
// none is left.
func (r *Reference) Select(include, skip []string) (kept func(*Component) bool, leftOut []string, err error) {
	all := r.Components()
	none := func(name string) Problem { return r.noComponent(all, name) }
	wanted, errInclude := choose(all, include, isCalled, globs, none)
	unwanted, errSkip := choose(all, skip, isCalled, globs, none)
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
		return nil, nil, Problem{
			Code:    code.Usage,
			Message: "no component is left to analyse; all that were asked for are skipped",
		}
	}
	return func(c *Component) bool { return chosen[c] }, leftOut, nil
}

// Unanswered returns a problem for each name that Select took and that is a component's literally,
// of which nothing was found: for none of the components of that name is there an answer. That
// nothing is there is one where the rule is that nothing may be.
func (r *Reference) Unanswered(names []string, answered func(*Component) bool) (problems []Problem) {
	forbids := func(rule Rule) bool { return rule.Kind == NoneOf }
	for _, name := range names {
		called := slices.DeleteFunc(r.Components(), func(c *Component) bool { return !isCalled(name, c) })
		if len(called) == 0 ||
			slices.ContainsFunc(
				called, func(c *Component) bool { return answered(c) || slices.ContainsFunc(c.Rules, forbids) },
			) {
			continue
		}
		at := Place{File: cmp.Or(r.Metadata, r.Path)}
		if len(called[0].Rules) > 0 {
			at.Line = called[0].Rules[0].Line
		}
		problems = append(problems, at.Problem(
			code.ComponentLacking,
			"no CR of the component %q is in the input; check that its CRs were collected; "+
				"if it does not have to be there, leave it out or name it with a glob",
			name,
		))
	}
	return problems
}

// isCalled reports whether a name is that of a component.
func isCalled(name string, c *Component) bool { return name == c.Name || name == c.String() }

// globs reports whether a glob means a component. One with a slash is matched with part and
// component, each by itself.
func globs(glob string, c *Component) bool {
	whole, _ := path.Match(glob, c.String())
	name, _ := path.Match(glob, c.Name)
	return whole || name
}

// firstOf lists so many of some names.
func firstOf(most int, names []string) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", …"
}

// noComponent says that a name means no component, and which name was probably meant.
func (r *Reference) noComponent(all []*Component, name string) Problem {
	if _, err := path.Match(name, ""); err != nil {
		return Problem{
			Code:    code.Usage,
			Message: "the glob \"" + name + "\" is malformed; a [ in it is not closed, or a \\ stands at its end",
		}
	}
	names := append(among(all, (*Component).String), among(all, func(c *Component) string { return c.Name })...)
	message := "no component is called \"" + name + "\""
	isPart := slices.ContainsFunc(r.Parts, func(p *Part) bool { return p.Name == name && !strings.Contains(name, "/") })
	switch h := code.DidYouMean(name, names); {
	case isPart:
		message += "; it is the name of a part, whose components are \"" + name + "/*\""
	case h != "":
		message += h
	case len(all) > 0:
		message += "; there are " + firstOf(8, among(all, (*Component).String))
	}
	return Problem{Code: code.ComponentUnknown, Message: message}
}
