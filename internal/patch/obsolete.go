package patch

import (
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// mended reports whether the object agrees with the reference everywhere, so that no override is
// needed.
func (t *Trial) mended() bool {
	return t != nil && len(t.Told) == 0 && agreed(t.Tree)
}

// open returns the fields that have a finding other than a difference of values.
func (t *Trial) open() []refconfig.FieldPath {
	open := slices.Clone(t.Conflicting)
	for _, d := range t.Differences {
		if d.Code != "" && len(d.Path) > 0 {
			open = append(open, d.Path)
		}
	}
	return open
}

// obsolete reports whether the object agrees with the reference wherever a patch changes it, and no
// field that the patch states has a finding. If this cannot be decided, the override is not
// obsolete: it is applied, and the report shows its effect.
func (t *Trial) obsolete(
	x *Expected, patch edits, named []refconfig.FieldPath, input map[string]any,
) bool {
	if t == nil {
		return false
	}
	after, err := x.patched(t.Value, patch, input)
	open := t.open()
	for _, stated := range named {
		stated = outsideLists(stated, t.Value)
		if slices.ContainsFunc(open, func(p refconfig.FieldPath) bool { return leads(stated, p) || leads(p, stated) }) {
			return false
		}
	}
	if err != nil {
		return movedOn(err) != nil &&
			!slices.ContainsFunc(named, func(path refconfig.FieldPath) bool { return !agreesAt(t.Tree, path) })
	}
	return agreesWherePatched(t.Tree, tree.Omit(t.Value, t.Omit), tree.Omit(after, t.Omit))
}

// agreesAt reports whether the object agrees with the reference at a field, or in the whole list
// that contains it.
func agreesAt(p *diff.Pair, path refconfig.FieldPath) bool {
	for _, step := range path {
		if p.Kids == nil || p.List {
			break
		}
		i := slices.IndexFunc(p.Kids, func(kid *diff.Pair) bool { return kid.Step.Key == step.Key })
		if i < 0 {
			return true // neither has it
		}
		p = p.Kids[i]
	}
	return agreed(p)
}

// agreesWherePatched reports whether the object agrees with the reference wherever a patch changes
// it. before and after are a part of the reference without and with the patch, and p compares the
// part with the object. If the patch changes the length of a list, it changes the whole list.
func agreesWherePatched(p *diff.Pair, before, after any) bool {
	if tree.Equal(before, after) {
		return true
	}
	if p.Kids == nil {
		return agreed(p)
	}
	if was, ok := before.(map[string]any); ok && !p.List {
		if is, ok := after.(map[string]any); ok {
			return agreesInMap(p, was, is)
		}
		return agreed(p)
	}
	was, _ := before.([]any)
	is, _ := after.([]any)
	items := slices.DeleteFunc(slices.Clone(p.Kids), func(kid *diff.Pair) bool { return !kid.Left.Present })
	if len(items) != len(was) || len(items) != len(is) {
		return agreed(p)
	}
	for _, item := range items {
		if !agreesWherePatched(item, was[item.From], is[item.From]) {
			return false
		}
	}
	return true
}

func agreesInMap(p *diff.Pair, before, after map[string]any) bool {
	for _, kid := range p.Kids {
		was, had := before[kid.Step.Key]
		is, has := after[kid.Step.Key]
		if had != has && !agreed(kid) || had == has && !agreesWherePatched(kid, was, is) {
			return false
		}
	}
	return true
}

// agreed reports whether both sides of a pair agree. A masked value does not agree, because it is
// unknown.
func agreed(p *diff.Pair) bool {
	if p.Kids == nil {
		return (p.Category == finding.Same || p.Category == finding.Expected) && p.Code != code.EvalMasked
	}
	return !slices.ContainsFunc(p.Kids, func(kid *diff.Pair) bool { return !agreed(kid) })
}
