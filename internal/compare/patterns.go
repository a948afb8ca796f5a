package compare

import (
	"context"
	"fmt"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/placeholder"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// matcher applies the inline diff functions of a template.
type matcher struct {
	x           *expected
	left        *provenance.Draft     // the expected value
	conflicts   []provenance.Finding  // findings about groups that matched different texts
	conflicting []refconfig.FieldPath // the fields of these groups
	malformed   []refconfig.Problem
	groups      pattern.Groups
}

// match applies the inline diff functions of the template: each replaces the template's value by
// the part of the input's value that it accepts. It returns the matcher with the result, which must
// not be used after the end of the context. prints reports whether a template prints a field for any
// object.
func (x *expected) match(
	ctx context.Context, prints func(*render.Template, refconfig.FieldPath) bool,
) (*matcher, *render.Error) {
	m := &matcher{x: x, left: x.value.Node.Edit()}
	config := x.template.Ref.Config
	fields := config.Fields(refconfig.InlineDiff)
	if len(fields) == 0 {
		return m, nil
	}
	value, plain := x.value.Node.Value(), x.plain.Value()
	places := map[string]refconfig.FieldPath{}
	secretGroups, secretNames := false, false
	spots := diff.SpotsOf(ctx, config, value, x.input, x.value.Secrets)
	for _, f := range fields {
		if len(tree.Expand(value, f.Path)) == 0 && len(tree.Expand(plain, f.Path)) == 0 &&
			!diff.IsInside(f.Path) && (len(tree.Expand(x.input, f.Path)) > 0 || !prints(x.template, f.Path)) {
			return nil, m.fail(f, "with the values of this CR the template has no such field")
		}
		for at := range spots.At(f.Path) { // without items that the input lacks: they are differences
			if ctx.Err() != nil {
				return m, nil
			}
			places[at.RightPath.String()] = at.RightPath
			redact := m.redacts(at)
			secretGroups, secretNames = secretGroups || redact, secretNames || redact && m.printsSecret(at.LeftPath)
			if err := m.field(f, at, redact); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range m.groups.Conflicts() {
		message := c.Message()
		if secretNames {
			c.Name = "(hidden)"
		}
		if secretGroups {
			message = c.Redacted()
		}
		at := places[c.Values[1].Paths[0]] // the first field with a different text
		m.conflicts = append(
			m.conflicts, provenance.Finding{Code: code.EvalInlineGroup, Path: at, Message: message},
		)
		for _, v := range c.Values {
			for _, path := range v.Paths {
				m.conflicting = append(m.conflicting, places[path])
			}
		}
	}
	return m, nil
}

// field applies one function to a field.
func (m *matcher) field(f refconfig.FieldFunction, at diff.Spot, redact bool) *render.Error {
	path, right := at.LeftPath, at.Right.Data
	template, ok := m.left.At(path).Value().(string)
	if !ok {
		old := m.x.plain.At(path)
		if _, wasText := old.Value().(string); wasText || old == nil {
			return nil // the value comes from an override, and is compared as it is
		}
		return m.fail(f, fmt.Sprintf("the template's value at %s is not a string", path))
	}
	text, ok := diff.Text(right)
	if !ok && m.x.source && diff.StandsAbove(m.x.input, at.RightPath) {
		m.set(path, provenance.Leaf(template, provenance.Note{Variable: true, Open: true}))
	}
	if !ok {
		return nil // the input has no text here, which the comparison reports
	}
	if m.x.source && placeholder.In(text) && pattern.Admits(f.Function, template, text) {
		m.set(path, provenance.Leaf(text, provenance.Note{Variable: true, Open: true}))
		return nil
	}
	out, err := pattern.Apply(f.Function, template, text)
	switch {
	case err != nil && redact:
		return m.fail(f, "its expression is invalid, and is not shown because it may hold secret data")
	case err != nil:
		return m.fail(f, err.Error())
	}
	if len(out.Malformed) > 0 {
		m.malformed = append(
			m.malformed, diff.Malformed(m.x.template.Ref, f, path, out.Malformed, redact),
		)
	}
	m.groups.Add(at.RightPath.String(), out.Captures)
	m.set(path, provenance.Leaf(diff.Accepted(out, text, right), m.note(out, text, path, redact)))
	return nil
}

// set replaces a field of the expected value.
func (m *matcher) set(path refconfig.FieldPath, is provenance.Node) { m.left.Set(path, &is) }

// note returns the note for a value that a pattern accepted, with the parts that it did not accept.
func (m *matcher) note(out pattern.Outcome, text string, path refconfig.FieldPath, redact bool) provenance.Note {
	note := provenance.Note{Variable: len(out.Variable) > 0}
	if out.Value == text {
		out.Findings = nil // an input that is the expression itself agrees
	}
	for i, finding := range out.Findings {
		message := finding.Message()
		if redact {
			if m.printsSecret(path) {
				finding.Group, finding.Expression = "", "(hidden)"
			}
			message = finding.Redacted()
		}
		if i == 0 {
			note.Finding = &provenance.Finding{Code: code.EvalInlineNoMatch, Path: path, Message: message}
			continue
		}
		note.Finding.Message += "; " + message
	}
	if was, noted := m.left.At(path).Note(); noted {
		if note.Finding == nil {
			note.Finding, note.Variable = was.Finding, note.Variable || was.Variable
		}
		note.Secret = was.Secret
	}
	if redact && !m.x.value.Secrets.IsObject() { // the scope of a Secret already hides its data
		note.Secret = true // the accepted part of a secret text may not look secret by itself
	}
	return note
}

func (m *matcher) fail(f refconfig.FieldFunction, message string) *render.Error {
	return &render.Error{Code: code.EvalInline, At: refconfig.Place{File: m.x.template.Ref.File}, Message: fmt.Sprintf(
		"the inline diff function %s at %s cannot be applied: %s", f.Function, f.Path, message)}
}

// redacts reports whether messages about a field must not contain its texts.
func (m *matcher) redacts(at diff.Spot) bool {
	of := m.x.value
	return !of.Clear && (of.Secret || of.Secrets.IsObject() || m.printsSecret(at.LeftPath) ||
		at.HoldsSecret())
}

// printsSecret reports whether the template printed the text at a path from secret data.
func (m *matcher) printsSecret(path refconfig.FieldPath) bool {
	note, _ := m.left.At(path).Note()
	return m.x.value.Secret || note.Secret
}
