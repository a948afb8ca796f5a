package generate

import (
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Fields counts the fields for which a template does not state a fixed, required value.
type Fields struct {
	Differing int            // their values differ between clusters
	Optional  int            // only some clusters have them
	Hidden    int            // they hold something secret
	Own       map[string]int // by the name of the row of Owns that they are of
	// of two clusters, what differs in fields of Own, in the order of their paths; see finding.Base
	agreed []finding.BaseField

	left int // bytes that remain for the actions and conditions of the template
}

// countOwn counts a field that a cluster has of its own, by the first row of Owns that was found in it, and
// returns the name of this row.
func (f *Fields) countOwn(found map[string]bool) string {
	for _, own := range Owns() {
		if found[own.Name] {
			if f.Own == nil {
				f.Own = map[string]int{}
			}
			f.Own[own.Name]++
			return own.Name
		}
	}
	return ""
}

// action returns the action that prints a field whose values have the types of these.
func (f *Fields) action(at refconfig.FieldPath, values ...any) tree.Action {
	var kinds kinds
	for _, v := range values {
		if h, ok := v.(hidden); ok {
			v = h.like
		}
		kinds.add(v)
	}
	action := kinds.print(at)
	f.left -= len(action.Pipe)
	return action
}

// hidden replaces a secret value, which is never written.
type hidden struct {
	like  any // a value of the same type
	value any
	rest  any // what is no credential in the value, see secret.Scope.Rest; nil if clusters are not paired
}

// hide returns an object with hidden in place of each secret value. It returns false if a secret
// value is a map or a list: its keys are secret too, so that a template cannot print it. This does
// not occur in valid Secrets. Of paired clusters, what is hidden has its rest.
func hide(object any, by *secret.Searched, paired bool) (any, bool) {
	ok := true
	scope := secret.Of(object).With(by)
	redacted, has := scope.Redact(object, func(v any) any {
		switch v.(type) {
		case map[string]any, []any:
			ok = false
		case string:
			return hidden{like: "", value: v}
		}
		return hidden{like: int64(0), value: v}
	})
	if paired && ok && has {
		redacted = withRests(redacted, scope.Rest(object))
	}
	return redacted, ok
}

// withRests gives each hidden value in a redacted one its rest, which is at the same path of the rest.
func withRests(redacted, rest any) any {
	switch v := redacted.(type) {
	case map[string]any:
		of, _ := rest.(map[string]any)
		for k, one := range v {
			v[k] = withRests(one, of[k])
		}
	case []any:
		of, _ := rest.([]any)
		for i, one := range v {
			v[i] = withRests(one, of[i])
		}
	case hidden:
		v.rest = rest
		return v
	}
	return redacted
}

// merge merges the values that a field has in several clusters, and returns the value that the
// template states or the action that it prints. at is the path of the field. merge goes into maps,
// and into lists of equal length.
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
	for _, v := range values {
		if _, ok := v.(hidden); ok {
			secret = true
		} else {
			differing = differing || !tree.Equal(like, v)
		}
	}
	switch {
	case secret:
		f.Hidden++
	case differing:
		if maps, ok := opened(values, at); ok {
			merged, _ := f.merge(maps, at.Inside()).(map[string]any)
			return tree.Document{Value: merged}
		}
		f.Differing++
	default:
		return like
	}
	return f.action(at, values...)
}

// mapping merges maps. A key that only some of them have is optional.
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

// each returns the values that have a type, and whether all of them have it.
func each[T any](values []any) ([]T, bool) {
	all := make([]T, 0, len(values))
	for _, v := range values {
		if one, ok := v.(T); ok {
			all = append(all, one)
		}
	}
	return all, len(all) == len(values)
}

// kinds records the types of the values of a field: texts, maps or lists (blocks), and others.
type kinds struct{ texts, others, blocks bool }

func (k *kinds) add(v any) {
	switch v.(type) {
	case string:
		k.texts = true
	case map[string]any, []any:
		k.blocks = true
	case nil: // only toJson prints it as null
		k.texts, k.others = true, true
	default:
		k.others = true
	}
}

// print returns the action that prints a field, in a way that is right for all its types. A CR
// without the field has a finding, whatever the action.
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
