package render

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
)

// function calls the function that an identifier names.
func (x *exec) function(dot value, n *parse.IdentifierNode, args operands) (value, error) {
	f := x.t.Function(n.Ident) // not nil: the parser knows the same functions
	if f.Engine || x.probe != nil {
		if err := f.CheckCount(args.count()); err != nil {
			return value{}, x.errorf(n, code.EvalTemplate, "%s", err)
		}
	}
	if x.probe != nil {
		return x.probe.call(x, dot, f, n, args)
	}
	if f.Lazy {
		return x.shortCircuit(dot, n, args)
	}
	vals, err := x.evaluate(dot, args)
	if err != nil {
		return value{}, err
	}
	v, err := x.invoke(f, n, vals)
	return x.unsure(n.Ident, v, err, vals)
}

// invoke calls a function with its arguments.
func (x *exec) invoke(f *function.Function, n *parse.IdentifierNode, vals []value) (value, error) {
	if !f.Engine {
		if n.Ident == "hasKey" {
			x.noteKey(vals, n)
		}
		return x.apply(f, vals, n, value{})
	}
	gone, misses := absence(f, vals)
	if misses {
		return missing(vals, gone), nil
	}
	call := nativeOf(n.Ident)
	if call == nil {
		return value{}, x.errorf(n, code.EvalTemplate, "%s has no implementation", n.Ident)
	}
	v, err := call(x, n, vals)
	switch {
	case f.Absent == function.Copes:
		v = markHandled(v)
	case f.Absent == function.Carries && gone != nil:
		v.lost = cmp.Or(v.lost, gone.at, root())
	}
	x.noteAbsent(v, n)
	return v, err
}

// shortCircuit evaluates the functions "and" and "or". The result is the first argument that
// decides, or else the last one, with its provenance.
func (x *exec) shortCircuit(dot value, n *parse.IdentifierNode, args operands) (value, error) {
	var v value
	open := false
	for i := range args.count() {
		if i < len(args.nodes) {
			var err error
			if v, err = x.operand(dot, args.nodes[i], operands{}); err != nil {
				return value{}, err
			}
		} else {
			v = *args.final
		}
		open = open || v.open
		if function.Empty(v.v) == (n.Ident == "and") {
			break
		}
	}
	v.open = open
	return markHandled(v), nil
}

// markHandled marks a missing value as handled by a function such as default, so that it is no
// finding.
func markHandled(v value) value {
	if v.absent {
		return value{input: v.input, open: v.open}
	}
	v.lost = nil
	return v
}

// absence returns the first absent argument or nil, and whether the result of the function is missing
// because of it.
func absence(f *function.Function, args []value) (gone *value, misses bool) {
	i := slices.IndexFunc(args, func(a value) bool { return a.absent })
	if i < 0 {
		return nil, false
	}
	return &args[i], f.Absent == function.Misses || f.Absent == function.Drops
}

// missing returns the result of a function that is missing because of an absent argument.
func missing(args []value, gone *value) value {
	return value{absent: true, input: anyInput(args), at: gone.at, open: gone.open}
}

// apply calls a Go function. of is the value that the function comes from, such as the receiver of
// a method. If an argument is null but its parameter cannot be nil, the result is nil.
func (x *exec) apply(f *function.Function, args []value, n parse.Node, of value) (value, error) {
	gone, misses := absence(f, args)
	if misses {
		return missing(args, gone), nil
	}
	plain := plainValues(args)
	result := value{input: of.input || anyInput(args)}
	for i := range args {
		result.lost = cmp.Or(result.lost, args[i].lost)
	}
	in, ok, err := f.Arguments(plain, func(i int) string { return where(args[i].at) })
	if err != nil {
		return value{}, x.errorf(n, code.EvalTemplate, "%s", err)
	}
	if !ok {
		if gone != nil && f.Absent != function.Copes {
			return missing(args, gone), nil
		}
		return result, nil
	}
	if err := x.checkCall(f, plain, n); err != nil {
		return value{}, err
	}
	switch result.v, err = f.Call(in); {
	case err != nil && gone != nil && f.Absent == function.Carries:
		return missing(args, gone), nil
	case err != nil:
		return value{}, x.callError(f, x.redacted(err, append(args[:len(args):len(args)], of)), n)
	}
	if size, ok := f.Made(result.v, x.largest()); !ok {
		return value{}, x.tooLarge(size, n)
	}
	if f.Mutates && len(args) > 1 && x.anySecret(args[1:]) {
		x.stained = true // the map may be reachable in many ways
	}
	result = x.derived(result, of, args)
	switch {
	case f.Absent == function.Copes, f.Absent == function.Drops:
		result.lost = nil
	case gone != nil && (result.v == nil || result.v == ""):
		result.absent, result.at = true, gone.at
	case gone != nil:
		result.lost = cmp.Or(result.lost, gone.at, root())
	}
	return result, nil
}

// callError turns the error of a call into the error of the execution, or into a failure, which
// becomes a finding.
func (x *exec) callError(f *function.Function, err error, n parse.Node) error {
	var said *function.Failure
	switch {
	case !errors.As(err, &said):
		return x.errorf(n, code.EvalTemplate, "%s: %s", f.Name, err)
	case said.Refuses:
		return &Refused{Reason: said.Message, At: x.file.Place(n.Position())}
	}
	return &failure{message: said.Message}
}

// call evaluates the function call of text/template, whose first argument is a function.
func call(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	if args[0].v == nil || reflect.TypeOf(args[0].v).Kind() != reflect.Func {
		return value{}, x.errorf(n, code.EvalTemplate, "call needs a function as its first argument")
	}
	return x.apply(function.Of("call", reflect.ValueOf(args[0].v)), args[1:], n, args[0])
}
