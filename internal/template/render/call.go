package render

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
)

// function calls the function that an identifier names.
func (x *Execution) function(dot Value, n *parse.IdentifierNode, args Operands) (Value, error) {
	f := x.Template.Function(n.Ident) // not nil: the parser knows the same functions
	if x.hooks != nil {
		return x.hooks.Call(x, dot, f, n, args)
	}
	if f.Engine {
		if err := f.CheckCount(args.Count()); err != nil {
			return Value{}, x.errorf(n, code.EvalTemplate, "%s", err)
		}
	}
	if f.Lazy {
		return x.shortCircuit(dot, n, args)
	}
	defer x.Release(x.Reserved())
	vals, err := x.evaluate(dot, args)
	if err != nil {
		return Value{}, err
	}
	v, err := x.Invoke(f, n, vals)
	return x.unsure(n.Ident, v, err, vals)
}

// Invoke calls a function with its arguments.
func (x *Execution) Invoke(f *function.Function, n *parse.IdentifierNode, vals []Value) (Value, error) {
	if !f.Engine {
		if n.Ident == "hasKey" {
			x.noteKey(vals, n)
		}
		return x.apply(f, vals, n, Value{})
	}
	gone, misses := absence(f, vals)
	if misses {
		return missing(vals, gone), nil
	}
	call := nativeOf(n.Ident)
	if call == nil {
		return Value{}, x.errorf(n, code.EvalTemplate, "%s has no implementation", n.Ident)
	}
	v, err := call(x, n, vals)
	switch {
	case f.Absent == function.Copes:
		v = Handled(v)
	case f.Absent == function.Carries && gone != nil:
		v.lost = cmp.Or(v.lost, gone.at, root())
	}
	x.noteAbsent(v, n)
	return v, err
}

// shortCircuit evaluates the functions "and" and "or". The result is the first argument that
// decides, or else the last one, with its provenance.
func (x *Execution) shortCircuit(dot Value, n *parse.IdentifierNode, args Operands) (Value, error) {
	var v Value
	open := false
	for i := range args.Count() {
		if i < len(args.Nodes) {
			var err error
			if v, err = x.Operand(dot, args.Nodes[i], Operands{}); err != nil {
				return Value{}, err
			}
		} else {
			v = *args.Final
		}
		open = open || v.open
		if function.Empty(v.V) == (n.Ident == "and") {
			break
		}
	}
	v.open = open
	return Handled(v), nil
}

// Handled marks a missing value as handled by a function such as default, so that it is no
// finding.
func Handled(v Value) Value {
	if v.Absent {
		return Value{Input: v.Input, open: v.open}
	}
	v.lost = nil
	return v
}

// absence returns the first absent argument or nil, and whether the result of the function is missing
// because of it.
func absence(f *function.Function, args []Value) (gone *Value, misses bool) {
	i := slices.IndexFunc(args, func(a Value) bool { return a.Absent })
	if i < 0 {
		return nil, false
	}
	return &args[i], f.Absent == function.Misses || f.Absent == function.Drops
}

// missing returns the result of a function that is missing because of an absent argument.
func missing(args []Value, gone *Value) Value {
	return Value{Absent: true, Input: anyInput(args), at: gone.at, open: gone.open}
}

// apply calls a Go function. of is the value that the function comes from, such as the receiver of
// a method. If an argument is null but its parameter cannot be nil, the result is nil.
func (x *Execution) apply(f *function.Function, args []Value, n parse.Node, of Value) (Value, error) {
	gone, misses := absence(f, args)
	if misses {
		return missing(args, gone), nil
	}
	plain := plainValues(args)
	result := Value{Input: of.Input || anyInput(args)}
	for i := range args {
		result.lost = cmp.Or(result.lost, args[i].lost)
	}
	in, ok, err := f.Arguments(plain, func(i int) string { return where(args[i].at) })
	if err != nil {
		return Value{}, x.errorf(n, code.EvalTemplate, "%s", err)
	}
	if !ok {
		if gone != nil && f.Absent != function.Copes {
			return missing(args, gone), nil
		}
		return result, nil
	}
	if err := x.checkCall(f, plain, n); err != nil {
		return Value{}, err
	}
	switch result.V, err = f.Call(in); {
	case err != nil && gone != nil && f.Absent == function.Carries:
		return missing(args, gone), nil
	case err != nil:
		return Value{}, x.callError(f, x.redacted(err, append(args[:len(args):len(args)], of)), args, n)
	}
	if size, ok := f.Made(result.V, x.largest()); !ok {
		return Value{}, x.tooLarge(size, n)
	}
	if f.Mutates && len(args) > 1 && x.anySecret(args[1:]) {
		x.stained = true // the map may be reachable in many ways
	}
	result = x.derived(result, of, args)
	switch {
	case f.Absent == function.Copes, f.Absent == function.Drops:
		result.lost = nil
	case gone != nil && (result.V == nil || result.V == ""):
		result.Absent, result.at = true, gone.at
	case gone != nil:
		result.lost = cmp.Or(result.lost, gone.at, root())
	}
	return result, nil
}

// callError turns the error of a call into the error of the execution, or into a failure, which
// becomes a finding.
func (x *Execution) callError(f *function.Function, err error, args []Value, n parse.Node) error {
	var said *function.Failure
	switch {
	case !errors.As(err, &said):
		return x.errorf(n, code.EvalTemplate, "%s: %s%s", f.Name, err, fieldsOf(args))
	case said.Refuses:
		return &Refused{Reason: said.Message, At: x.File.Place(n.Position())}
	}
	return &failure{message: said.Message}
}

// fieldsOf returns the paths of the arguments that are fields of the object, for messages.
func fieldsOf(args []Value) (all string) {
	for _, a := range args {
		if one := where(a.at); a.Input && !strings.Contains(all, one) {
			all += one
		}
	}
	return all
}

// call evaluates the function call of text/template, whose first argument is a function.
func call(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	if args[0].V == nil || reflect.TypeOf(args[0].V).Kind() != reflect.Func {
		return Value{}, x.errorf(n, code.EvalTemplate, "call needs a function as its first argument")
	}
	return x.apply(function.Of("call", reflect.ValueOf(args[0].V)), args[1:], n, args[0])
}
