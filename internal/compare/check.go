package compare

import (
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/inline"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Check finds the faults of inline diff functions that the templates show without an input: a path that a template cannot have,
// and an expression that does not compile.
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
		for _, f := range t.Ref.Config.PerField {
			problems = append(problems, checkField(t, f, blank)...)
		}
	}
	return problems
}

// checkField checks one inline diff function.
func checkField(t *render.Template, f refconfig.FieldFunction, blank render.Blank) []refconfig.Problem {
	problem := func(c code.Code, format string, args ...any) refconfig.Problem {
		return f.Place.Problem(c, format, args...)
	}
	paths := tree.Expand(any(blank.Value), f.Path)
	if len(paths) == 0 && blank.Whole && lacks(blank.Value, f.Path) {
		return []refconfig.Problem{problem(code.RefInlinePath, "the inline diff function %s is for %s, which %s does not have; "+
			"name a field of the template", f.Function, f.Path, t.Ref.Path)}
	}
	var problems []refconfig.Problem
	for _, path := range paths {
		v, known := withoutInput(blank, path)
		if !known {
			continue
		}
		text, isText := v.(string)
		if !isText {
			problems = append(problems, problem(code.RefInlinePath, "the inline diff function %s is for %s, which is no text in %s; "+
				"name a field that holds an expression", f.Function, path, t.Ref.Path))
			continue
		}
		if _, err := inline.Check(f.Function, text); err != nil {
			problems = append(problems, problem(code.RefInlineRegexp, "the expression at %s of %s cannot be used with %s: %s",
				path, t.Ref.Path, f.Function, err))
		}
	}
	return problems
}

// withoutInput returns what a template has at a path whatever the input; false where the input may make something else of it.
func withoutInput(blank render.Blank, path refconfig.FieldPath) (any, bool) {
	note, _ := tree.At(any(blank.Notes), path)
	if n, leaf := note.(render.Note); leaf && (n.Variable || n.Finding != nil) {
		return nil, false
	}
	return tree.At(any(blank.Value), path)
}

// lacks reports whether a path ends at a map that has no such key, so that no value filled in can make it lead anywhere.
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
