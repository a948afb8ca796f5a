package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/pattern"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Check returns errors in perField that do not depend on the input: paths that a template cannot
// have, and invalid expressions.
func Check(engine *render.Engine) []refconfig.Problem {
	var problems []refconfig.Problem
	for _, t := range engine.Templates() {
		if len(t.Ref.Config.PerField) == 0 {
			continue
		}
		blank, ok := t.Blank()
		if !ok {
			continue // it shows on every CR
		}
		opened := blank
		openBlank(t, &opened)
		for _, f := range t.Ref.Config.PerField {
			if f.Key == refconfig.Embedded {
				problems = append(problems, checkField(t, f, blank)...)
			} else {
				problems = append(problems, checkField(t, f, opened)...)
			}
		}
	}
	return problems
}

// checkField checks one entry of perField.
func checkField(t *render.Template, f refconfig.FieldFunction, blank render.Blank) []refconfig.Problem {
	problem := func(c code.Code, format string, args ...any) refconfig.Problem {
		return f.Place.Problem(c, format, args...)
	}
	subject := "the inline diff function " + f.Function
	if f.Key != refconfig.InlineDiff {
		subject = f.Said()
	}
	paths := tree.Expand(any(blank.Value), f.Path)
	if len(paths) == 0 && blank.Whole && !IsInside(f.Path) && lacks(blank.Value, f.Path) {
		return []refconfig.Problem{problem(code.RefInlinePath, "%s is for %s, which %s does not have; "+
			"name a field of the template", subject, f.Path, t.Ref.Path)}
	}
	if f.Key != refconfig.InlineDiff {
		return nil
	}
	var problems []refconfig.Problem
	for _, path := range paths {
		v, known := withoutInput(blank, path)
		if !known {
			continue
		}
		text, isText := v.(string)
		if !isText {
			problems = append(
				problems,
				problem(code.RefInlinePath, "the inline diff function %s is for %s, which is no text in %s; "+
					"name a field that holds an expression", f.Function, path, t.Ref.Path),
			)
			continue
		}
		if _, err := pattern.Check(f.Function, text); err != nil {
			problems = append(
				problems,
				problem(code.RefInlineRegexp, "the expression at %s of %s cannot be used with %s: %s",
					path, t.Ref.Path, f.Function, err),
			)
		}
	}
	return problems
}

// withoutInput returns the value of a template at a path if it does not depend on the input.
func withoutInput(blank render.Blank, path refconfig.FieldPath) (any, bool) {
	note, _ := tree.At(any(blank.Notes), path)
	if n, leaf := note.(provenance.Note); leaf && n.Varies() {
		return nil, false
	}
	return tree.At(any(blank.Value), path)
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
