package render

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
)

// failure is what fail and the checks that work like it return: a finding on the object, not the end of its evaluation.
type failure struct {
	message string
	at      *place // what it is about, where that is known
}

func (f *failure) Error() string { return f.message }

// asFailure returns the failure that err is, if it is one.
func asFailure(err error) (*failure, bool) {
	var f *failure
	ok := errors.As(err, &f)
	return f, ok
}

// pipeline evaluates a pipeline and sets the variables it declares.
func (x *exec) pipeline(dot value, p *parse.PipeNode) (value, error) {
	if p == nil {
		return value{}, nil
	}
	var val value
	var final *value
	for _, cmd := range p.Cmds {
		v, err := x.command(dot, cmd, final)
		if err != nil {
			return value{}, err
		}
		val = v
		final = &v
	}
	for _, decl := range p.Decl {
		if p.IsAssign {
			x.assign(decl.Ident[0], val)
			continue
		}
		x.vars = append(x.vars, variable{decl.Ident[0], val})
	}
	return val, nil
}

// assign sets the innermost variable of that name.
func (x *exec) assign(name string, val value) {
	for i := len(x.vars) - 1; i >= 0; i-- {
		if x.vars[i].name == name {
			x.vars[i].val = val
			return
		}
	}
}

func (x *exec) variable(name string, n parse.Node) (value, error) {
	for i := len(x.vars) - 1; i >= 0; i-- {
		if x.vars[i].name == name {
			return x.vars[i].val, nil
		}
	}
	return value{}, x.errorf(n, code.EvalTemplate, "undefined variable %s", name)
}

// command evaluates one command of a pipeline; final is what the command before it handed on.
func (x *exec) command(dot value, cmd *parse.CommandNode, final *value) (value, error) {
	args := operands{nodes: cmd.Args[1:], final: final}
	switch n := cmd.Args[0].(type) {
	case *parse.IdentifierNode:
		return x.function(dot, n, args)
	case *parse.FieldNode:
		return x.chain(dot, dot, n.Ident, n, args)
	case *parse.VariableNode:
		v, err := x.variable(n.Ident[0], n)
		if err != nil {
			return v, err
		}
		return x.chain(dot, v, n.Ident[1:], n, args)
	case *parse.ChainNode:
		v, err := x.operand(dot, n.Node)
		if err != nil {
			return v, err
		}
		return x.chain(dot, v, n.Field, n, args)
	}
	if len(args.nodes) > 0 || final != nil {
		return value{}, x.errorf(cmd, code.EvalTemplate, "can't give argument to %s, which is no function", cmd.Args[0])
	}
	return x.operand(dot, cmd.Args[0])
}

// operands are the arguments of a command: those written behind it, and the one piped into it.
type operands struct {
	nodes []parse.Node
	final *value
}

func (a operands) count() int {
	if a.final != nil {
		return len(a.nodes) + 1
	}
	return len(a.nodes)
}

// evaluate evaluates all arguments in order.
func (x *exec) evaluate(dot value, a operands) ([]value, error) {
	vals := make([]value, 0, a.count())
	for _, n := range a.nodes {
		v, err := x.operand(dot, n)
		if err != nil {
			return nil, err
		}
		vals = append(vals, v)
	}
	if a.final != nil {
		vals = append(vals, *a.final)
	}
	return vals, nil
}

// operand evaluates a node that stands as an argument.
func (x *exec) operand(dot value, n parse.Node) (value, error) {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.NilNode:
		return constant(nil), nil
	case *parse.FieldNode:
		return x.chain(dot, dot, n.Ident, n, operands{})
	case *parse.VariableNode:
		v, err := x.variable(n.Ident[0], n)
		if err != nil {
			return v, err
		}
		return x.chain(dot, v, n.Ident[1:], n, operands{})
	case *parse.ChainNode:
		v, err := x.operand(dot, n.Node)
		if err != nil {
			return v, err
		}
		return x.chain(dot, v, n.Field, n, operands{})
	case *parse.PipeNode:
		return x.pipeline(dot, n)
	case *parse.IdentifierNode:
		return x.function(dot, n, operands{})
	case *parse.BoolNode:
		return constant(n.True), nil
	case *parse.StringNode:
		return constant(n.Text), nil
	case *parse.NumberNode:
		return x.number(n)
	}
	return value{}, x.errorf(n, code.EvalTemplate, "can't evaluate %s", n)
}

// number gives a numeric constant the type that Go's templates give it.
func (x *exec) number(n *parse.NumberNode) (value, error) {
	isRune := len(n.Text) > 0 && n.Text[0] == '\''
	isHex := len(n.Text) > 2 && n.Text[0] == '0' && (n.Text[1] == 'x' || n.Text[1] == 'X') && !strings.ContainsAny(n.Text, "pP")
	switch {
	case n.IsFloat && !isRune && !isHex && strings.ContainsAny(n.Text, ".eEpP"):
		return constant(n.Float64), nil
	case n.IsInt && int64(int(n.Int64)) == n.Int64:
		return constant(int(n.Int64)), nil
	case n.IsFloat:
		return constant(n.Float64), nil
	case n.IsComplex:
		return constant(n.Complex128), nil
	}
	return value{}, x.errorf(n, code.EvalTemplate, "the number %s is too large", n.Text)
}

// chain follows .a.b.c from a value. Arguments go to the last one, which must then be a method.
func (x *exec) chain(dot, v value, names []string, n parse.Node, args operands) (value, error) {
	if len(names) == 0 && args.count() > 0 {
		return value{}, x.errorf(n, code.EvalTemplate, "can't give argument to %s, which is no function", n)
	}
	for i, name := range names {
		var a operands
		if i == len(names)-1 {
			a = args
		}
		next, err := x.field(dot, v, name, n, a)
		if err != nil {
			return value{}, err
		}
		v = next
	}
	x.noteAbsent(v, n)
	return v, nil
}

// field returns a key of a map, or what a method or a field of a Go value gives.
func (x *exec) field(dot, v value, name string, n parse.Node, args operands) (value, error) {
	if _, isMap := v.v.(map[string]any); isMap || v.v == nil {
		if args.count() > 0 {
			return value{}, x.errorf(n, code.EvalTemplate, "can't give argument to .%s, which is no function", name)
		}
		if v.v == nil {
			return missing(v.at.child(name)), nil
		}
		return v.key(name), nil
	}
	rv := reflect.ValueOf(v.v)
	if m := method(rv, name); m.IsValid() {
		vals, err := x.evaluate(dot, args)
		if err != nil {
			return value{}, err
		}
		return x.apply(function{name: name, call: m}, append([]value(nil), vals...), n, v)
	}
	if args.count() > 0 {
		return value{}, x.errorf(n, code.EvalTemplate, "can't give argument to .%s, which is no method", name)
	}
	for rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	switch rv.Kind() {
	case reflect.Struct:
		if f := rv.FieldByName(name); f.IsValid() && f.CanInterface() {
			return value{v: f.Interface(), input: v.input, scope: v.within()}, nil
		}
	case reflect.Map:
		if rv.Type().Key().Kind() == reflect.String {
			e := rv.MapIndex(reflect.ValueOf(name).Convert(rv.Type().Key()))
			if e.IsValid() {
				return value{v: e.Interface(), input: v.input, scope: v.within()}, nil
			}
			return value{absent: true, input: v.input}, nil
		}
	}
	return value{}, x.errorf(n, code.EvalTemplate, "can't take .%s of %s%s, as %s does", name, describe(v.v), where(v.at), n)
}

// method finds a method of a value or of a pointer to it.
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

// describe names what kind of value v is, in the words of YAML.
func describe(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case map[string]any:
		return "a map"
	case []any:
		return "a list"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int, int64, float64:
		return "a number"
	}
	return fmt.Sprintf("a %T", v)
}

// where says where in the object a value stands, for messages.
func where(at *place) string {
	if p := at.path(); p != nil {
		return " (" + p.String() + " of the CR)"
	}
	return ""
}

// truth is text/template's: empty values are false.
func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String, reflect.Chan:
		if rv.Kind() == reflect.Chan {
			return !rv.IsNil()
		}
		return rv.Len() > 0
	case reflect.Struct:
		return true
	case reflect.Func, reflect.Pointer:
		return !rv.IsNil()
	}
	return !rv.IsZero()
}
