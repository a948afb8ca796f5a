package patch

import (
	"slices"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/refconfig"
)

// agrees reports whether an object agrees with the reference everywhere, so that no override is
// needed. The comparison is nil if it failed.
func agrees(c *diff.Compared) bool {
	return c != nil && len(c.Told) == 0 && agreed(c.Tree)
}

// open returns the fields that have a finding other than a difference of values.
func open(c *diff.Compared) []refconfig.FieldPath {
	open := slices.Clone(c.Conflicting)
	for _, d := range c.Differences {
		if d.Code != "" && len(d.Path) > 0 {
			open = append(open, d.Path)
		}
	}
	return open
}

// obsolete reports whether the object agrees with the reference wherever a patch changes it, and no
// field that the patch states has a finding. If this cannot be decided, the override is not
// obsolete: it is applied, and the report shows its effect.
func (x *Patched) obsolete(patch edits, named []refconfig.FieldPath, input map[string]any) bool {
	t := x.without
	if t == nil {
		return false
	}
	after, err := x.patched(t.Expected.Value(), patch, input)
	open := open(t)
	for _, stated := range named {
		stated = outsideLists(stated, t.Expected.Value())
		if slices.ContainsFunc(open, func(p refconfig.FieldPath) bool { return leads(stated, p) || leads(p, stated) }) {
			return false
		}
	}
	if err != nil {
		return movedOn(err) != nil &&
			!slices.ContainsFunc(named, func(path refconfig.FieldPath) bool { return !agreesAt(t.Tree, path) })
	}
	var e effect
	e.value(t.Tree, nil, t.Expected, diff.Present(after))
	return !e.needed
}

// agreesAt reports whether the object agrees with the reference at a field, or in the whole list
// that contains it.
func agreesAt(p *diff.Pair, path refconfig.FieldPath) bool {
	for _, step := range path {
		if p.Children == nil || p.List {
			break
		}
		i := slices.IndexFunc(p.Children, func(child *diff.Pair) bool { return child.Step.Key == step.Key })
		if i < 0 {
			return true // neither has it
		}
		p = p.Children[i]
	}
	return agreed(p)
}
