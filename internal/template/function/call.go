package function

import (
	"fmt"
	"reflect"
)

// Arguments converts values to the arguments of the Go function by the rules of text/template. ok
// is false if a value is nil but its parameter cannot be nil. where returns the origin of a value
// for error messages, or "".
func (f *Function) Arguments(values []any, where func(i int) string) (in []reflect.Value, ok bool, err error) {
	if err := f.CheckCount(len(values)); err != nil {
		return nil, false, err
	}
	in = make([]reflect.Value, len(values))
	for i, a := range values {
		param := f.param(i)
		v, ok := Convert(a, param)
		if !ok && a == nil {
			return nil, false, nil
		}
		if !ok {
			return nil, false, fmt.Errorf(
				"%s takes a %s as argument %d, not %s%s", f.Name, param, i+1, Describe(a), where(i),
			)
		}
		in[i] = v
	}
	return in, true, nil
}

// Call calls the Go function and turns a panic in it into an error. The lists and maps of the result
// have the types of decoded YAML.
func (f *Function) Call(in []reflect.Value) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			result, err = nil, fmt.Errorf("%v", r)
		}
	}()
	out := f.call.Call(in)
	if len(out) == 2 && !out[1].IsNil() {
		return nil, out[1].Interface().(error)
	}
	if len(out) == 0 {
		return nil, nil
	}
	return decodedType(out[0]), nil
}

// decodedType converts lists and maps with string keys, such as []string, to []any and
// map[string]any. It does not change lists and maps that have these types, nor what is in them.
func decodedType(v reflect.Value) any {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Slice && t != reflect.TypeFor[[]any]():
		var list []any
		if !v.IsNil() {
			list = make([]any, v.Len())
		}
		for i := range list {
			list[i] = decodedType(v.Index(i))
		}
		return list
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && t != reflect.TypeFor[map[string]any]():
		m := map[string]any{}
		for k, e := range v.Seq2() {
			m[k.String()] = decodedType(e)
		}
		return m
	}
	return v.Interface()
}

// param returns the type of a parameter of the Go function.
func (f *Function) param(i int) reflect.Type {
	t := f.call.Type()
	if last := t.NumIn() - 1; t.IsVariadic() && i >= last {
		return t.In(last).Elem()
	}
	return t.In(i)
}

// Convert converts a value to a parameter's type and reports whether that is possible.
func Convert(v any, param reflect.Type) (reflect.Value, bool) {
	if v == nil {
		switch param.Kind() {
		case reflect.Interface, reflect.Map, reflect.Slice, reflect.Pointer, reflect.Func, reflect.Chan:
			return reflect.Zero(param), true
		}
		return reflect.Value{}, false
	}
	rv := reflect.ValueOf(v)
	whole, toWhole := rv.CanInt() || rv.CanUint(), isWhole(param.Kind())
	switch {
	case param == reflect.TypeFor[reflect.Value](): // the functions of text/template itself take reflect.Value
		return rv, true
	case rv.Type().AssignableTo(param):
		return rv, true
	case whole && toWhole:
		made := rv.Convert(param)
		return made, made.Convert(rv.Type()).Equal(rv) // false if the number does not fit, for example in 32 bits
	case whole && isFloat(param.Kind()):
		return rv.Convert(param), true
	case rv.CanFloat() && toWhole && float64(int64(rv.Float())) == rv.Float():
		return Convert(int64(rv.Float()), param) // 1e1 is a whole number
	case rv.Kind() == reflect.Pointer && !rv.IsNil() && rv.Type().Elem().AssignableTo(param):
		return rv.Elem(), true
	}
	return convertShape(rv, param)
}

// convertShape converts between Go types of the same shape, such as named types and []any to
// []string.
func convertShape(rv reflect.Value, param reflect.Type) (reflect.Value, bool) {
	if rv.Kind() == param.Kind() && rv.Type().ConvertibleTo(param) {
		return rv.Convert(param), true
	}
	if rv.Kind() != reflect.Slice || param.Kind() != reflect.Slice {
		return reflect.Value{}, false
	}
	out := reflect.MakeSlice(param, rv.Len(), rv.Len())
	for i := range rv.Len() {
		e, ok := Convert(rv.Index(i).Interface(), param.Elem())
		if !ok {
			return reflect.Value{}, false
		}
		out.Index(i).Set(e)
	}
	return out, true
}

func isWhole(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

func isFloat(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }
