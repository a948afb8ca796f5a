package celrule

import (
	"strings"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/refconfig"
)

// fieldPath reads the fieldPath of a rule, such as .a.b or ['a'].b. It returns the steps below the
// value of the rule, and how the API server writes them; false if the schema has no such field.
func fieldPath(kind *crdschema.Kind, s *crdschema.Schema, text string) (
	steps refconfig.FieldPath, shown string, ok bool,
) {
	if text == "" {
		return nil, "", false
	}
	var b strings.Builder
	for text != "" {
		var key string
		if rest, isDot := strings.CutPrefix(text, "."); isDot {
			n := strings.IndexAny(rest, ".[")
			if n < 0 {
				n = len(rest)
			}
			key, text = rest[:n], rest[n:]
		} else if rest, isQuoted := strings.CutPrefix(text, "['"); isQuoted {
			end := strings.Index(rest, "']")
			if end < 0 {
				return nil, "", false
			}
			key, text = strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(rest[:end]), rest[end+2:]
		} else {
			return nil, "", false
		}
		s = kind.Target(s)
		below, isField := s.Properties[key]
		switch {
		case isField:
			b.WriteString("." + key)
		case s.Properties == nil && s.Further() != nil:
			below = s.Further()
			b.WriteString("[" + key + "]")
		default:
			return nil, "", false
		}
		steps, s = steps.Below(refconfig.Key(key)), below
	}
	return steps, strings.TrimPrefix(b.String(), "."), true
}
