package render

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
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
type Refused struct {
	Reason string
	At     Position // of the call
}

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
	limits   Limits
	depth    int
	steps    int  // taken, of limits.Steps
	made     int  // bytes of text made, of limits.Output
	clear    bool // messages may show secrets
	tolerant bool // an action that fails prints nothing, and the rest goes on
	identity bool // the identity is sought: what a function chooses for an object that sets nothing is the template's own
	captured bool // the output is the text of an include, not of the CR
	lost     *place
	origin   secret.Origin         // which maps were Secrets when they came in
	listed   map[*any]lines        // by their first elements: whether they are the lines of a Secret
	looked   map[[2]uintptr]looked // by address and length: whether a map or list holds a Secret
	stained  bool                  // something secret was put into a map, and whatever is printed from here on may be that
	secrets  []map[string]any      // that were looked up
	tracer   *tracer               // nil unless the execution is traced
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
	x.limits = x.limits.orDefault()
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

func (x *exec) node(dot value, n parse.Node) (control, error) {
	if err := x.step(n); err != nil {
		return goOn, err
	}
	switch n := n.(type) {
	case *parse.TextNode:
		x.out.text(n.Text, x.file, n.Pos)
		return goOn, x.grow(n, len(n.Text))
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
		x.out.fail(failed, x.file, n.Pos)
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
	if err := x.weigh(val.v, n); err != nil {
		return err
	}
	if x.stained {
		val = x.derived(val, value{scope: secret.Whole()}, nil)
	}
	before := len(x.out.buf)
	x.out.print(val, x.holdsSecret(val), x.file, n.Pos)
	return x.grow(n, len(x.out.buf)-before+printedCost)
}

func (x *exec) branch(dot value, b *parse.BranchNode, with bool) (control, error) {
	defer x.pop(len(x.vars))
	val, err := x.pipeline(dot, b.Pipe)
	if failed, ok := asFailure(err); ok {
		x.out.fail(failed, x.file, b.Pos)
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
	all, err := x.items(val, r.Pipe)
	if err != nil {
		return goOn, err
	}
	if all.count == 0 {
		return x.list(dot, r.ElseList)
	}
	for i := range all.count {
		if err := x.step(r); err != nil {
			return goOn, err
		}
		it := all.at(i)
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

// items are the rounds of a loop, made one by one: a loop may be meant to end long before the last.
type items struct {
	count int
	at    func(i int) item
}

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
func (x *exec) items(val value, n parse.Node) (items, error) {
	switch v := val.v.(type) {
	case nil:
		return items{}, nil
	case []any:
		val = x.lines(val)
		return items{len(v), func(i int) item {
			return item{key: value{v: i, input: val.input}, val: val.element(i)}
		}}, nil
	case map[string]any:
		if err := x.spend(n, len(v)); err != nil {
			return items{}, err
		}
		keys := tree.Keys(v)
		return items{len(keys), func(i int) item {
			return item{key: value{v: keys[i], input: val.input, pure: val.pure, scope: val.within()}, val: val.key(keys[i])}
		}}, nil
	}
	return x.otherItems(val, n)
}

// otherItems lists the rounds over values that functions made.
func (x *exec) otherItems(val value, n parse.Node) (items, error) {
	made := func(v reflect.Value) value { return value{v: v.Interface(), input: val.input, scope: val.within()} }
	rv := reflect.ValueOf(val.v)
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		return items{rv.Len(), func(i int) item { return item{key: constant(i), val: made(rv.Index(i))} }}, nil
	case reflect.Map:
		if err := x.spend(n, rv.Len()); err != nil {
			return items{}, err
		}
		keys := rv.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		return items{len(keys), func(i int) item { return item{key: made(keys[i]), val: made(rv.MapIndex(keys[i]))} }}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return items{int(max(rv.Int(), 0)), func(i int) item { return item{key: constant(i), val: value{v: i, input: val.input}} }}, nil
	}
	return items{}, x.errorf(n, code.EvalTemplate, "range can't go over %s, which is %s%s", n, describe(val.v), where(val.at))
}

// call executes {{ template "name" pipeline }}.
func (x *exec) call(dot value, n *parse.TemplateNode) error {
	val := value{}
	if n.Pipe != nil {
		var err error
		if val, err = x.pipeline(dot, n.Pipe); err != nil {
			if failed, ok := asFailure(err); ok {
				x.out.fail(failed, x.file, n.Pos)
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
	if x.depth >= x.limits.Calls {
		return x.stop(n, code.LimitCalls, "templates call each other more than %d levels deep, the limit; does %q call itself? "+
			"raise the limit with --limit calls=N if the template is right", x.limits.Calls, name)
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
	result := value{v: string(x.out.buf), lost: x.lost}
	for _, p := range x.out.prints {
		if p.fail != "" {
			return value{}, &failure{p.fail, p.val.at}
		}
		result.input = result.input || p.val.input
		if p.secret {
			result.scope = secret.Whole()
		}
	}
	return result, x.grow(n, len(x.out.buf))
}
