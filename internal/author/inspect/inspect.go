package inspect

import (
	"context"
	"iter"
	"slices"

	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Options of an interface.
type Options struct {
	Nested bool                            // add the calls of named templates, with their arguments
	Keep   func(*refconfig.Component) bool // components to describe; nil for all
}

// Of returns the interface of a reference. If the context ends, the templates that were not
// described until then are absent.
func Of(ctx context.Context, ref *refconfig.Reference, engine *render.Engine, opt Options) *Interface {
	d := &describer{ref: ref, opt: opt, compiled: map[*refconfig.Template]*render.Template{}}
	for _, t := range slices.Concat(engine.Templates(), engine.Partial()) {
		d.compiled[t.Ref] = t
	}
	all := &Interface{SchemaVersion: schemaVersion, Reference: ref.Path, Format: ref.Format, Parts: []Part{}}
	for _, p := range ref.Parts {
		part := Part{Name: p.Name, Description: p.Description, Components: []Component{}}
		for _, c := range p.Components {
			if opt.Keep == nil || opt.Keep(c) {
				part.Components = append(part.Components, d.component(ctx, c))
			}
		}
		if len(part.Components) > 0 || opt.Keep == nil {
			all.Parts = append(all.Parts, part)
		}
	}
	return all
}

// Templates returns all templates, in the order of the reference.
func (all *Interface) Templates() iter.Seq[*Template] {
	return func(yield func(*Template) bool) {
		for _, p := range all.Parts {
			for _, c := range p.Components {
				for i := range c.Templates {
					if !yield(&c.Templates[i]) {
						return
					}
				}
			}
		}
	}
}

// describer describes the templates of a reference.
type describer struct {
	ref      *refconfig.Reference
	opt      Options
	compiled map[*refconfig.Template]*render.Template
	prober   probe.Prober
}

// component describes a component.
func (d *describer) component(ctx context.Context, c *refconfig.Component) Component {
	out := Component{Name: c.Name, Description: c.Description, Rules: []Rule{}, Templates: []Template{}}
	for _, r := range c.Rules {
		rule := Rule{Rule: r.Kind, Words: words(r.Kind), Templates: []string{}}
		for _, t := range r.Templates {
			rule.Templates = append(rule.Templates, t.Path)
		}
		if len(r.Templates) > 0 {
			out.Rules = append(out.Rules, rule)
		}
	}
	all := d.ref.TemplatesOf(c)
	for _, one := range workers.Each(ctx, 0, len(all), func(i int) *Template {
		if d.compiled[all[i]] == nil {
			return nil
		}
		described := d.template(ctx, d.compiled[all[i]])
		return &described
	}) {
		if one != nil {
			out.Templates = append(out.Templates, *one)
		}
	}
	return out
}

// words describes a rule.
func words(kind refconfig.RuleKind) string {
	switch kind {
	case refconfig.AllOf:
		return "all of these must be present"
	case refconfig.AllOrNoneOf:
		return "all of these must be present, or none"
	case refconfig.AnyOf:
		return "any of these may be present"
	case refconfig.NoneOf:
		return "none of these may be present"
	case refconfig.OneOf:
		return "exactly one of these must be present"
	case refconfig.AnyOneOf:
		return "at most one of these may be present"
	}
	return string(kind)
}

// template describes a template and the fields that it reads.
func (d *describer) template(ctx context.Context, t *render.Template) Template {
	asked := d.prober.Execute(ctx, t.Template)
	id := t.Identity
	out := Identified(id)
	out.Path, out.Description = t.Ref.Path, t.Ref.Description
	out.IgnoresUnspecified, out.Incomplete = t.Ref.Config.IgnoreUnspecified, asked.Incomplete
	for _, e := range t.Ref.Config.Omit {
		if e.Place.File == "" {
			continue // built in
		}
		path := e.Path.String()
		if e.Prefix {
			path += "…"
		}
		out.Omitted = append(out.Omitted, path)
	}
	for _, f := range t.Ref.Config.PerField {
		if f.Key != refconfig.InlineDiff {
			out.Compared = append(out.Compared, Compared{f.Path.String(), f.Said(), f.Place.String()})
		}
	}
	out.Parameters = []Parameter{}
	for _, f := range asked.Fields {
		out.Parameters = append(out.Parameters, parameter(id, f))
	}
	out.patterns(ctx, t)
	if d.opt.Nested {
		out.Nested = asked.Nested
	}
	out.Lookups = asked.Lookups
	return out
}

// parameter returns the parameter for a field of a template with this identity.
func parameter(id template.Identity, f probe.Field) Parameter {
	return Parameter{Field: f, Secret: isSecret(id, f.Path)}
}

// Identified returns a Template with only its identity.
func Identified(id template.Identity) Template {
	return Template{
		Kind:       id.Kind.String(),
		APIVersion: stateOf(id.APIVersion),
		Namespace:  stateOf(id.Namespace),
		Name:       stateOf(id.Name),
	}
}

// stateOf returns the value that a template fixes for a field of the identity, with * for unknown
// parts; "" if no part is fixed.
func stateOf(m template.Matcher) string {
	if !m.Fixed() {
		return ""
	}
	return m.String()
}

// isSecret reports whether a field holds data of a Secret.
func isSecret(id template.Identity, path string) bool {
	kind, _ := id.Kind.Exact()
	scope := secret.OfKind(kind)
	field, err := refconfig.ParseFieldPath(path)
	for _, step := range field {
		scope = scope.Below(step.Key, nil)
	}
	return err == nil && scope.IsData()
}

// patterns adds the fields that inline diff functions compare. The pattern of such a field limits
// its values.
func (out *Template) patterns(ctx context.Context, t *render.Template) {
	fields := t.Ref.Config.Fields(refconfig.InlineDiff)
	if len(fields) == 0 {
		return
	}
	printing := probe.Print(ctx, t.Template)
	root, _ := printing.Parts()
	for _, f := range fields {
		paths := tree.Expand(root.Value, f.Path)
		if len(paths) == 0 {
			paths = []refconfig.FieldPath{f.Path}
		}
		for _, path := range paths {
			out.pattern(f, path, root.Find(path), printing.Has(path))
		}
	}
}

// pattern adds one field with an inline diff function. part is the printed value of the field; nil
// if the template prints none.
func (out *Template) pattern(
	f refconfig.FieldFunction, path refconfig.FieldPath, part *probe.Part, printed probe.Presence,
) {
	c := probe.Constraint{By: f.Function, Values: []any{}}
	if part != nil && part.Fixed && len(part.Below) == 0 {
		if text, isText := part.Value.(string); isText {
			c.Values = []any{text}
		}
	}
	at, known := out.find(path.String())
	if !known {
		field := probe.Field{Path: path.String(), Need: probe.Optional}
		out.Parameters = slices.Insert(out.Parameters, at, Parameter{Field: field})
	}
	a := &out.Parameters[at]
	a.Uses = append(a.Uses, probe.Use{At: f.Place.String()})
	if a.Need == probe.Optional {
		a.Default = nil
		a.Need = probe.Conditional // mandatory if the template prints the field
		if len(c.Values) > 0 && printed == probe.Always {
			a.Need = probe.Mandatory
		}
	}
	if !slices.ContainsFunc(a.Constraints, c.Same) {
		a.Constraints = append(a.Constraints, c)
	}
}
