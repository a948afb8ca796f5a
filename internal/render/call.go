package render

import (
	"errors"
	"fmt"
	"reflect"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
)

// function is something a template can call.
type function struct {
	name    string
	call    reflect.Value // a Go function; invalid where native is set
	native  native        // works on values with their provenance
	copes   bool          // exists to cope with absence: what it returns is never missing
	mutates bool          // changes a map it is given
}

// native is a function of the engine itself.
type native func(x *exec, n parse.Node, args []value) (value, error)

// function calls the function that an identifier names.
func (x *exec) function(dot value, n *parse.IdentifierNode, args operands) (value, error) {
	f, ok := x.t.engine.functions[n.Ident]
	if !ok {
		return value{}, x.errorf(n, code.EvalTemplate, "function %q is not defined", n.Ident)
	}
	if n.Ident == "and" || n.Ident == "or" {
		return x.shortCircuit(dot, n, args)
	}
	vals, err := x.evaluate(dot, args)
	if err != nil {
		return value{}, err
	}
	if f.native != nil {
		v, err := f.native(x, n, vals)
		x.noteAbsent(v, n)
		return v, err
	}
	if n.Ident == "hasKey" {
		x.noteKey(vals, n)
	}
	return x.apply(f, vals, n, value{})
}

// shortCircuit evaluates and and or: the first argument that decides is the result, with its provenance.
func (x *exec) shortCircuit(dot value, n *parse.IdentifierNode, args operands) (value, error) {
	if args.count() == 0 {
		return value{}, x.errorf(n, code.EvalTemplate, "%s needs at least one argument", n.Ident)
	}
	var v value
	for i := range args.count() {
		if i < len(args.nodes) {
			var err error
			if v, err = x.operand(dot, args.nodes[i]); err != nil {
				return value{}, err
			}
		} else {
			v = *args.final
		}
		if truth(v.v) == (n.Ident == "or") {
			break
		}
	}
	return cope(v), nil
}

// cope makes an absent value one whose absence was provided for.
func cope(v value) value {
	if v.absent {
		return value{input: v.input}
	}
	v.lost = nil
	return v
}

// apply calls a Go function, which may be a method of a value, with values. A function that cannot take nothing and gets nothing
// returns nothing.
func (x *exec) apply(f function, args []value, n parse.Node, of value) (value, error) {
	in, short, err := convertArguments(f, args)
	if err != nil {
		return value{}, x.errorf(n, code.EvalTemplate, "%s", err)
	}
	result := value{input: of.input}
	var gone *value
	for i := range args {
		result.input = result.input || args[i].input
		if args[i].absent && gone == nil {
			gone = &args[i]
		}
		if result.lost == nil {
			result.lost = args[i].lost
		}
	}
	if short {
		result.absent = gone != nil
		if gone != nil {
			result.at = gone.at
		}
		return result, nil
	}
	if err := x.charge(f, args, n); err != nil {
		return value{}, err
	}
	if result.v, err = safeCall(f.call, in); err != nil {
		err = x.redacted(err, append(args[:len(args):len(args)], of))
		var refused *Refused
		if errors.As(err, &refused) {
			refused.At = x.at(n)
			return value{}, err
		}
		if _, failed := asFailure(err); failed {
			return value{}, err
		}
		return value{}, x.errorf(n, code.EvalTemplate, "%s: %s", f.name, err)
	}
	if err := x.account(f, result.v, n); err != nil {
		return value{}, err
	}
	x.stain(f, args)
	result = x.derived(result, of, args)
	if f.copes {
		result.lost = nil
		return result, nil
	}
	if gone != nil && (result.v == nil || result.v == "") {
		result.absent, result.at = true, gone.at
	}
	return result, nil
}

// convertArguments makes the arguments of a Go function, by the rules of text/template. It reports short where an
// argument is nothing and the parameter cannot take nothing.
func convertArguments(f function, args []value) (in []reflect.Value, short bool, err error) {
	t := f.call.Type()
	fixed := t.NumIn()
	if t.IsVariadic() {
		fixed--
		if len(args) < fixed {
			return nil, false, fmt.Errorf("%s needs at least %d arguments and got %d", f.name, fixed, len(args))
		}
	} else if len(args) != fixed {
		return nil, false, fmt.Errorf("%s needs %d arguments and got %d", f.name, fixed, len(args))
	}
	in = make([]reflect.Value, len(args))
	for i, a := range args {
		var param reflect.Type
		if i < fixed {
			param = t.In(i)
		} else {
			param = t.In(fixed).Elem()
		}
		v, ok := convert(a.v, param)
		if !ok && a.v == nil {
			return nil, true, nil
		}
		if !ok {
			return nil, false, fmt.Errorf("%s wants a %s as argument %d and got %s%s", f.name, param, i+1, describe(a.v), where(a.at))
		}
		in[i] = v
	}
	return in, false, nil
}

// convert makes a value of a parameter's type, and reports whether that can be done.
func convert(v any, param reflect.Type) (reflect.Value, bool) {
	if v == nil {
		switch param.Kind() {
		case reflect.Interface, reflect.Map, reflect.Slice, reflect.Pointer, reflect.Func, reflect.Chan:
			return reflect.Zero(param), true
		}
		return reflect.Value{}, false
	}
	if param == reflect.TypeFor[reflect.Value]() {
		return reflect.ValueOf(v), true
	}
	rv := reflect.ValueOf(v)
	switch {
	case rv.Type().AssignableTo(param):
		return rv, true
	case intLike(rv.Kind()) && intLike(param.Kind()):
		return rv.Convert(param), true
	case intLike(rv.Kind()) && isFloat(param.Kind()):
		return rv.Convert(param), true
	case isFloat(rv.Kind()) && intLike(param.Kind()) && float64(int64(rv.Float())) == rv.Float():
		return reflect.ValueOf(int64(rv.Float())).Convert(param), true // 1e1 is a whole number
	case rv.Kind() == reflect.Pointer && !rv.IsNil() && rv.Type().Elem().AssignableTo(param):
		return rv.Elem(), true
	case reflect.PointerTo(rv.Type()).AssignableTo(param):
		p := reflect.New(rv.Type())
		p.Elem().Set(rv)
		return p, true
	}
	return convertShape(rv, param)
}

// convertShape converts what functions hand on in another Go type of the same shape: named types and lists of strings.
func convertShape(rv reflect.Value, param reflect.Type) (reflect.Value, bool) {
	if rv.Kind() == param.Kind() && rv.Type().ConvertibleTo(param) {
		return rv.Convert(param), true
	}
	if rv.Kind() != reflect.Slice || param.Kind() != reflect.Slice {
		return reflect.Value{}, false
	}
	out := reflect.MakeSlice(param, rv.Len(), rv.Len())
	for i := range rv.Len() {
		e, ok := convert(rv.Index(i).Interface(), param.Elem())
		if !ok {
			return reflect.Value{}, false
		}
		out.Index(i).Set(e)
	}
	return out, true
}

func intLike(k reflect.Kind) bool {
	switch k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return false
}

func isFloat(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }

// safeCall calls a function and turns a panic inside it into an error.
func safeCall(f reflect.Value, in []reflect.Value) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			result = nil
			if e, ok := r.(error); ok {
				err = e
				return
			}
			err = fmt.Errorf("%v", r)
		}
	}()
	out := f.Call(in)
	if len(out) == 2 && !out[1].IsNil() {
		return nil, out[1].Interface().(error)
	}
	if len(out) == 0 {
		return nil, nil
	}
	return plainResult(out[0]), nil
}

// plainResult unwraps interfaces and typed nils.
func plainResult(rv reflect.Value) any {
	for rv.Kind() == reflect.Interface {
		if rv.IsNil() {
			return nil
		}
		rv = rv.Elem()
	}
	switch rv.Kind() {
	case reflect.Map, reflect.Pointer, reflect.Func, reflect.Chan:
		if rv.IsNil() && rv.Kind() != reflect.Map {
			return nil
		}
	}
	if !rv.IsValid() {
		return nil
	}
	return rv.Interface()
}
