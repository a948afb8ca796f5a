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
func Unspecified(input, rendered, notes any, fields Fields, unnamed func(refconfig.FieldPath)) any {
	m := merger{unnamed: unnamed}
	return m.merge(roomOfPath(), input, rendered, notes, fields)
}

// merger merges a rendered reference into an input.
type merger struct {
	unnamed func(refconfig.FieldPath)
	whole   bool // inside a list that is compared as a whole, or where extra content is drift
}

// merge does the same as Unspecified for values at a path of the input.
func (m merger) merge(at refconfig.FieldPath, input, rendered, notes any, fields Fields) any {
	m.whole = m.whole || fields.exact()
	patch, ok := rendered.(map[string]any)
	if !ok {
		return m.items(at, input, rendered, notes, fields)
	}
	target, _ := input.(map[string]any)
	below, _ := notes.(map[string]any)
	merged := make(map[string]any, len(target)+len(patch))
	for k, v := range target {
		if _, named := patch[k]; !named && !m.whole && !fields.Below(refconfig.Key(k)).exact() {
			merged[k] = tree.Copy(v)
			if m.unnamed != nil {
				m.unnamed(at.Below(refconfig.Key(k)))
			}
		}
	}
	for k, v := range patch {
		_, has := target[k]
		note, _ := below[k].(provenance.Note)
		if v == nil && !has && note.Finding == nil {
			continue
		}
		step := refconfig.Key(k)
		merged[k] = m.merge(append(at, step), target[k], v, below[k], fields.Below(step))
	}
	return merged
}

// items does the same as merge for lists. It adds and removes no items. Items of lists that are
// compared as a whole belong together by their index.
func (m merger) items(at refconfig.FieldPath, input, rendered, notes any, fields Fields) any {
	list, _ := rendered.([]any)
	items, _ := input.([]any)
	below, _ := notes.([]any)
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
	if len(pairs) == 0 {
		return rendered
	}
	merged := slices.Clone(list)
	for _, p := range pairs {
		if p.A < 0 || p.B < 0 {
			continue
		}
		var note any
		if p.A < len(below) {
			note = below[p.A]
		}
		step := refconfig.Step{Index: p.B}
		merged[p.A] = m.merge(
			append(at, step), items[p.B], list[p.A], note, fields.Below(refconfig.Step{Index: p.A}),
		)
	}
	return merged
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
