package tree

import (
	"iter"
	"maps"
	"slices"

	"github.com/validationtool/validationtool/refconfig"
)

// Leaves yields the scalars and the empty maps and lists in a value, with their paths, in the order
// of keys and indexes. A path is valid until the next one.
func Leaves(v any) iter.Seq2[refconfig.FieldPath, any] {
	return func(yield func(refconfig.FieldPath, any) bool) { leaves(nil, v, yield) }
}

// leaves does the work of Leaves at a path, and returns false if no more are wanted.
func leaves(path refconfig.FieldPath, v any, yield func(refconfig.FieldPath, any) bool) bool {
	m, _ := v.(map[string]any)
	l, _ := v.([]any)
	if len(m)+len(l) == 0 {
		return yield(path, v)
	}
	for _, k := range Keys(m) {
		if !leaves(append(path, refconfig.Key(k)), m[k], yield) {
			return false
		}
	}
	for i, x := range l {
		if !leaves(append(path, refconfig.Step{Index: i}), x, yield) {
			return false
		}
	}
	return true
}

// Copy returns a deep copy of v.
func Copy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, x := range v {
			m[k] = Copy(x)
		}
		return m
	case []any:
		if v == nil {
			return v
		}
		l := make([]any, len(v))
		for i, x := range v {
			l[i] = Copy(x)
		}
		return l
	}
	return v
}

// Equal reports whether two values mean the same to Kubernetes: numbers are equal by value, so 1
// equals 1.0, and nothing else equals anything of another type.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, x := range a {
			y, ok := b[k]
			if !ok || !Equal(x, y) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	case int64:
		if f, ok := b.(float64); ok { // a float64 from 2^63 on is larger than any int64
			return f < 1<<63 && float64(int64(f)) == f && int64(f) == a
		}
	case float64:
		if _, ok := b.(int64); ok {
			return Equal(b, a)
		}
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// Keys returns the keys of m in the order in which reports show them: byte order.
func Keys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Beside returns a CR with the keys of more that it lacks, and changes neither.
func Beside(cr, more map[string]any) map[string]any {
	if len(more) == 0 {
		return cr
	}
	out := maps.Clone(more)
	maps.Copy(out, cr)
	return out
}

// StringAt returns the string at a path of keys, or "".
func StringAt(v any, keys ...string) string {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	s, _ := v.(string)
	return s
}

// At returns the value at a path without wildcards, and whether there is one. It shares memory with
// v.
func At(v any, path refconfig.FieldPath) (any, bool) {
	for _, step := range path {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[step.Key]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			if step.Index < 0 || step.Index >= len(x) {
				return nil, false
			}
			v = x[step.Index]
		default:
			return nil, false
		}
	}
	return v, true
}

// Set returns a copy of v in which the value at path is x. Only the containers along the path are
// copied. It returns v and false if the path does not lead to a key of a map or to an element of a
// list.
func Set(v any, path refconfig.FieldPath, x any) (any, bool) {
	if len(path) == 0 {
		return x, true
	}
	step := path[0]
	switch c := v.(type) {
	case map[string]any:
		next, ok := Set(c[step.Key], path[1:], x)
		if !ok {
			return v, false
		}
		m := make(map[string]any, len(c)+1)
		maps.Copy(m, c)
		m[step.Key] = next
		return m, true
	case []any:
		if step.Index < 0 || step.Index >= len(c) {
			return v, false
		}
		next, ok := Set(c[step.Index], path[1:], x)
		if !ok {
			return v, false
		}
		l := slices.Clone(c)
		l[step.Index] = next
		return l, true
	}
	return v, false
}

// Put does the same as Set, but changes v itself. It cannot replace v, so it returns false for an
// empty path.
func Put(v any, path refconfig.FieldPath, x any) bool {
	if len(path) == 0 {
		return false
	}
	last := path[len(path)-1]
	switch c, _ := At(v, path[:len(path)-1]); c := c.(type) {
	case map[string]any:
		c[last.Key] = x
		return true
	case []any:
		if last.Index >= 0 && last.Index < len(c) {
			c[last.Index] = x
			return true
		}
	}
	return false
}

// Expand returns the paths of the fields of v that path matches, in the order of keys and indexes.
// They have no wildcards.
func Expand(v any, path refconfig.FieldPath) []refconfig.FieldPath {
	var found []refconfig.FieldPath
	var walk func(v any, done, rest refconfig.FieldPath)
	walk = func(v any, done, rest refconfig.FieldPath) {
		if len(rest) == 0 {
			found = append(found, slices.Clone(done))
			return
		}
		step := rest[0]
		switch x := v.(type) {
		case map[string]any:
			keys := []string{step.Key}
			if step.Any {
				keys = Keys(x)
			}
			for _, k := range keys {
				if y, ok := x[k]; ok {
					walk(y, append(done, refconfig.Key(k)), rest[1:])
				}
			}
		case []any:
			for i, y := range x {
				if step.Any || step.Index == i {
					walk(y, append(done, refconfig.Step{Index: i}), rest[1:])
				}
			}
		}
	}
	walk(v, nil, path)
	return found
}
