package crdschema

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Fixed returns the fields of which the schema says that they are immutable and that differ from an
// earlier state of the object. Definitions say so by a rule in CEL, which is not looked at here, or
// only by a description that begins with "Immutable.", which a controller enforces. A field that one
// of the two states lacks is not among them, nor is a map with other keys than before: there are
// several ways to write a reference. hidden reports values that are not known; it may be nil.
func (k *Kind) Fixed(old, object map[string]any, hidden func(refconfig.FieldPath, any) bool) []Violation {
	f := fixed{kind: k, hidden: hidden}
	f.below(k.Root, old, object, nil, 0)
	return f.found
}

// fixed is the walk of Fixed.
type fixed struct {
	kind   *Kind
	hidden func(refconfig.FieldPath, any) bool
	found  []Violation
}

func (f *fixed) below(s *Schema, old, now map[string]any, path refconfig.FieldPath, depth int) {
	if s = f.kind.Target(s); s == nil || depth > deepest {
		return
	}
	for _, key := range tree.Keys(now) {
		property, was := s.Properties[key], old[key]
		at := path.Below(refconfig.Key(key))
		if property == nil || was == nil || now[key] == nil || len(path) == 0 && key != "spec" {
			continue
		}
		before, wasMap := was.(map[string]any)
		after, isMap := now[key].(map[string]any)
		if f.kind.Target(property).isImmutable() {
			comparable := wasMap == isMap && slices.Equal(tree.Keys(before), tree.Keys(after))
			if comparable && !tree.Equal(was, now[key]) && !f.isHidden(at, was) && !f.isHidden(at, now[key]) {
				f.found = append(f.found, Violation{
					Path: at, Reason: Forbidden, IsRule: true, Shown: apiPath(at),
					Detail: "the definition describes the field as immutable, and the CR had another value before",
				})
			}
			continue
		}
		if wasMap && isMap {
			f.below(property, before, after, at, depth+1)
		}
	}
}

// isHidden reports whether a value, or one in it, is not known.
func (f *fixed) isHidden(path refconfig.FieldPath, v any) bool {
	if f.hidden == nil {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			if f.isHidden(path.Below(refconfig.Key(key)), x) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return f.isHidden(path, x) })
	}
	return f.hidden(path, v)
}

// isImmutable reports whether the description says that the field cannot be changed, and no rule in
// CEL decides that.
func (s *Schema) isImmutable() bool {
	return strings.HasPrefix(strings.TrimSpace(s.Description), "Immutable.") &&
		!slices.ContainsFunc(s.Rules, func(r Rule) bool { return strings.Contains(r.Rule, "oldSelf") })
}
