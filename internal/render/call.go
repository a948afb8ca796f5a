package render

import (
	"errors"
	"reflect"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/function"
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
	v, err := nativeOf(n.Ident)(x, n, vals)
	if f.Copes {
		v = markHandled(v)
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

// apply calls a Go function. of is the value that the function comes from, such as the receiver of
// a method. If an argument is nil but its parameter cannot be nil, the result is nil.
func (x *exec) apply(f *function.Function, args []value, n parse.Node, of value) (value, error) {
	plain := plainValues(args)
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
	in, ok, err := f.Arguments(plain, func(i int) string { return where(args[i].at) })
	if err != nil {
		return value{}, x.errorf(n, code.EvalTemplate, "%s", err)
	}
	if !ok {
		result.absent = gone != nil
		if gone != nil {
			result.at = gone.at
		}
		return result, nil
	}
	if err := x.checkCall(f, plain, n); err != nil {
		return value{}, err
	}
	if result.v, err = f.Call(in); err != nil {
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
	case f.Copes:
		result.lost = nil
	case gone != nil && (result.v == nil || result.v == ""):
		result.absent, result.at = true, gone.at
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
