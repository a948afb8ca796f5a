package render

import (
	"errors"
	"reflect"
	"strings"
	"text/template/parse"
	"time"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/refconfig"
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
func (x *exec) check(dot value, p *parse.PipeNode, pos parse.Pos) (value, bool, error) {
	val, err := x.pipeline(dot, p)
	if err != nil && x.probe != nil {
		x.probe.fails(p, err)
	}
	var failed *failure
	switch {
	case !errors.As(err, &failed):
		return val, err == nil, err
	case x.undecided > 0:
		x.out.open(nil, x.file, pos)
	default:
		x.out.fail(failed, x.file, pos)
		return value{}, false, x.countFinding(p, len(failed.message), failed.at)
	}
	return value{}, false, nil
}

// pipeline evaluates a pipeline and sets the variables it declares.
func (x *exec) pipeline(dot value, p *parse.PipeNode) (value, error) {
	if p == nil {
		return value{}, nil
	}
	var val value
	var final *value
	for _, cmd := range p.Cmds {
		v, err := x.operand(dot, cmd.Args[0], operands{nodes: cmd.Args[1:], final: final})
		if err != nil {
			return value{}, err
		}
		val, final = v, &v
	}
	val.open = val.open || len(p.Decl) > 0 && x.undecided > 0
	for _, decl := range p.Decl {
		x.set(p, decl, val)
	}
	return val, nil
}

// set declares a variable, or assigns to the innermost variable of that name.
func (x *exec) set(p *parse.PipeNode, decl *parse.VariableNode, val value) {
	if !p.IsAssign {
		x.vars = append(x.vars, variable{decl.Ident[0], val})
	} else if v := x.variable(decl.Ident[0]); v != nil {
		v.val = val
	}
}

// variable returns the innermost variable of that name, or nil.
func (x *exec) variable(name string) *variable {
	i := len(x.vars) - 1
	for i >= 0 && x.vars[i].name != name {
		i--
	}
	if i < 0 {
		return nil
	}
	return &x.vars[i]
}

// operands are the arguments of a command: the nodes after its first one, and the value piped into
// it.
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
		v, err := x.operand(dot, n, operands{})
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

// operand evaluates a node. args are the arguments of the command if the node is its first one.
func (x *exec) operand(dot value, n parse.Node, args operands) (value, error) {
	if err := x.step(n); err != nil {
		return value{}, err
	}
	switch n := n.(type) {
	case *parse.IdentifierNode:
		return x.function(dot, n, args)
	case *parse.FieldNode:
		return x.chain(dot, dot, n.Ident, n, args)
	case *parse.VariableNode:
		v := x.variable(n.Ident[0])
		if v == nil {
			return value{}, x.errorf(n, code.EvalTemplate, "undefined variable %s", n.Ident[0])
		}
		return x.chain(dot, v.val, n.Ident[1:], n, args)
	case *parse.ChainNode:
		v, err := x.operand(dot, n.Node, operands{})
		if err != nil {
			return v, err
		}
		return x.chain(dot, v, n.Field, n, args)
	}
	if args.count() > 0 {
		return value{}, x.errorf(n, code.EvalTemplate, "can't give argument to %s, which is not a function", n)
	}
	switch n := n.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.NilNode:
		return constant(nil), nil
	case *parse.PipeNode:
		return x.pipeline(dot, n)
	case *parse.BoolNode:
		return constant(n.True), nil
	case *parse.StringNode:
		return constant(n.Text), nil
	case *parse.NumberNode:
		return x.number(n)
	}
	return value{}, x.errorf(n, code.EvalTemplate, "can't evaluate %s", n)
}

// number converts a numeric constant to the type that Go's templates use.
func (x *exec) number(n *parse.NumberNode) (value, error) {
	isRune := len(n.Text) > 0 && n.Text[0] == '\''
	isHex := len(n.Text) > 2 && n.Text[0] == '0' && (n.Text[1] == 'x' || n.Text[1] == 'X') &&
		!strings.ContainsAny(n.Text, "pP")
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

// chain evaluates .a.b.c on a value. If there are arguments, the last name must be a method, which
// gets them.
func (x *exec) chain(dot, v value, names []string, n parse.Node, args operands) (value, error) {
	if len(names) == 0 && args.count() > 0 {
		return value{}, x.errorf(n, code.EvalTemplate, "can't give argument to %s, which is not a function", n)
	}
	for i, name := range names {
		if err := x.step(n); err != nil {
			return value{}, err
		}
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

// field returns the value of a key, a struct field or a method call.
func (x *exec) field(dot, v value, name string, n parse.Node, args operands) (value, error) {
	if v.isWholePlaceholder() {
		return v.inside(), nil
	}
	if _, isMap := v.v.(map[string]any); isMap || v.v == nil {
		if args.count() > 0 {
			return value{}, x.errorf(n, code.EvalTemplate, "can't give argument to .%s, which is not a function", name)
		}
		if v.v == nil {
			return v.lacking(v.at.child(name)), nil
		}
		return v.key(name), nil
	}
	if s, ok := v.v.(*stub); ok {
		return x.probe.child(s, refconfig.Key(name), x.use(n)), nil
	}
	rv := reflect.ValueOf(v.v)
	if _, isTime := v.v.(time.Time); isTime && name == "Local" {
		name = "UTC" // the result must not depend on the zone of the machine
	}
	if m := method(rv, name); m.IsValid() {
		vals, err := x.evaluate(dot, args)
		if err != nil {
			return value{}, err
		}
		return x.apply(function.Of(name, m), vals, n, v)
	}
	if args.count() > 0 {
		return value{}, x.errorf(n, code.EvalTemplate, "can't give argument to .%s, which is not a method", name)
	}
	for rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if rv.Kind() == reflect.Struct {
		if f := rv.FieldByName(name); f.IsValid() && f.CanInterface() {
			return v.made(f), nil
		}
	}
	return value{}, x.errorf(
		n, code.EvalTemplate, "can't take .%s of %s%s, as %s does", name, function.Describe(v.v), where(v.at), n,
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
