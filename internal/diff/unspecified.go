package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Unspecified merges the rendered reference into the input for ignore-unspecified-fields: fields
// that the reference does not name are copied from the input and so agree. It is a step before the
// walk because overrides patch the merged value, as users write them for it.
//
// A null in the reference means, as in a merge patch, that the input must not have the key. It
// stays if the input has the key, so that the difference is found; so does a missing mandatory key.
// In lists, only such nulls are removed from items, except in lists that are compared as maps,
// whose items are merged too.
func Unspecified(input, rendered, notes any, fields Fields) any {
	return unspecified(input, rendered, notes, fields, false)
}

// unspecified does the same as Unspecified, also inside a list that is compared as a whole.
func unspecified(input, rendered, notes any, fields Fields, whole bool) any {
	whole = whole || fields.exact()
	patch, ok := rendered.(map[string]any)
	if !ok {
		return unspecifiedItems(input, rendered, notes, fields, whole)
	}
	target, _ := input.(map[string]any)
	below, _ := notes.(map[string]any)
	merged := make(map[string]any, len(target)+len(patch))
	for k, v := range target {
		if _, named := patch[k]; !whole && (named || !fields.Below(refconfig.Key(k)).exact()) {
			merged[k] = tree.Copy(v)
		}
	}
	for k, v := range patch {
		_, has := target[k]
		note, _ := below[k].(provenance.Note)
		if v == nil && !has && note.Finding == nil {
			continue
		}
		merged[k] = unspecified(target[k], v, below[k], fields.Below(refconfig.Key(k)), whole)
	}
	return merged
}

// unspecifiedItems does the same as Unspecified for lists. It adds and removes no items. Items of
// lists that are compared as a whole belong together by their index.
func unspecifiedItems(input, rendered, notes any, fields Fields, whole bool) any {
	list, _ := rendered.([]any)
	items, _ := input.([]any)
	below, _ := notes.([]any)
	pairs, asked := fields.Items(list, items)
	switch {
	case !asked && !whole && !hasNull(list):
		return rendered
	case !asked:
		whole, pairs = true, nil
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
		merged[p.A] = unspecified(items[p.B], list[p.A], note, fields.Below(refconfig.Step{Index: p.A}), whole)
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

// eachUnspecified calls f for each topmost field of the input, below a path, that a template does
// not name.
func eachUnspecified(at refconfig.FieldPath, input, printed any, fields Fields, f func(refconfig.FieldPath)) {
	if fields.exact() {
		return
	}
	list, _ := printed.([]any)
	items, _ := input.([]any)
	pairs, _ := fields.Items(list, items)
	for _, p := range pairs {
		if p.A >= 0 && p.B >= 0 {
			eachUnspecified(
				at.Below(refconfig.Step{Index: p.B}),
				items[p.B],
				list[p.A],
				fields.Below(refconfig.Step{Index: p.A}),
				f,
			)
		}
	}
	in, isMap := input.(map[string]any)
	named, isNamed := printed.(map[string]any)
	if !isMap || !isNamed {
		return
	}
	for _, k := range tree.Keys(in) {
		step := refconfig.Key(k)
		path := at.Below(step)
		if below, there := named[k]; there {
			eachUnspecified(path, in[k], below, fields.Below(step), f)
		} else if !fields.Below(step).exact() {
			f(path)
		}
	}
}
