package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Unspecified merges the rendered reference into the input for ignore-unspecified-fields: it copies
// fields that the reference does not name from the input, so that they agree. It runs before
// Compare, because overrides patch the merged value.
//
// A null in the reference means, as in a merge patch, that the input must not have the key. The
// null stays if the input has the key, so that the difference is found; a missing mandatory key
// stays too. In items of lists, only the other nulls are removed. In lists that are compared as
// maps, the items are merged too.
//
// unnamed is called with the path of each copied field, and may be nil.
func Unspecified(
	input any, rendered *provenance.Node, fields Fields, unnamed func(refconfig.FieldPath),
) *provenance.Node {
	m := merger{unnamed: unnamed}
	return m.merge(roomOfPath(), input, rendered, fields)
}

// merger merges a rendered reference into an input.
type merger struct {
	unnamed func(refconfig.FieldPath)
	whole   bool // inside a list that is compared as a whole, or where extra content is drift
}

// merge does the same as Unspecified for values at a path of the input.
func (m merger) merge(
	at refconfig.FieldPath, input any, rendered *provenance.Node, fields Fields,
) *provenance.Node {
	m.whole = m.whole || fields.exact()
	patch, ok := rendered.Value().(map[string]any)
	if !ok {
		return m.items(at, input, rendered, fields)
	}
	target, _ := input.(map[string]any)
	children := make([]provenance.Node, 0, len(target)+len(patch))
	for _, k := range keysOf(tree.Keys(patch), target) {
		found, has := target[k]
		step, child := refconfig.Key(k), rendered.Child(k)
		below := fields.Below(step)
		switch {
		case child == nil && !m.whole && !below.exact():
			children = append(children, provenance.Plain(found).Under(k))
			if m.unnamed != nil {
				m.unnamed(at.Below(step))
			}
		case child == nil || child.Value() == nil && !has && !child.HasFinding():
		default:
			children = append(children, m.merge(append(at, step), found, child, below).Under(k))
		}
	}
	merged := provenance.Map(children)
	if note, whole := rendered.Note(); whole { // an empty map keeps its note
		merged = provenance.Leaf(merged.Value(), note)
	}
	return &merged
}

// items does the same as merge for lists. It adds and removes no items. Items of lists that are
// compared as a whole belong together by their index.
func (m merger) items(
	at refconfig.FieldPath, input any, rendered *provenance.Node, fields Fields,
) *provenance.Node {
	list, _ := rendered.Value().([]any)
	items, _ := input.([]any)
	pairs, asked := fields.Items(list, items)
	switch {
	case !asked && !m.whole && !hasNull(list):
		return rendered
	case !asked:
		m.whole, pairs = true, nil
		for i := range min(len(list), len(items)) {
			pairs = append(pairs, align.Pair{A: i, B: i})
		}
	}
	merged := rendered.Edit()
	for _, p := range pairs {
		if p.A < 0 || p.B < 0 {
			continue
		}
		step, of := refconfig.Step{Index: p.B}, refconfig.Step{Index: p.A}
		item := m.merge(append(at, step), items[p.B], rendered.Item(p.A), fields.Below(of))
		merged.Set(refconfig.FieldPath{of}, item)
	}
	return merged.Done()
}

// hasNull reports whether a map in a value has a null.
func hasNull(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			if x == nil || hasNull(x) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasNull)
	}
	return false
}
