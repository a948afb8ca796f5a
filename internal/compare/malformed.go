package compare

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/inline"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// malformedGroups are capture groups of one text of a template that cannot be used, so that they are compared as text.
type malformedGroups struct {
	template *refconfig.Template
	function refconfig.FieldFunction
	path     refconfig.FieldPath
	message  string
}

// newMalformed takes down what is wrong with the groups of a text; redact leaves out what could show it.
func newMalformed(t *refconfig.Template, f refconfig.FieldFunction, path refconfig.FieldPath, groups []*inline.ExpressionError, redact bool) malformedGroups {
	m := malformedGroups{template: t, function: f, path: path, message: groups[0].Error()}
	if redact {
		m.message = "it may hold secret data, and is not shown"
	}
	if n := len(groups) - 1; n > 0 {
		m.message += fmt.Sprintf(" (and %d more)", n)
	}
	return m
}

// warnMalformed warns of malformed groups at their entry of perField, once for each.
func (r *run) warnMalformed(all []malformedGroups) {
	for _, m := range all {
		entry := m.template.Path + " " + m.function.Path.String()
		if r.warned[entry] {
			continue
		}
		if r.warned == nil {
			r.warned = map[string]bool{}
		}
		r.warned[entry] = true
		p := m.problem()
		r.warn(p.Code, p.Place.String(), p.Message)
	}
}

// problem is what there is to say about the groups.
func (m malformedGroups) problem() refconfig.Problem {
	return m.function.Place.Problem(code.RefInlineGroup, "the text at %s of %s has a capture group that cannot be used and is compared as text: %s",
		m.path, m.template.Path, m.message)
}

// Malformed finds the capture groups of all templates that cannot be used, as far as these show without an input.
func Malformed(engine *render.Engine) []refconfig.Problem {
	var problems []refconfig.Problem
	for _, t := range engine.Templates() {
		for _, m := range blankMalformed(t) {
			problems = append(problems, m.problem())
		}
	}
	return problems
}

// blankMalformed returns the malformed groups that a template shows without an input.
func blankMalformed(t *render.Template) []malformedGroups {
	if len(t.Ref.Config.PerField) == 0 {
		return nil
	}
	blank, _ := t.Blank()
	var all []malformedGroups
	for _, f := range t.Ref.Config.PerField {
		for _, path := range tree.Expand(any(blank.Value), f.Path) {
			v, _ := withoutInput(blank, path)
			text, _ := v.(string)
			if groups, _ := inline.Check(f.Function, text); len(groups) > 0 {
				all = append(all, newMalformed(t.Ref, f, path, groups, false))
			}
		}
	}
	return all
}

// undecoded returns the code and the message, with its position, for an object that cannot be decoded.
func undecoded(o *manifest.Object, err error) (code.Code, string) {
	cd, place := code.EvalDecode, o.Place
	var fault *manifest.SyntaxError
	if errors.As(err, &fault) {
		cd, place.Line = cmp.Or(fault.Code, cd), cmp.Or(fault.Line, place.Line)
	}
	return cd, fmt.Sprintf("%s: the CR cannot be decoded: %s", place, err)
}
