package render

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
)

// Limits of one execution. They are counted, not timed, so that the same template on the same object always ends alike.
const (
	maxSteps  = 2_000_000 // nodes executed and loops run
	maxOutput = 64 << 20  // bytes printed
	maxDepth  = 500       // templates calling templates
)

// Error says why a template could not be executed on an object.
type Error struct {
	Code     code.Code
	Position string // file:line:column in the template
	Message  string
}

// Error returns the position and the message.
func (e *Error) Error() string { return e.Position + ": " + e.Message }

// Refused says that a template refuses an object by doNotMatch.
type Refused struct{ Reason string }

// Error returns the reason.
func (r *Refused) Error() string { return "refused: " + r.Reason }

// Lookup answers lookupCRs: all objects of the input that match, in a fixed order. "" and "*" in namespace and name
// match anything. The objects must not be modified.
type Lookup func(apiVersion, kind, namespace, name string) []map[string]any

// exec is one execution of a template.
type exec struct {
	t        *Template
	lookup   Lookup
	out      *output
	vars     []variable
	file     *sourceFile
	depth    int
	steps    int
	work     float64 // bytes that functions read and made
	tolerant bool    // an action that fails prints nothing, and the rest goes on
	captured bool    // the output is the text of an include, not of the CR
	lost     *place
}

type variable struct {
	name string
	val  value
}

// control is how a list of nodes ended.
type control int

const (
	goOn control = iota
	breakLoop
	continueLoop
)

// run executes the template's body with dot as its data.
func (x *exec) run(dot value) error {
	x.file = x.t.body.file
	x.vars = []variable{{"$", dot}}
	_, err := x.list(dot, x.t.body.root)
	return err
}

// errorf makes the error of a node.
func (x *exec) errorf(n parse.Node, c code.Code, format string, args ...any) error {
	return &Error{Code: c, Position: x.file.position(n.Position()), Message: fmt.Sprintf(format, args...)}
}

func (x *exec) list(dot value, l *parse.ListNode) (control, error) {
	if l == nil {
		return goOn, nil
	}
	for _, n := range l.Nodes {
		ctl, err := x.node(dot, n)
		if err != nil && x.tolerant {
			err = nil
		}
		if err != nil || ctl != goOn {
			return ctl, err
		}
	}
	return goOn, nil
}

// step counts work and stops what goes on for too long.
func (x *exec) step(n parse.Node) error {
	x.steps++
	if x.steps > maxSteps {
		return x.errorf(n, code.LimitSteps, "the template takes more than %d steps on this object; does it loop over its own output?", maxSteps)
	}
	if len(x.out.buf) > maxOutput {
		return x.errorf(n, code.LimitOutput, "the template prints more than %d bytes on this object", maxOutput)
	}
	return nil
}

func (x *exec) node(dot value, n parse.Node) (control, error) {
	if err := x.step(n); err != nil {
		x.tolerant = false
		return goOn, err
	}
	switch n := n.(type) {
	case *parse.TextNode:
		x.out.text(n.Text, x.file, n.Pos)
	case *parse.ActionNode:
		return goOn, x.action(dot, n)
	case *parse.IfNode:
		return x.branch(dot, &n.BranchNode, false)
	case *parse.WithNode:
		return x.branch(dot, &n.BranchNode, true)
	case *parse.RangeNode:
		return x.loop(dot, n)
	case *parse.TemplateNode:
		return goOn, x.call(dot, n)
	case *parse.ListNode:
		return x.list(dot, n)
	case *parse.BreakNode:
		return breakLoop, nil
	case *parse.ContinueNode:
		return continueLoop, nil
	case *parse.CommentNode:
	default:
		return goOn, x.errorf(n, code.EvalTemplate, "unknown node %s", n)
	}
	return goOn, nil
}

// action evaluates a pipeline and prints it unless it declares or sets a variable.
func (x *exec) action(dot value, n *parse.ActionNode) error {
	val, err := x.pipeline(dot, n.Pipe)
	if failed, ok := asFailure(err); ok {
		x.out.fail(failed.message, x.file, n.Pos)
		return nil
	}
	if err != nil || len(n.Pipe.Decl) > 0 {
		return err
	}
	if val.v != nil {
		switch reflect.TypeOf(val.v).Kind() {
		case reflect.Chan, reflect.Func:
			return x.errorf(n, code.EvalTemplate, "can't print %s of type %T", n.Pipe, val.v)
		}
	}
	if x.captured && x.lost == nil {
		if val.absent {
			x.lost = val.at
		} else {
			x.lost = val.lost
		}
	}
	if err := x.guardPrint(val.v, n); err != nil {
		return err
	}
	x.out.print(val, x.file, n.Pos)
	return nil
}

func (x *exec) branch(dot value, b *parse.BranchNode, with bool) (control, error) {
	defer x.pop(len(x.vars))
	val, err := x.pipeline(dot, b.Pipe)
	if failed, ok := asFailure(err); ok {
		x.out.fail(failed.message, x.file, b.Pos)
		val, err = value{}, nil
	}
	if err != nil {
		return goOn, err
	}
	switch {
	case !truth(val.v):
		return x.list(dot, b.ElseList)
	case with:
		return x.list(val, b.List)
	}
	return x.list(dot, b.List)
}

// pop drops the variables declared since the stack was n high.
func (x *exec) pop(n int) { x.vars = x.vars[:n] }

func (x *exec) loop(dot value, r *parse.RangeNode) (control, error) {
	mark := len(x.vars)
	defer x.pop(mark)
	val, err := x.pipeline(dot, r.Pipe)
	if err != nil {
		return goOn, err
	}
	x.pop(mark)
	items, err := x.items(val, r.Pipe)
	if err != nil {
		return goOn, err
	}
	if len(items) == 0 {
		return x.list(dot, r.ElseList)
	}
	for _, it := range items {
		if err := x.step(r); err != nil {
			return goOn, err
		}
		x.declare(r.Pipe, it)
		ctl, err := x.list(it.val, r.List)
		x.pop(mark)
		if err != nil {
			return goOn, err
		}
		if ctl == breakLoop {
			break
		}
	}
	return goOn, nil
}

// item is one round of a loop.
type item struct{ key, val value }

// declare sets the variables of a range for one round.
func (x *exec) declare(p *parse.PipeNode, it item) {
	set := func(v *parse.VariableNode, val value) {
		if p.IsAssign {
			x.assign(v.Ident[0], val)
			return
		}
		x.vars = append(x.vars, variable{v.Ident[0], val})
	}
	switch len(p.Decl) {
	case 1:
		set(p.Decl[0], it.val)
	case 2:
		set(p.Decl[0], it.key)
		set(p.Decl[1], it.val)
	}
}

// items lists what a range goes over: the elements of a list, the values of a map by sorted key, the numbers below n.
func (x *exec) items(val value, n parse.Node) ([]item, error) {
	switch v := val.v.(type) {
	case nil:
		return nil, nil
	case []any:
		items := make([]item, len(v))
		for i := range v {
			items[i] = item{key: value{v: i, input: val.input}, val: val.element(i)}
		}
		return items, nil
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		items := make([]item, len(keys))
		for i, k := range keys {
			items[i] = item{key: value{v: k, input: val.input, pure: val.pure}, val: val.key(k)}
		}
		return items, nil
	}
	return x.otherItems(val, n)
}

// otherItems lists the rounds over values that functions made.
func (x *exec) otherItems(val value, n parse.Node) ([]item, error) {
	made := func(v reflect.Value) value { return value{v: v.Interface(), input: val.input} }
	rv := reflect.ValueOf(val.v)
	var items []item
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range rv.Len() {
			items = append(items, item{key: constant(i), val: made(rv.Index(i))})
		}
	case reflect.Map:
		keys := rv.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			items = append(items, item{key: made(k), val: made(rv.MapIndex(k))})
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if rv.Int() > maxSteps {
			return nil, x.errorf(n, code.LimitSteps, "range over %d rounds is more than the limit of %d steps", rv.Int(), maxSteps)
		}
		for i := range rv.Int() {
			items = append(items, item{key: constant(int(i)), val: value{v: int(i), input: val.input}})
		}
	default:
		return nil, x.errorf(n, code.EvalTemplate, "range can't go over %s, which is %s%s", n, describe(val.v), where(val.at))
	}
	return items, nil
}

// call executes {{ template "name" pipeline }}.
func (x *exec) call(dot value, n *parse.TemplateNode) error {
	val := value{}
	if n.Pipe != nil {
		var err error
		if val, err = x.pipeline(dot, n.Pipe); err != nil {
			if failed, ok := asFailure(err); ok {
				x.out.fail(failed.message, x.file, n.Pos)
				return nil
			}
			return err
		}
	}
	return x.enter(n.Name, val, n)
}

// enter executes a named template with its own variables.
func (x *exec) enter(name string, dot value, n parse.Node) error {
	d := x.t.find(name)
	if d == nil {
		return x.errorf(n, code.EvalTemplate, "template %q is not defined; is its file listed in templateFunctionFiles?", name)
	}
	if x.depth >= maxDepth {
		return x.errorf(n, code.LimitDepth, "templates call each other more than %d levels deep; does %q call itself?", maxDepth, name)
	}
	file, vars := x.file, x.vars
	defer func() { x.file, x.vars = file, vars; x.depth-- }()
	x.depth++
	x.file, x.vars = d.file, []variable{{"$", dot}}
	_, err := x.list(dot, d.root)
	return err
}

// include executes a named template and returns its text.
func (x *exec) include(name string, dot value, n parse.Node) (value, error) {
	out, captured, lost := x.out, x.captured, x.lost
	defer func() { x.out, x.captured, x.lost = out, captured, lost }()
	x.out, x.captured, x.lost = &output{}, true, nil
	if err := x.enter(name, dot, n); err != nil {
		return value{}, err
	}
	if err := x.charge(float64(len(x.out.buf)), n); err != nil {
		return value{}, err
	}
	result := value{v: string(x.out.buf), lost: x.lost}
	for _, p := range x.out.prints {
		if p.fail != "" {
			return value{}, &failure{p.fail}
		}
		result.input = result.input || p.val.input
	}
	return result, nil
}
