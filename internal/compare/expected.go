package compare

import (
	"context"
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/patch"
	"github.com/validationtool/validationtool/internal/pattern"
	"github.com/validationtool/validationtool/internal/placeholder"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// resolved is a rendered template on its way to the comparison, with the object.
type resolved struct {
	patch.Expected
	Unplaced    []provenance.Finding
	Printed     any            // the value as the template printed it
	Input       map[string]any // the object
	Closed      []diff.Closed
	Rendered    any                   // the value before overrides
	Conflicting []refconfig.FieldPath // the fields whose groups matched different texts
	Malformed   []diff.Malformed
	Source      bool // the object is a source CR, whose texts may be placeholders
	Template    *render.Template
}

// IsPlain reports whether nothing but the two values decides how they differ.
func (x *resolved) IsPlain() bool {
	return len(x.Template.Ref.Config.PerField) == 0 && !x.Source && len(x.Unplaced) == 0 && !x.Secret &&
		!secret.OfKind(x.ID.Kind).IsObject()
}

// Open returns the findings that no override answers. What is violated is accepted for the value
// that the override states, as far as the two sides are compared.
func (x *resolved) Open(left, right any) []provenance.Finding {
	answers := x.Answers()
	return slices.DeleteFunc(slices.Clone(x.Unplaced), func(f provenance.Finding) bool {
		stated, there := tree.At(left, f.Path)
		found, is := tree.At(right, f.Path)
		return answers(f, found) && (!code.IsOwn(f.Code) || there == is && tree.Equal(stated, found))
	})
}

// LookInside opens the documents in an object and in what is expected of it, of which so many bytes
// may be decoded together.
func (x *resolved) LookInside(ctx context.Context, most int64) {
	o := diff.Open(x.Template.Ref.Config, diff.Sides{
		Left:     x.Value,
		Right:    x.Input,
		Notes:    x.Notes,
		Kind:     x.ID.Kind,
		Most:     most,
		Searched: x.Searched,
		Context:  ctx,
	})
	if o == nil {
		return
	}
	x.Value, x.Printed, x.Input, x.Notes, x.Closed = o.Left, o.Left, o.Right, o.Notes, o.Closed
	x.Reopen, x.Opened = o.Reopen, o.Paths
}

// Inline applies the template's inline diff functions: each replaces the template's value at its
// path by what that accepts of the input's value. It returns the groups that matched different
// texts. What it returns after the end of the context is not to be used.
func (x *resolved) Inline(ctx context.Context) ([]provenance.Finding, *render.Error) {
	var groups pattern.Groups
	places := map[string]refconfig.FieldPath{}
	secretGroups, secretNames, lists := false, false, secret.Lists{}
	fields := x.Template.Ref.Config.Fields(refconfig.InlineDiff)
	partners := diff.PartnersOf(ctx, x.Template.Ref.Config, x.Value, x.Input)
	if len(fields) > 0 {
		x.Value, x.Notes = tree.Copy(x.Value), tree.Copy(x.Notes)
	}
	for _, f := range fields {
		paths := tree.Expand(x.Value, f.Path)
		if len(paths) == 0 && len(tree.Expand(x.Rendered, f.Path)) == 0 && !diff.IsInside(f.Path) {
			return nil, x.inlineError(f, "with the values of this CR the template has no such field")
		}
		for _, path := range paths {
			at, there := partners.Of(path)
			if ctx.Err() != nil {
				return nil, nil
			}
			if !there {
				continue // an item that the input lacks shows by itself
			}
			places[at.String()] = at
			redact := x.redacts(path, at, lists)
			secretGroups, secretNames = secretGroups || redact, secretNames || redact && x.printsSecret(path)
			if err := x.inlineAt(f, path, at, &groups, redact); err != nil {
				return nil, err
			}
		}
	}
	var findings []provenance.Finding
	for _, c := range groups.Conflicts() {
		message := c.Message()
		if secretNames {
			c.Name = "(hidden)"
		}
		if secretGroups {
			message = c.Redacted()
		}
		at := c.Values[1].Paths[0] // the first that says otherwise
		findings = append(findings, provenance.Finding{Code: code.EvalInlineGroup, Path: places[at], Message: message})
		for _, v := range c.Values {
			for _, path := range v.Paths {
				x.Conflicting = append(x.Conflicting, places[path])
			}
		}
	}
	return findings, nil
}

// inlineAt applies one function at one path, to which another one of the input belongs.
func (x *resolved) inlineAt(
	f refconfig.FieldFunction, path, at refconfig.FieldPath, groups *pattern.Groups, redact bool,
) *render.Error {
	left, _ := tree.At(x.Value, path)
	template, ok := left.(string)
	if !ok {
		if old, there := tree.At(x.Rendered, path); !there || isString(old) {
			return nil // an override put it there: it is compared as it is
		}
		return x.inlineError(f, fmt.Sprintf("the template's value at %s is no string", path))
	}
	right, _ := tree.At(x.Input, at)
	text, ok := diff.Text(right)
	if !ok && x.Source && diff.StandsAbove(x.Input, at) {
		x.Notes, _ = tree.Set(x.Notes, path, provenance.Note{Variable: true, Open: true})
	}
	if !ok {
		return nil // what the input lacks, or has as null, a map or a list, shows by itself
	}
	if x.Source && placeholder.In(text) && pattern.Admits(f.Function, template, text) {
		x.Value, _ = tree.Set(x.Value, path, text)
		x.Notes, _ = tree.Set(x.Notes, path, provenance.Note{Variable: true, Open: true})
		return nil
	}
	out, err := pattern.Apply(f.Function, template, text)
	switch {
	case err != nil && redact:
		return x.inlineError(f, "its expression is none, and may hold secret data")
	case err != nil:
		return x.inlineError(f, err.Error())
	}
	if len(out.Malformed) > 0 {
		x.Malformed = append(x.Malformed, diff.NewMalformed(x.Template.Ref, f, path, out.Malformed, redact))
	}
	groups.Add(at.String(), out.Captures)
	tree.Put(x.Value, path, diff.Accepted(out, text, right))
	note := provenance.Note{Variable: len(out.Variable) > 0}
	if out.Value == text {
		out.Findings = nil // an input that is the expression itself agrees
	}
	printed := redact && x.printsSecret(path)
	for i, finding := range out.Findings {
		message := finding.Message()
		if printed {
			finding.Group, finding.Expression = "", "(hidden)"
		}
		if redact {
			message = finding.Redacted()
		}
		if i == 0 {
			note.Finding = &provenance.Finding{Code: code.EvalInlineNoMatch, Path: path, Message: message}
			continue
		}
		note.Finding.Message += "; " + message
	}
	if old, ok := tree.At(x.Notes, path); ok {
		if n, ok := old.(provenance.Note); ok && note.Finding == nil {
			note.Finding, note.Variable = n.Finding, note.Variable || n.Variable
		}
		if n, ok := old.(provenance.Note); ok {
			note.Secret = n.Secret
		}
	}
	if redact && !secret.OfKind(x.ID.Kind).IsObject() { // whose scope says what of it is secret
		note.Secret = true // what was accepted of a secret text is a part of it, that nobody would take for one
	}
	tree.Put(x.Notes, path, note)
	return nil
}

func isString(v any) bool {
	_, ok := v.(string)
	return ok
}

func (x *resolved) inlineError(f refconfig.FieldFunction, message string) *render.Error {
	return &render.Error{Code: code.EvalInline, Position: x.Template.Ref.File, Message: fmt.Sprintf(
		"the inline diff function %s at %s cannot be applied: %s", f.Function, f.Path, message)}
}

// Scope is the scope of both sides of a comparison: the expected value, and the object.
func (x *resolved) Scope() secret.Scope {
	scope := secret.Of(x.Value).Or(secret.Of(x.Input)).Or(secret.OfKind(x.ID.Kind)).With(x.Searched)
	if x.Secret {
		return scope.Values()
	}
	return scope
}

// redacts reports whether messages about a field, which the input has at another path, must not
// show its texts.
func (x *resolved) redacts(path, at refconfig.FieldPath, lists secret.Lists) bool {
	kind := x.ID.Kind
	if x.Clear {
		return false
	}
	if x.Secret || secret.OfKind(kind).IsObject() {
		return true
	}
	return x.printsSecret(path) || lists.HeldAt(kind, x.Value, path, x.Searched) ||
		lists.HeldAt(kind, x.Input, at, x.Searched)
}

// printsSecret reports whether the text that the template has at a path was printed from something
// secret.
func (x *resolved) printsSecret(path refconfig.FieldPath) bool {
	note, _ := tree.At(x.Notes, path)
	n, isNote := note.(provenance.Note)
	return x.Secret || isNote && n.Secret
}
