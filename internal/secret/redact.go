package secret

import (
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// Redact returns v with each secret value x replaced by with(x), and whether there was any. If
// there was none, it returns v itself. Keys stay, except those nested in a value of a Secret's
// data.
func (s Scope) Redact(v any, with func(any) any) (any, bool) {
	s = s.resolved(v)
	switch m, isMap := v.(map[string]any); {
	case s.part == whole || s.part == data && !isMap:
		return with(v), true
	case isMap:
		return s.redactMap(m, with)
	}
	switch v := v.(type) {
	case []any:
		return s.redactList(v, with)
	case string:
		if s.all || s.searched.In(v) {
			return with(v), true
		}
	default:
		if s.all {
			return with(v), true
		}
	}
	return v, false
}

func (s Scope) redactMap(m map[string]any, with func(any) any) (any, bool) {
	out, changed := m, false
	for k, x := range m {
		redacted, found := s.Below(k, x).Redact(x, with)
		if found && !changed {
			out, changed = maps.Clone(m), true
		}
		if found {
			out[k] = redacted
		}
	}
	return out, changed
}

func (s Scope) redactList(l []any, with func(any) any) (any, bool) {
	s = s.Elements(l)
	out, changed := l, false
	for i, x := range l {
		redacted, found := s.Below("", x).Redact(x, with)
		if found && !changed {
			out, changed = slices.Clone(l), true
		}
		if found {
			out[i] = redacted
		}
	}
	return out, changed
}

// Holds reports whether a value of this scope contains anything secret. The work is limited; a
// value that exceeds the limit, such as a cyclic one, counts as secret.
func (s Scope) Holds(v any) bool {
	left := 2_000_000 // values to look at
	return s.resolved(v).holds(v, &left, 20_000)
}

// holds does the work of Holds for a scope that is already resolved.
func (s Scope) holds(v any, left *int, levels int) bool {
	*left--
	if s.part == whole || *left < 0 || levels == 0 {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if s.Below(k, x).holds(x, left, levels-1) {
				return true
			}
		}
		return false
	case []any:
		s = s.Elements(v)
		for _, x := range v {
			if s.Below("", x).holds(x, left, levels-1) {
				return true
			}
		}
		return s.part == data
	case string:
		return s.all || s.part == data || s.searched.In(v)
	}
	return s.all || s.part == data
}

// Keys returns the keys of an object and hides those nested in secret data.
func Keys(keys []*kubeyaml.Node, object map[string]any) []*kubeyaml.Node {
	if len(keys) == 0 {
		return keys
	}
	shown, out := ShownKeys(object), slices.Clone(keys)
	for i, k := range keys {
		if !shown[kubeyaml.KeyString(k)] {
			out[i] = &kubeyaml.Node{
				Text:   "(hidden key)",
				Style:  kubeyaml.DoubleQuoted,
				Line:   k.Line,
				Column: k.Column,
				Offset: k.Offset,
			}
		}
	}
	return out
}

// ShownKeys returns all keys of a value that may be shown. Of secret data, only the top-level keys
// may.
func ShownKeys(v any) map[string]bool {
	keys := map[string]bool{}
	var collect func(v any, s Scope)
	collect = func(v any, s Scope) {
		if s.part == whole {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				keys[k] = true
				collect(x, s.Below(k, x))
			}
		case []any:
			for _, x := range v {
				collect(x, s.Below("", x))
			}
		}
	}
	collect(v, Scope{}.resolved(v))
	return keys
}
