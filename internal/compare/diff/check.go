package diff

import (
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Checked has the problems of a template's perField that do not depend on the object.
type Checked struct {
	Errors    []refconfig.Problem // paths that the template cannot have, and invalid expressions
	Malformed []refconfig.Problem // capture groups that are compared as text
	Doubts    []refconfig.Problem // these, and values that cannot be compared as an entry says

	template *render.Template
}

// Malformed describes the malformed capture groups of a text of a template, which are compared as
// text; redact hides the text.
func Malformed(
	t *refconfig.Template, f refconfig.FieldFunction, path refconfig.FieldPath, groups []error, redact bool,
) refconfig.Problem {
	message := groups[0].Error()
	if redact {
		message = "it may hold secret data, and is not shown"
	}
	if n := len(groups) - 1; n > 0 {
		message += fmt.Sprintf(" (and %d more)", n)
	}
	return f.Place.Problem(
		code.RefInlineGroup,
		"the text at %s of %s has a capture group that cannot be used and is compared as text: %s",
		path,
		t.Path,
		message,
	)
}

// Check checks the perField of a template without an object. Each of its renderings, for objects that
// were made for it, has further fields.
func Check(t *render.Template, made ...render.Rendering) Checked {
	c := Checked{template: t}
	if len(t.Ref.Config.PerField) == 0 {
		return c
	}
	blank, ok := t.Blank()
	if ok { // else every comparison reports the error
		c.rendering(blank, true)
	}
	for _, one := range made {
		more := Checked{template: t}
		more.rendering(one, false)
		c.Errors = withNew(c.Errors, more.Errors)
		c.Malformed = withNew(c.Malformed, more.Malformed)
		c.Doubts = withNew(c.Doubts, more.Doubts)
	}
	c.twice()
	return c
}

// withNew returns problems and those of further ones that are about other entries, each entry once.
func withNew(all, more []refconfig.Problem) []refconfig.Problem {
	for _, p := range more {
		isSame := func(known refconfig.Problem) bool { return known.Place == p.Place && known.Code == p.Code }
		if !slices.ContainsFunc(all, isSame) {
			all = append(all, p)
		}
	}
	return all
}

// rendering checks the values of a rendering. If it is the blank one, the paths of the entries are
// checked too.
func (c *Checked) rendering(r render.Rendering, blank bool) {
	t, opened := c.template, r
	closed := openBlank(t, &opened)
	for _, f := range insideDocuments(t.Ref.Config) {
		switch {
		case f.Key != refconfig.Embedded:
			if blank {
				c.path(f, opened)
			}
			if f.Key == refconfig.InlineDiff {
				c.expression(f, opened)
			}
		case blank:
			c.path(f, r)
		}
	}
	for _, one := range closed {
		if _, known := withoutInput(r, one.Path); blank || known {
			c.doubt(one.Entry, code.RefClosed, "%s of %s cannot be opened as %s, and is compared as it is: %s",
				one.Path, t.Ref.Path, one.Entry.Function, one.Why)
		}
	}
	known := map[string]bool{}
	for _, e := range FieldsOf(t.Ref.Config).entries {
		if mannerOf(e.Key).normal != nil && !known[e.Path.String()] {
			known[e.Path.String()] = true
			c.values(e.FieldFunction, opened)
		}
	}
}

// twice reports entries for a field that an earlier entry has.
func (c *Checked) twice() {
	first := map[string]refconfig.FieldFunction{}
	for _, e := range FieldsOf(c.template.Ref.Config).entries {
		if mannerOf(e.Key).normal == nil {
			continue
		}
		if other, twice := first[e.Path.String()]; twice {
			c.doubt(e.FieldFunction, code.RefTwice, "%s is also compared by %s, in line %d, and that entry counts",
				e.Path, other.Said(), other.Place.Line)
			continue
		}
		first[e.Path.String()] = e.FieldFunction
	}
}

func (c *Checked) wrong(f refconfig.FieldFunction, of code.Code, format string, args ...any) {
	c.Errors = append(c.Errors, f.Place.Problem(of, format, args...))
}

func (c *Checked) doubt(f refconfig.FieldFunction, of code.Code, format string, args ...any) {
	c.Doubts = append(c.Doubts, f.Place.Problem(of, format, args...))
}

// path checks that a template can have the field of an entry.
func (c *Checked) path(f refconfig.FieldFunction, blank render.Rendering) {
	subject := "the inline diff function " + f.Function
	if f.Key != refconfig.InlineDiff {
		subject = f.Said()
	}
	paths := tree.Expand(any(blank.Value), f.Path)
	if len(paths) == 0 && c.template.Fixed() && !IsInside(f.Path) && lacks(blank.Value, f.Path) {
		c.wrong(f, code.RefInlinePath, "%s is for %s, which %s does not have; name a field of the template",
			subject, f.Path, c.template.Ref.Path)
	}
}

// expression checks the expressions of a pattern.
func (c *Checked) expression(f refconfig.FieldFunction, blank render.Rendering) {
	t := c.template.Ref
	for _, path := range tree.Expand(any(blank.Value), f.Path) {
		v, known := withoutInput(blank, path)
		if !known {
			continue
		}
		text, isText := v.(string)
		if !isText {
			c.wrong(f, code.RefInlinePath, "the inline diff function %s is for %s, which is not a text in %s; "+
				"name a field that holds an expression", f.Function, path, t.Path)
			continue
		}
		groups, err := pattern.Check(f.Function, text)
		if err != nil {
			c.wrong(f, code.RefInlineRegexp, "the expression at %s of %s cannot be used with %s: %s",
				path, t.Path, f.Function, err)
		}
		if len(groups) > 0 {
			one := Malformed(t, f, path, groups, false)
			c.Malformed, c.Doubts = append(c.Malformed, one), append(c.Doubts, one)
		}
	}
}

// values checks that the values of a template can be compared as an entry says.
func (c *Checked) values(f refconfig.FieldFunction, blank render.Rendering) {
	for _, path := range tree.Expand(any(blank.Value), f.Path) {
		v, known := withoutInput(blank, path)
		if !known || v == nil || blank.Node.At(path).Varies() {
			continue
		}
		_, why := mannerOf(f.Key).normal(v)
		if list, isList := v.([]any); isList && f.Keys != nil {
			_, why = names(f, list)
		}
		if why != "" {
			c.doubt(f, code.RefAsIs, "%s of %s cannot be compared by %s, and is compared as it is: %s",
				path, c.template.Ref.Path, f.Said(), why)
		}
	}
}

// openBlank opens the documents that a template prints without an object.
func openBlank(t *render.Template, blank *render.Rendering) []Closed {
	o := Open(t.Ref.Config, Sides{
		Left:  blank.Node,
		Right: blank.Value,
		Most:  embed.Most(len(t.Ref.Source)),
		Blank: true,
	})
	if o == nil {
		return nil
	}
	blank.Value, _ = o.Left.Value().(map[string]any)
	blank.Node = o.Left
	return o.Closed
}

// withoutInput returns the value of a template at a path if it does not depend on the input.
func withoutInput(blank render.Rendering, path refconfig.FieldPath) (any, bool) {
	n := blank.Node.At(path)
	if _, whole := n.Note(); whole && n.Varies() {
		return nil, false
	}
	return n.Value(), n != nil
}

// lacks reports whether no value can exist at a path, because a map on the path has no such key.
func lacks(v any, path refconfig.FieldPath) bool {
	for _, step := range path {
		m, ok := v.(map[string]any)
		if !ok || step.Any {
			return false
		}
		below, ok := m[step.Key]
		if !ok {
			return true
		}
		v = below
	}
	return false
}

// IsInside reports whether a path leads into a document in a text. There is no such field if the
// text is not opened.
func IsInside(path refconfig.FieldPath) bool {
	return slices.ContainsFunc(path, func(s refconfig.Step) bool {
		_, inside := s.Around()
		return inside
	})
}
