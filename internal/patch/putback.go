package patch

import (
	"maps"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// putBack returns a patched value with the fields that the patch removed and the object has: a
// removed field may be absent, but its value is still compared. It also returns the fields that the
// patch still states. The trial is the comparison without overrides.
func (t *Trial) putBack(patched any, stated []refconfig.FieldPath) (any, []refconfig.FieldPath) {
	if t == nil {
		return patched, stated
	}
	whole := restored(t.Tree, tree.Omit(t.Value, t.Omit), patched)
	if tree.Equal(whole, patched) {
		return patched, stated
	}
	var still []refconfig.FieldPath
	for _, path := range stated {
		_, was := tree.At(patched, path)
		v, is := tree.At(whole, path)
		if was || !is {
			still = append(still, path)
			continue
		}
		before, _ := tree.At(t.Value, path)
		still = append(still, lacking(path, before, v)...)
	}
	return whole, still
}

// lacking returns the fields of a value that another value lacks.
func lacking(path refconfig.FieldPath, of, v any) (all []refconfig.FieldPath) {
	m, _ := of.(map[string]any)
	has, isMap := v.(map[string]any)
	if !isMap {
		return nil
	}
	for _, k := range tree.Keys(m) {
		at := path.Below(refconfig.Key(k))
		if x, there := has[k]; there {
			all = append(all, lacking(at, m[k], x)...)
		} else {
			all = append(all, at)
		}
	}
	return all
}

// restored returns a patched value with the fields that the patch removed and the object has. p
// compares the value before the patch with the object.
func restored(p *diff.Pair, before, patched any) any {
	if tree.Equal(before, patched) {
		return patched
	}
	switch is := patched.(type) {
	case map[string]any:
		if was, isMap := before.(map[string]any); isMap {
			return restoredMap(p, was, is)
		}
	case []any:
		if was, isList := before.([]any); isList {
			return restoredList(p, was, is)
		}
	}
	return patched
}

func restoredMap(p *diff.Pair, before, patched map[string]any) any {
	out := maps.Clone(patched)
	for _, kid := range kidsOf(p) {
		key := kid.Step.Key
		was, had := before[key]
		if !had {
			continue
		}
		if is, stays := patched[key]; stays {
			out[key] = restored(kid, was, is)
		} else if v, back := found(kid, was); back {
			out[key] = v
		}
	}
	return out
}

// restoredList does the same as restored for lists. It keeps an item that the object has as the
// patch made it.
func restoredList(p *diff.Pair, before, patched []any) any {
	kids := map[int]*diff.Pair{} // by their index in the list before
	has, patchedTo := map[string]bool{}, map[string]bool{}
	for _, kid := range kidsOf(p) {
		if kid.Left.Present {
			kids[kid.From] = kid
		}
		if kid.Right.Present {
			has[tree.YAML(kid.Right.Data)] = true
		}
	}
	if len(kids) != len(before) {
		return patched // some items are omitted
	}
	for _, item := range patched {
		patchedTo[tree.YAML(item)] = true
	}
	out := []any{}
	for _, at := range align.Items(before, patched) {
		switch {
		case at.A < 0 || at.B >= 0 && has[tree.YAML(patched[at.B])]:
			out = append(out, patched[at.B])
		case at.B >= 0:
			out = append(out, restored(kids[at.A], before[at.A], patched[at.B]))
		default:
			kid := kids[at.A]
			if v, back := found(kid, before[at.A]); back && !patchedTo[tree.YAML(kid.Right.Data)] {
				out = append(out, v)
			}
		}
	}
	return out
}

// found returns the part of a removed value that the object has. In maps, each field counts by
// itself.
func found(p *diff.Pair, removed any) (any, bool) {
	if !p.Right.Present || p.Right.Data == nil {
		return nil, false
	}
	was, wasMap := removed.(map[string]any)
	if _, isMap := p.Right.Data.(map[string]any); !wasMap || !isMap {
		return removed, true
	}
	out := map[string]any{}
	for _, kid := range kidsOf(p) {
		if x, had := was[kid.Step.Key]; had {
			if v, back := found(kid, x); back {
				out[kid.Step.Key] = v
			}
		}
	}
	return out, len(out) > 0 || len(was) == 0
}

// kidsOf returns the children of a pair, also of a pair that agrees or differs as a whole.
func kidsOf(p *diff.Pair) []*diff.Pair {
	if p.Kids != nil {
		return p.Kids
	}
	var kids []*diff.Pair
	switch v := p.Right.Data.(type) {
	case map[string]any:
		for _, k := range tree.Keys(v) {
			kids = append(kids, &diff.Pair{Step: refconfig.Key(k), Right: diff.Present(v[k])})
		}
	case []any:
		for i, x := range v {
			kids = append(kids, &diff.Pair{Step: refconfig.Step{Index: i}, From: i, Left: p.Left,
				Right: diff.Present(x)})
		}
	}
	return kids
}
