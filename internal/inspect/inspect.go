package inspect

import (
	"context"
	"iter"
	"slices"

	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Options of an interface.
type Options struct {
	Nested bool // say which named templates are called, and with what
}

// Of returns what a reference offers to its users. Of templates that the context ends before, it says nothing.
func Of(ctx context.Context, ref *refconfig.Reference, engine *render.Engine, opt Options) *Interface {
	compiled := map[*refconfig.Template]*render.Template{}
	for _, t := range engine.Templates() {
		compiled[t.Ref] = t
	}
	all := &Interface{SchemaVersion: schemaVersion, Reference: ref.Path, Format: ref.Format, Parts: []Part{}}
	for _, p := range ref.Parts {
		part := Part{Name: p.Name, Description: p.Description, Components: []Component{}}
		for _, c := range p.Components {
			part.Components = append(part.Components, component(ctx, ref, c, compiled, opt))
		}
		all.Parts = append(all.Parts, part)
	}
	return all
}

// Templates are all templates, in the order of the reference.
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

// component describes a component. What it has in common with its part is said of the part.
func component(ctx context.Context, ref *refconfig.Reference, c *refconfig.Component, compiled map[*refconfig.Template]*render.Template, opt Options) Component {
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
	for _, t := range ref.TemplatesOf(c) {
		if one := compiled[t]; one != nil && ctx.Err() == nil {
			out.Templates = append(out.Templates, describe(one, opt))
		}
	}
	return out
}

// words say what a rule asks for.
func words(kind refconfig.RuleKind) string {
	switch kind {
	case refconfig.AllOf:
		return "all of these have to be there"
	case refconfig.AllOrNoneOf:
		return "all of these have to be there, or none"
	case refconfig.AnyOf:
		return "any of these can be there"
	case refconfig.NoneOf:
		return "none of these may be there"
	case refconfig.OneOf:
		return "exactly one of these has to be there"
	case refconfig.AnyOneOf:
		return "at most one of these may be there"
	}
	return string(kind)
}

// describe says what a template takes from the user.
func describe(t *render.Template, opt Options) Template {
	w := follow(t)
	id := t.Identity
	out := Template{
		Path: t.Ref.Path, Description: t.Ref.Description, Kind: id.Kind.String(), APIVersion: stateOf(id.APIVersion),
		Namespace: stateOf(id.Namespace), Name: stateOf(id.Name), IgnoresUnspecified: t.Ref.Config.IgnoreUnspecified, Incomplete: w.cut,
	}
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
	w.patterns(t)
	out.Parameters = w.parameters()
	if opt.Nested {
		out.Nested = *w.nested
	}
	for _, l := range w.lookups {
		out.Lookups = append(out.Lookups, *l)
	}
	return out
}

// follow walks through a template.
func follow(t *render.Template) *walker {
	w := &walker{t: t.Template, file: t.Body.File, asked: map[string]*asked{}, nested: &[]Nested{}}
	cr := value{is: []origin{{}}, blank: map[string]any{}, sure: true}
	w.vars = []variable{{"$", cr}}
	w.body(cr, t.Body.Root)
	return w
}

// stateOf is what a template states of a field of the identity.
func stateOf(m template.Matcher) string {
	if !m.Fixed() {
		return ""
	}
	return m.String()
}

// patterns notes the fields that are compared by inline diff functions: their values may vary as far as these say.
func (w *walker) patterns(t *render.Template) {
	blank, _ := t.Blank()
	for _, f := range t.Ref.Config.Fields(refconfig.InlineDiff) {
		paths := tree.Expand(any(blank.Value), f.Path)
		if len(paths) == 0 {
			paths = []refconfig.FieldPath{f.Path}
		}
		for _, path := range paths {
			w.pattern(f, path, blank)
		}
	}
}

// pattern notes one field with an inline diff function.
func (w *walker) pattern(f refconfig.FieldFunction, path refconfig.FieldPath, blank render.Blank) {
	c := Constraint{By: f.Function, Values: []any{}}
	v, _ := tree.At(blank.Value, path)
	n, _ := tree.At(blank.Notes, path)
	note, isLeaf := n.(provenance.Note)
	if text, isText := v.(string); isText && isLeaf && !note.Variable {
		c.Values = []any{text}
	}
	a := w.of(origin{path: path, use: Use{At: f.Place.String()}})
	switch {
	case a.need != Optional:
	case blank.Whole && len(c.Values) > 0:
		a.need = Mandatory
	default:
		a.need = Conditional // where the template comes to it
	}
	if !slices.ContainsFunc(a.constraints, c.Same) {
		a.constraints = append(a.constraints, c)
	}
}
