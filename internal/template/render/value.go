package render

import (
	"reflect"
	"strconv"

	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// Value is the result of an expression, with its provenance.
type Value struct {
	V        any       // Go value; nil for null and for an absent value
	Absent   bool      // it was requested but does not exist
	Input    bool      // it depends on the input
	pure     bool      // it is an unchanged value of the input
	source   bool      // it comes from a source CR, whose texts may contain placeholders
	open     bool      // it was made from a placeholder or chosen because of one
	at       *place    // location in the input, also of an absent value; nil if unknown
	children *children // elements of a list or dict that the template built
	lost     *place    // missing key that was printed in the include that returned this text

	scope secret.Scope // the parts of it that are secret
}

// children are the elements of a container that the template built, each with its own provenance.
type children struct {
	list []Value
	dict map[string]Value
}

// place is a location in the input object. It is a linked list, so that each step needs only one
// small allocation.
type place struct {
	up    *place
	key   string
	index int // -1 for a key
}

// root returns the place of the object itself.
func root() *place { return &place{index: -1} }

func (p *place) child(key string) *place {
	if p == nil {
		return nil
	}
	return &place{up: p, key: key, index: -1}
}

func (p *place) element(i int) *place {
	if p == nil {
		return nil
	}
	return &place{up: p, key: strconv.Itoa(i), index: i}
}

// path returns the place as a field path; nil for the root and for an unknown place.
func (p *place) path() refconfig.FieldPath {
	if p == nil || p.up == nil {
		return nil
	}
	return append(p.up.path(), refconfig.Step{Key: p.key, Index: p.index})
}

// Constant returns the value of a literal in the template.
func Constant(v any) Value { return Value{V: v} }

// lacking returns the absent value that a key or index of nil has.
func (x Value) lacking(at *place) Value {
	return Value{Absent: true, Input: true, pure: true, at: at, open: x.open}
}

// Key returns the value of a map key.
func (x Value) Key(name string) Value {
	m, _ := x.V.(map[string]any)
	v, ok := m[name]
	if x.children != nil && ok {
		if child, known := x.children.dict[name]; known && Same(child.V, v) {
			return child
		}
	}
	at := x.at.child(name)
	if ok && x.scope.IsWhole() {
		at = nil // the keys are secret too
	}
	part := x.part(v, ok, at)
	part.scope = x.scope.Below(name, v)
	return part
}

// element returns an element of a list.
func (x Value) element(i int) Value {
	l, _ := x.V.([]any)
	if x.children != nil && i >= 0 && i < len(x.children.list) && i < len(l) && Same(x.children.list[i].V, l[i]) {
		return x.children.list[i]
	}
	if i < 0 || i >= len(l) {
		return x.part(nil, false, x.at.element(i))
	}
	part := x.part(l[i], true, x.at.element(i))
	part.scope = x.scope.Below("", l[i])
	return part
}

// part returns a value that was found inside x, or an absent value.
func (x Value) part(v any, found bool, at *place) Value {
	if !found {
		return Value{Absent: true, Input: x.Input, pure: x.Input || x.Absent, at: at, open: x.open}
	}
	return Value{V: v, Input: x.Input, pure: x.pure, at: at, source: x.source, open: x.open}
}

// Same reports whether two Go values are identical: equal scalars, or the same map or list in
// memory. A function that changes maps may have made the provenance of an element outdated.
func Same(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	ra, rb := reflect.ValueOf(a), reflect.ValueOf(b)
	if ra.Type() != rb.Type() {
		return false
	}
	switch ra.Kind() {
	case reflect.Map, reflect.Slice:
		return ra.Pointer() == rb.Pointer() && ra.Len() == rb.Len()
	}
	return ra.Comparable() && a == b
}
