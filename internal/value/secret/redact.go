package secret

import (
	"slices"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// Redact returns v with each secret value x replaced by with(x), and whether v had secret values.
// If it had none, Redact returns v itself. Keys stay, except those nested in a value of a Secret's
// data.
func (s Scope) Redact(v any, with func(any) any) (any, bool) {
	if !s.Holds(v) {
		return v, false
	}
	return s.redacted(v, with), true
}

func (s Scope) redacted(v any, with func(any) any) any {
	s = s.resolved(v)
	m, isMap := v.(map[string]any)
	l, isList := v.([]any)
	text, isText := v.(string)
	switch {
	case s.part == whole, s.part == data && !isMap, s.all && !isMap && !isList, isText && s.searched.In(text):
		return with(v)
	case isMap:
		out := make(map[string]any, len(m))
		for k, x := range m {
			out[k] = s.Below(k, x).redacted(x, with)
		}
		return out
	case isList:
		s = s.Elements(l)
		out := make([]any, len(l))
		for i, x := range l {
			out[i] = s.Below("", x).redacted(x, with)
		}
		return out
	}
	return v
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
			hidden := *k
			hidden.Text, hidden.Style = "(hidden key)", kubeyaml.DoubleQuoted
			out[i] = &hidden
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
