package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Unspecified merges the rendered reference into the input, as ignore-unspecified-fields asks: what
// the reference does not name is taken from the input and so agrees. A null of the reference, which
// in a merge patch means that the key must not be there, stays where the input has the key, so that
// it shows; and so does a mandatory key that is missing. Lists are compared whole, so that nothing
// but such nulls goes from their items; those of lists that are compared as maps are merged too.
func Unspecified(input, rendered, notes any, fields Fields) any {
	return unspecified(input, rendered, notes, fields, false)
}

// unspecified is Unspecified, also for what lies in a list that is compared whole.
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

// unspecifiedItems is Unspecified for lists: which items there are stays as it is. Those of lists
// that are compared whole belong together where they stand at the same place.
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

// eachUnspecified calls f for the fields below a path of the input that a template does not name,
// and not for those in them.
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
