package compare

import (
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// unpatched is an object compared with the rendered reference as it is without any override. It tells which overrides are
// obsolete: the object agrees with the reference wherever their patches change it.
//
// Where it cannot be told, an override is not obsolete: it is applied then, and what it makes of the reference shows.
type unpatched struct {
	*attempt
	value any // the rendered reference
	omit  []refconfig.OmitEntry
	open  []refconfig.FieldPath // the fields that there is a finding about, other than that they differ
}

// unpatched compares an object with the rendered reference as it is.
func (r *run) unpatched(x *expected, input map[string]any) *unpatched {
	plain := *x
	plain.value, plain.notes = tree.Copy(x.value), tree.Copy(x.notes)
	u := &unpatched{attempt: &attempt{template: x.template}, value: x.value, omit: r.omitted(x.template.Ref)}
	r.compare(u.attempt, &plain, input)
	u.open = slices.Clone(u.conflicting)
	for _, d := range u.differences {
		if d.Code != "" && len(d.Path) > 0 {
			u.open = append(u.open, d.Path)
		}
	}
	return u
}

// mended reports whether the object agrees with the reference everywhere, so that there is nothing to override.
func (u *unpatched) mended() bool {
	return u.err == nil && len(u.conflicting)+len(u.told) == 0 && agreed(u.tree)
}

// obsolete reports whether the object agrees with the reference wherever a patch changes it, and wherever the patch states a
// field that there is a finding about.
func (u *unpatched) obsolete(kind refconfig.PatchType, patch string) bool {
	after, err := patched(u.value, kind, patch)
	if u.err != nil || err != nil {
		return false
	}
	for _, stated := range named(kind, patch) {
		stated = outsideLists(stated, u.value)
		if slices.ContainsFunc(u.open, func(p refconfig.FieldPath) bool { return leads(stated, p) || leads(p, stated) }) {
			return false
		}
	}
	return agreesWherePatched(u.tree, tree.Omit(tree.Copy(u.value), u.omit), tree.Omit(after, u.omit))
}

// agreesWherePatched reports whether the input agrees with the reference wherever a patch changes it. The pair lays the two over each
// other; before and after are the same part of the reference without the patch and with it. A list that the patch makes
// longer or shorter is changed as a whole.
func agreesWherePatched(p *overlay.Pair, before, after any) bool {
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
	items := slices.DeleteFunc(slices.Clone(p.Kids), func(kid *overlay.Pair) bool { return !kid.Left.Present })
	if len(items) != len(was) || len(items) != len(is) {
		return agreed(p)
	}
	for i, item := range items {
		if !agreesWherePatched(item, was[i], is[i]) {
			return false
		}
	}
	return true
}

func agreesInMap(p *overlay.Pair, before, after map[string]any) bool {
	for _, kid := range p.Kids {
		was, had := before[kid.Step.Key]
		is, has := after[kid.Step.Key]
		if had != has && !agreed(kid) || had == has && !agreesWherePatched(kid, was, is) {
			return false
		}
	}
	return true
}

// agreed reports whether two sides agree in all that is known of them: what the collector masked is not.
func agreed(p *overlay.Pair) bool {
	if p.Kids == nil {
		return (p.Category == finding.Same || p.Category == finding.Expected) && p.Code != code.EvalMasked
	}
	return !slices.ContainsFunc(p.Kids, func(kid *overlay.Pair) bool { return !agreed(kid) })
}
