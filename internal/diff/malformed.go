package diff

import (
	"fmt"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/embed"
	"github.com/validationtool/validationtool/internal/pattern"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Malformed is a text of a template with capture groups that are compared as text, because they are
// malformed.
type Malformed struct {
	template *refconfig.Template
	function refconfig.FieldFunction
	path     refconfig.FieldPath
	message  string
}

// NewMalformed describes the malformed groups of a text; redact hides the text.
func NewMalformed(
	t *refconfig.Template, f refconfig.FieldFunction, path refconfig.FieldPath, groups []error, redact bool,
) Malformed {
	m := Malformed{template: t, function: f, path: path, message: groups[0].Error()}
	if redact {
		m.message = "it may hold secret data, and is not shown"
	}
	if n := len(groups) - 1; n > 0 {
		m.message += fmt.Sprintf(" (and %d more)", n)
	}
	return m
}

// Problem returns the warning about the groups.
func (m Malformed) Problem() refconfig.Problem {
	return m.function.Place.Problem(
		code.RefInlineGroup,
		"the text at %s of %s has a capture group that cannot be used and is compared as text: %s",
		m.path,
		m.template.Path,
		m.message,
	)
}

// MalformedOf returns the malformed groups that a template contains whatever the input is.
func MalformedOf(t *render.Template) []Malformed {
	functions := t.Ref.Config.Fields(refconfig.InlineDiff)
	if len(functions) == 0 {
		return nil
	}
	blank, ok := t.Blank()
	if ok {
		openBlank(t, &blank)
	}
	var all []Malformed
	for _, f := range functions {
		for _, path := range tree.Expand(any(blank.Value), f.Path) {
			v, _ := withoutInput(blank, path)
			text, _ := v.(string)
			if groups, _ := pattern.Check(f.Function, text); len(groups) > 0 {
				all = append(all, NewMalformed(t.Ref, f, path, groups, false))
			}
		}
	}
	return all
}

// Entry returns the name of the entry of perField with the groups.
func (m Malformed) Entry() string { return m.template.Path + " " + m.function.Path.String() }

// Doubts returns warnings about templates whose fields cannot be compared as perField says, as far
// as this is known without an input: malformed capture groups, and texts that are no documents.
func Doubts(engine *render.Engine) []refconfig.Problem {
	var problems []refconfig.Problem
	for _, t := range engine.Templates() {
		for _, m := range MalformedOf(t) {
			problems = append(problems, m.Problem())
		}
		if len(t.Ref.Config.Fields(refconfig.Embedded))+len(FieldsOf(t.Ref.Config).entries) == 0 {
			continue
		}
		blank, ok := t.Blank()
		if !ok {
			continue
		}
		for _, c := range openBlank(t, &blank) {
			problems = append(problems, c.Entry.Place.Problem(
				code.RefClosed,
				"%s of %s cannot be looked into as %s, and is compared as it is: %s",
				c.Path,
				t.Ref.Path,
				c.Entry.Function,
				c.Why,
			))
		}
		problems = append(problems, doubtsOfFields(t, blank)...)
	}
	return problems
}

// doubtsOfFields returns warnings about fields that cannot be compared as entries say, and about
// entries without effect.
func doubtsOfFields(t *render.Template, blank render.Blank) (problems []refconfig.Problem) {
	first := map[string]refconfig.FieldFunction{}
	for _, e := range FieldsOf(t.Ref.Config).entries {
		if e.Key == refconfig.Exact {
			continue
		}
		if other, twice := first[e.Path.String()]; twice {
			problems = append(problems, e.Place.Problem(
				code.RefTwice,
				"%s is said to be compared by %s as well, in line %d, which counts",
				e.Path,
				other.Said(),
				other.Place.Line,
			))
			continue
		}
		first[e.Path.String()] = e.FieldFunction
		for _, path := range tree.Expand(any(blank.Value), e.Path) {
			v, known := withoutInput(blank, path)
			notes, _ := tree.At(any(blank.Notes), path)
			if !known || v == nil || provenance.Any(notes, provenance.Note.Varies) {
				continue
			}
			_, why := meaning(e.FieldFunction, v)
			if list, isList := v.([]any); isList && e.Keys != nil {
				_, why = names(e.FieldFunction, list)
			}
			if why != "" {
				problems = append(problems, e.Place.Problem(
					code.RefAsIs,
					"%s of %s cannot be compared by %s, and is compared as it is: %s",
					path,
					t.Ref.Path,
					e.Said(),
					why,
				))
			}
		}
	}
	return problems
}

// openBlank opens the documents that a template prints without an object.
func openBlank(t *render.Template, blank *render.Blank) []Closed {
	o := Open(t.Ref.Config, Sides{
		Left:  blank.Value,
		Right: blank.Value,
		Notes: blank.Notes,
		Most:  embed.Most(len(t.Ref.Source)),
		Blank: true,
	})
	if o == nil {
		return nil
	}
	blank.Value = o.Left
	blank.Notes, _ = o.Notes.(map[string]any)
	return o.Closed
}
