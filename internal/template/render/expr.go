package render

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
	"time"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
)

// failure is the error of the function fail and of similar checks. It is a finding on the object
// and does not end the execution.
type failure struct {
	message string
	at      *place // the checked value, if known
}

func (f *failure) Error() string { return f.message }

// check evaluates the pipeline of a node. If a check in the pipeline failed, it records a finding
// and returns false without an error.
func (x *Execution) check(dot Value, p *parse.PipeNode, pos parse.Pos) (Value, bool, error) {
	val, err := x.pipeline(dot, p)
	if err != nil && x.hooks != nil {
		x.hooks.Fails(p, err)
	}
	var failed *failure
	switch {
	case !errors.As(err, &failed):
		return val, err == nil, err
	case x.undecided > 0:
		x.Out.open(nil, x.File, pos)
	default:
		x.Out.fail(failed, x.File, pos)
		return Value{}, false, x.countFinding(p, len(failed.message), failed.at)
	}
	return Value{}, false, nil
}

// pipeline evaluates a pipeline and sets the variables it declares.
func (x *Execution) pipeline(dot Value, p *parse.PipeNode) (Value, error) {
	if p == nil {
		return Value{}, nil
	}
	var val Value
	var final *Value
	for i, cmd := range p.Cmds {
		v, err := x.Operand(dot, cmd.Args[0], Operands{Nodes: cmd.Args[1:], Final: final})
		if err != nil {
			return Value{}, err
		}
		if val = v; i+1 < len(p.Cmds) {
			piped := v
			final = &piped
		}
	}
	val.open = val.open || len(p.Decl) > 0 && x.undecided > 0
	for _, decl := range p.Decl {
		x.set(p, decl, val)
	}
	return val, nil
}

// set declares a variable, or assigns to the innermost variable of that name.
func (x *Execution) set(p *parse.PipeNode, decl *parse.VariableNode, val Value) {
	if !p.IsAssign {
		x.Vars = append(x.Vars, Variable{decl.Ident[0], val})
	} else if v := x.Variable(decl.Ident[0]); v != nil {
		v.Val = val
	}
}

// Variable returns the innermost variable of that name, or nil.
func (x *Execution) Variable(name string) *Variable {
	i := len(x.Vars) - 1
	for i >= 0 && x.Vars[i].name != name {
		i--
	}
	if i < 0 {
		return nil
	}
	return &x.Vars[i]
}

// Operands are the arguments of a command: the nodes after its first one, and the value piped into
// it.
type Operands struct {
	Nodes []parse.Node
	Final *Value
}

// Count returns the number of arguments.
func (a Operands) Count() int {
	if a.Final != nil {
		return len(a.Nodes) + 1
	}
	return len(a.Nodes)
}

// evaluate evaluates all arguments in order. They are valid until x.Release.
func (x *Execution) evaluate(dot Value, a Operands) ([]Value, error) {
	vals := x.Reserve(a.Count())
	for i, n := range a.Nodes {
		v, err := x.Operand(dot, n, Operands{})
		if err != nil {
			return nil, err
		}
		vals[i] = v
	}
	if a.Final != nil {
		vals[len(vals)-1] = *a.Final
	}
	return vals, nil
}

// Reserve returns room for n arguments of a call. It is valid until Release gets what Reserved returned
// before. Nothing may keep it for longer.
func (x *Execution) Reserve(n int) []Value {
	start := len(x.arguments)
	x.arguments = slices.Grow(x.arguments, n)[:start+n]
	return x.arguments[start : start+n : start+n]
}

// Reserved returns the number of arguments for which there is room.
func (x *Execution) Reserved() int { return len(x.arguments) }

// Release ends the use of all room but that of the first n arguments.
func (x *Execution) Release(n int) { x.arguments = x.arguments[:n] }

// Operand evaluates a node. args are the arguments of the command if the node is its first one.
func (x *Execution) Operand(dot Value, n parse.Node, args Operands) (Value, error) {
	if err := x.step(n); err != nil {
		return Value{}, err
	}
	switch n := n.(type) {
	case *parse.IdentifierNode:
		return x.function(dot, n, args)
	case *parse.FieldNode:
		return x.chain(dot, dot, n.Ident, n, args)
	case *parse.VariableNode:
		v := x.Variable(n.Ident[0])
		if v == nil {
			return Value{}, x.errorf(n, code.EvalTemplate, "undefined variable %s", n.Ident[0])
		}
		return x.chain(dot, v.Val, n.Ident[1:], n, args)
	case *parse.ChainNode:
		v, err := x.Operand(dot, n.Node, Operands{})
		if err != nil {
			return v, err
		}
		return x.chain(dot, v, n.Field, n, args)
	}
	if args.Count() > 0 {
		return Value{}, x.errorf(n, code.EvalTemplate, "can't give argument to %s, which is not a function", n)
	}
	switch n := n.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.NilNode:
		return Constant(nil), nil
	case *parse.PipeNode:
		return x.pipeline(dot, n)
	case *parse.BoolNode:
		return Constant(n.True), nil
	case *parse.StringNode:
		return Constant(n.Text), nil
	case *parse.NumberNode:
		return x.number(n)
	}
	return Value{}, x.errorf(n, code.EvalTemplate, "can't evaluate %s", n)
}

// number converts a numeric constant to the type that Go's templates use.
func (x *Execution) number(n *parse.NumberNode) (Value, error) {
	isRune := len(n.Text) > 0 && n.Text[0] == '\''
	isHex := len(n.Text) > 2 && n.Text[0] == '0' && (n.Text[1] == 'x' || n.Text[1] == 'X') &&
		!strings.ContainsAny(n.Text, "pP")
	switch {
	case n.IsFloat && !isRune && !isHex && strings.ContainsAny(n.Text, ".eEpP"):
		return Constant(n.Float64), nil
	case n.IsInt && int64(int(n.Int64)) == n.Int64:
		return Constant(int(n.Int64)), nil
	case n.IsFloat:
		return Constant(n.Float64), nil
	case n.IsComplex:
		return Constant(n.Complex128), nil
	}
	return Value{}, x.errorf(n, code.EvalTemplate, "the number %s is too large", n.Text)
}

// chain evaluates .a.b.c on a value. If there are arguments, the last name must be a method, which
// gets them.
func (x *Execution) chain(dot, v Value, names []string, n parse.Node, args Operands) (Value, error) {
	if len(names) == 0 && args.Count() > 0 {
		return Value{}, x.errorf(n, code.EvalTemplate, "can't give argument to %s, which is not a function", n)
	}
	for i, name := range names {
		if err := x.step(n); err != nil {
			return Value{}, err
		}
		var a Operands
		if i == len(names)-1 {
			a = args
		}
		next, err := x.field(dot, v, name, n, a)
		if err != nil {
			return Value{}, err
		}
		v = next
	}
	x.noteAbsent(v, n)
	return v, nil
}

// field returns the value of a key, a struct field or a method call.
func (x *Execution) field(dot, v Value, name string, n parse.Node, args Operands) (Value, error) {
	if v.isWholePlaceholder() {
		return v.inside(), nil
	}
	if _, isMap := v.V.(map[string]any); isMap || v.V == nil {
		if args.Count() > 0 {
			return Value{}, x.errorf(n, code.EvalTemplate, "can't give argument to .%s, which is not a function", name)
		}
		if v.V == nil {
			return v.lacking(v.at.child(name)), nil
		}
		return v.Key(name), nil
	}
	if x.isUnknown(v) {
		return x.hooks.Below(x, v, Constant(name), n), nil
	}
	rv := reflect.ValueOf(v.V)
	if _, isTime := v.V.(time.Time); isTime && name == "Local" {
		name = "UTC" // the result must not depend on the zone of the machine
	}
	if m := method(rv, name); m.IsValid() {
		defer x.Release(x.Reserved())
		vals, err := x.evaluate(dot, args)
		if err != nil {
			return Value{}, err
		}
		return x.apply(function.Of(name, m), vals, n, v)
	}
	if args.Count() > 0 {
		return Value{}, x.errorf(n, code.EvalTemplate, "can't give argument to .%s, which is not a method", name)
	}
	for rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if rv.Kind() == reflect.Struct {
		if f := rv.FieldByName(name); f.IsValid() && f.CanInterface() {
			return v.made(f), nil
		}
	}
	return Value{}, x.errorf(
		n, code.EvalTemplate, "can't take .%s of %s%s, as %s does", name, function.Describe(v.V), where(v.at), n,
	)
}

// method returns the method of that name of a value, or of a pointer to the value.
func method(rv reflect.Value, name string) reflect.Value {
	if m := rv.MethodByName(name); m.IsValid() {
		return m
	}
	if rv.Kind() != reflect.Pointer && rv.Kind() != reflect.Interface {
		p := reflect.New(rv.Type())
		p.Elem().Set(rv)
		return p.MethodByName(name)
	}
	return reflect.Value{}
}

// where returns the path of a value in the object, for messages.
func where(at *place) string {
	if p := at.path(); p != nil {
		return " (" + p.String() + " of the CR)"
	}
	return ""
}
