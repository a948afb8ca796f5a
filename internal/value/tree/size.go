package tree

import (
	"math"
	"reflect"
	"strings"
)

// Size is the size of a value when it is written out.
type Size struct {
	Nodes  int // maps, lists, scalars and map keys, the value itself included
	Bytes  int // bytes of all texts
	Lines  int // line breaks in all texts
	Height int // depth of nested maps and lists
}

// Printed estimates the bytes of the value as YAML or JSON with indentation.
func (s Size) Printed() int {
	return s.Bytes + (s.Nodes+s.Lines)*(2*s.Height+4)
}

// SizeOf returns the size of a decoded value, which may be of any size.
func SizeOf(v any) Size {
	s, _ := Measure(v, Size{Nodes: math.MaxInt, Bytes: math.MaxInt, Height: math.MaxInt})
	return s
}

// Measure returns the size of a value of any Go type. It stops and returns false if the value
// exceeds the nodes, bytes or height of most: then it may contain itself.
func Measure(v any, most Size) (Size, bool) {
	m := measurer{most: most}
	ok := m.value(v, 0)
	return m.size, ok
}

type measurer struct{ size, most Size }

// text adds a string.
func (m *measurer) text(s string) {
	m.size.Nodes++
	m.size.Bytes += len(s)
	m.size.Lines += strings.Count(s, "\n")
}

// within reports whether the limits hold.
func (m *measurer) within(depth int) bool {
	m.size.Height = max(m.size.Height, depth)
	return m.size.Nodes <= m.most.Nodes && m.size.Bytes <= m.most.Bytes && depth <= m.most.Height
}

func (m *measurer) value(v any, depth int) bool {
	switch v := v.(type) {
	case nil, bool, int, int64, float64:
		m.size.Nodes++
	case string:
		m.text(v)
	case map[string]any:
		m.size.Nodes++
		for k, x := range v {
			m.text(k)
			if !m.within(depth+1) || !m.value(x, depth+1) {
				return false
			}
		}
	case []any:
		m.size.Nodes++
		for _, x := range v {
			if !m.within(depth+1) || !m.value(x, depth+1) {
				return false
			}
		}
	default:
		return m.other(reflect.ValueOf(v), depth)
	}
	return m.within(depth)
}

// other measures values of other types, which functions of templates return.
func (m *measurer) other(v reflect.Value, depth int) bool {
	m.size.Nodes++
	if !m.within(depth) {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		m.text(v.String())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !m.element(v.Index(i), depth+1) {
				return false
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if !m.element(k, depth+1) || !m.element(v.MapIndex(k), depth+1) {
				return false
			}
		}
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || m.element(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if !m.element(v.Field(i), depth+1) {
				return false
			}
		}
	}
	return m.within(depth)
}

// element measures a part of a value, which may be an unexported field.
func (m *measurer) element(v reflect.Value, depth int) bool {
	if v.IsValid() && v.CanInterface() {
		return m.value(v.Interface(), depth)
	}
	return m.other(v, depth)
}
