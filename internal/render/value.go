package render

import (
	"reflect"
	"strconv"

	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// value is what an expression evaluates to, with its provenance.
type value struct {
	v      any    // the Go value; nil for null and for what is absent
	absent bool   // it was asked for and is not there
	input  bool   // it depends on the input
	pure   bool   // it is a value of the input, handed on unchanged
	at     *place // where in the input it stands or was looked for; nil where that is unknown
	kids   *kids  // provenance of the elements of a list or dict that the template built
	lost   *place // a key that was asked for in vain inside an include whose text this is
	source bool   // it comes from a source CR, whose texts may be placeholders
	open   bool   // it hangs on a placeholder: it was made of one, or chosen because of one

	scope secret.Scope // what of it is secret
}

// kids are the elements of a container built by the template, each with its own provenance.
type kids struct {
	list []value
	dict map[string]value
}

// place is a position in the input object, as a linked list so that taking a step costs one small
// allocation.
type place struct {
	up    *place
	key   string
	index int // -1 for a key
}

// root is the place of the object itself.
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

// path returns the place as a field path; nil for the root and for the unknown place.
func (p *place) path() refconfig.FieldPath {
	if p == nil || p.up == nil {
		return nil
	}
	return append(p.up.path(), refconfig.Step{Key: p.key, Index: p.index})
}

// constant is a value that the template itself states.
func constant(v any) value { return value{v: v} }

// lacking is what was asked for in a value that is nothing.
func (x value) lacking(at *place) value {
	return value{absent: true, input: true, pure: true, at: at, open: x.open}
}

// key returns the value of a key of a map.
func (x value) key(name string) value {
	m, _ := x.v.(map[string]any)
	v, ok := m[name]
	if x.kids != nil && ok {
		if kid, known := x.kids.dict[name]; known && same(kid.v, v) {
			return kid
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
func (x value) element(i int) value {
	l, _ := x.v.([]any)
	if x.kids != nil && i >= 0 && i < len(x.kids.list) && i < len(l) && same(x.kids.list[i].v, l[i]) {
		return x.kids.list[i]
	}
	if i < 0 || i >= len(l) {
		return x.part(nil, false, x.at.element(i))
	}
	part := x.part(l[i], true, x.at.element(i))
	part.scope = x.scope.Below("", l[i])
	return part
}

// part returns a value found, or not found, inside x.
func (x value) part(v any, found bool, at *place) value {
	if !found {
		return value{absent: true, input: x.input, pure: x.input || x.absent, at: at, open: x.open}
	}
	return value{v: v, input: x.input, pure: x.pure, at: at, source: x.source, open: x.open}
}

// same reports whether two Go values are the same one: equal scalars, or the very same map or list.
// It guards against provenance that a function which changes maps made stale.
func same(a, b any) bool {
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
