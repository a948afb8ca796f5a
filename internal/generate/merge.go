package generate

import (
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Fields counts the fields of templates that are not simply stated.
type Fields struct {
	Differing int // their values differ between clusters
	Optional  int // only some clusters have them
	Hidden    int // they hold something secret

	left int // bytes that paths of fields may still take
}

// hidden stands in the place of a secret value, and says what it is like.
type hidden struct{ like any }

// hide returns an object with hidden in the place of what is secret. It reports false where that is
// a map or a list: its keys are secret too, so that nothing can be printed of it. No Secret that a
// cluster has is so.
func hide(object any, by *secret.Searched) (any, bool) {
	ok := true
	redacted, _ := secret.Of(object).With(by).Redact(object, func(v any) any {
		switch v.(type) {
		case map[string]any, []any:
			ok = false
		case string:
			return hidden{""}
		}
		return hidden{int64(0)}
	})
	return redacted, ok
}

// merge lays the values that a field has in several clusters over each other, and returns what a
// template states or prints there; at is its path. It looks into maps, and into lists of one
// length.
func (f *Fields) merge(values []any, at refconfig.FieldPath) any {
	if f.left < 0 {
		return nil
	}
	if all, ok := each[map[string]any](values); ok {
		return f.mapping(all, at)
	}
	if all, ok := each[[]any](values); ok &&
		!slices.ContainsFunc(all, func(l []any) bool { return len(l) != len(all[0]) }) {
		merged := make([]any, len(all[0]))
		for i := range merged {
			var elements []any
			for _, l := range all {
				elements = append(elements, l[i])
			}
			merged[i] = f.merge(elements, at.Below(refconfig.Step{Index: i}))
		}
		return merged
	}
	like, secret, differing := values[0], false, false
	var kinds kinds
	for _, v := range values {
		if h, ok := v.(hidden); ok {
			secret, v = true, h.like
		} else {
			differing = differing || !tree.Equal(like, v)
		}
		kinds.add(v)
	}
	switch {
	case secret:
		f.Hidden++
	case differing:
		f.Differing++
	default:
		return like
	}
	action := kinds.print(at)
	f.left -= len(action.Pipe)
	return action
}

// mapping merges maps. A key that only some have is optional.
func (f *Fields) mapping(all []map[string]any, at refconfig.FieldPath) any {
	values := map[string][]any{}
	for _, m := range all {
		for k, v := range m {
			values[k] = append(values[k], v)
		}
	}
	merged := make(map[string]any, len(values))
	for _, k := range slices.Sorted(maps.Keys(values)) {
		merged[k] = f.merge(values[k], at.Below(refconfig.Key(k)))
		if len(values[k]) < len(all) {
			f.Optional++
			condition := has(at, k)
			f.left -= len(condition)
			merged[k] = tree.Optional{If: condition, Value: merged[k]}
		}
	}
	return merged
}

// each returns values of one type, and whether all are.
func each[T any](values []any) ([]T, bool) {
	all := make([]T, 0, len(values))
	for _, v := range values {
		if one, ok := v.(T); ok {
			all = append(all, one)
		}
	}
	return all, len(all) == len(values)
}

// kinds are the kinds of values that a field has.
type kinds struct{ texts, others, blocks bool }

func (k *kinds) add(v any) {
	switch v.(type) {
	case string:
		k.texts = true
	case map[string]any, []any:
		k.blocks = true
	case nil: // which stands for itself in toJson only
		k.texts, k.others = true, true
	default:
		k.others = true
	}
}

// print returns the action that prints a field in the way that suits all that it may be. Each makes
// a finding of a CR without it.
func (k kinds) print(at refconfig.FieldPath) tree.Action {
	text := expressionOf(at).text
	switch {
	case k.blocks:
		return tree.Action{Pipe: text, Block: true}
	case k.texts && k.others:
		return tree.Action{Pipe: text + " | toJson"}
	case k.texts:
		return tree.Action{Pipe: text + " | quote"}
	}
	return tree.Action{Pipe: text}
}
