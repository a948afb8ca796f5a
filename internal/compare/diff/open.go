package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/text/placeholder"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// These are the messages about values that are not known yet.
const (
	isPlaceholder  = "a placeholder"
	hangsOn        = "it depends on a placeholder"
	openKey        = "a placeholder in place of a key may be this key"
	openItem       = "an item that is a placeholder replaces it"
	fixedElsewhere = "a placeholder, and the reference fixes the value"
)

// expect turns differences into expected ones if placeholders of the object explain them: if the
// expected value depends on a placeholder, if the object's value is a placeholder, or if a
// placeholder in place of a key may be the missing key. The children must have their categories.
func (p *Pair) expect() {
	var input, unsure bool
	p.open, input, unsure = p.Expected.Depends()
	keys := !p.List && slices.ContainsFunc(p.Children, func(child *Pair) bool {
		return child.Right.Present && placeholder.In(child.Step.Key) &&
			(child.Right.Data == nil || isWhole(child.Right.Data))
	}) // the object has a key that is a placeholder, with no value or a placeholder as value
	for _, child := range p.Children {
		if keys && child.Category == finding.Missing {
			child.opens(openKey)
		}
	}
	if p.List {
		p.expectItems()
	}
	hangs := p.Category == finding.Drift && p.open || p.Category == finding.Missing && unsure
	switch {
	case p.Category == finding.Expected || p.Category == finding.Drift && input && isWhole(p.Right.Data):
		if placeholder.Within(p.Right.Data) {
			p.opens(isPlaceholder)
		}
	case hangs:
		p.opens(hangsOn)
	case p.Category == finding.Drift && isWhole(p.Right.Data) && p.Message == "":
		p.Message = fixedElsewhere
	}
}

// expectItems turns missing items into expected differences, one for each item that is a
// placeholder.
func (p *Pair) expectItems() {
	missing := slice.Filter(p.Children, func(child *Pair) bool {
		return child.Category == finding.Missing && child.open
	})
	for _, child := range p.Children {
		if len(missing) > 0 && !child.Left.Present && isWhole(child.Right.Data) {
			child.opens(isPlaceholder)
			missing[0].opens(openItem)
			missing = missing[1:]
		}
	}
}

// isWhole reports whether a value is only a placeholder.
func isWhole(v any) bool {
	text, ok := v.(string)
	return ok && placeholder.Whole(text)
}

// opens turns a difference into an expected one, with the reason.
func (p *Pair) opens(why string) {
	p.Category, p.Code, p.Message, p.Variable = finding.Expected, code.EvalPlaceholder, why, true
}

// FirstOpen returns the path of the first text that is only a placeholder.
func FirstOpen(v any) (refconfig.FieldPath, bool) {
	if !holdsOpen(v) { // the usual case, found without sorted keys and paths
		return nil, false
	}
	for path, leaf := range tree.Leaves(v) {
		if isWhole(leaf) {
			return slices.Clone(path), true
		}
	}
	return nil, false
}

// holdsOpen reports whether a value contains a text that is only a placeholder.
func holdsOpen(v any) bool {
	switch v := v.(type) {
	case string:
		return v != "" && (v[0] == '$' || v[0] == '{') && isWhole(v)
	case []any:
		return slices.ContainsFunc(v, holdsOpen)
	case map[string]any:
		for _, x := range v {
			if holdsOpen(x) {
				return true
			}
		}
	}
	return false
}

// StandsAbove reports whether a placeholder is in place of a map or list that a path leads into.
func StandsAbove(v any, path refconfig.FieldPath) bool {
	for i := range path {
		at, _ := tree.At(v, path[:i])
		if text, ok := at.(string); ok {
			return placeholder.Whole(text)
		}
	}
	return false
}
