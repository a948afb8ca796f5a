package render

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Error says why a template could not be executed on an object.
type Error struct {
	Code    code.Code
	At      refconfig.Place // place in the template, with the column
	Message string
}

// Error returns the position and the message.
func (e *Error) Error() string { return e.At.String() + ": " + e.Message }

// Refused is the error of an execution that doNotMatch ended: the template does not match the
// object.
type Refused struct {
	Reason string
	At     refconfig.Place // location of the call
}

// Error returns the reason.
func (r *Refused) Error() string { return "refused: " + r.Reason }

// Lookup returns all objects of the input that match, in a fixed order. A namespace or name of ""
// or "*" matches any. The objects must not be modified.
type Lookup func(apiVersion, kind, namespace, name string) []map[string]any

// Execution is one execution of a template.
type Execution struct {
	Options
	Template *template.Template
	Out      *Output
	Vars     []Variable
	File     *template.File
	depth    int
	Steps    int  // number of steps so far, up to Limits.Steps
	made     int  // bytes of text so far, up to Limits.Output
	tolerant bool // an action that fails prints nothing, and the execution goes on
	// the execution determines the identity of the template: a default for an object without fields
	// counts as independent of the input
	identity bool
	captured bool                 // the output is the text of an include, not of the CR
	lost     *place               // the missing key that the current include printed; see Value.lost
	listed   map[[2]uintptr]known // lists by address and length: whether their elements are the lines of a Secret
	looked   map[[2]uintptr]known // maps and lists by address and length: whether they contain a Secret
	// secret data was put into a map, so all further output may be secret
	stained bool
	secrets []map[string]any // results of lookups
	tracer  *tracer          // nil without a trace
	hooks   *Hooks           // nil for the execution on an object

	arguments []Value // of the calls that are being executed, the outermost first

	violations, remarks function.Statements

	undecided int // number of enclosing conditions that depend on placeholders
}

// Variable is a variable of a template.
type Variable struct {
	name string
	Val  Value
}

// control says how the execution of a list of nodes ended.
type control int

const (
	goOn control = iota
	breakLoop
	continueLoop
)

// run executes the body of the template with dot as its data.
func (x *Execution) run(dot Value) error {
	x.Limits = x.Limits.orDefault()
	x.File = x.Template.Body.File
	x.Vars = []Variable{{"$", dot}}
	_, err := x.List(dot, x.Template.Body.Root)
	return err
}

// errorf returns an error at a node.
func (x *Execution) errorf(n parse.Node, c code.Code, format string, args ...any) error {
	return &Error{Code: c, At: x.File.At(n.Position()), Message: fmt.Sprintf(format, args...)}
}

// List executes a list of nodes.
func (x *Execution) List(dot Value, l *parse.ListNode) (control, error) {
	if l == nil {
		return goOn, nil
	}
	if x.Reached != nil {
		x.Reached[l] = true
	}
	if x.hooks != nil && x.hooks.List != nil {
		x.hooks.List(l)
	}
	for _, n := range l.Nodes {
		if x.Aside[n] {
			continue
		}
		ctl, err := x.node(dot, n)
		if x.tolerant {
			err = nil
		}
		if err != nil || ctl != goOn {
			return ctl, err
		}
	}
	return goOn, nil
}

func (x *Execution) node(dot Value, n parse.Node) (control, error) {
	if err := x.step(n); err != nil {
		return goOn, err
	}
	switch n := n.(type) {
	case *parse.TextNode:
		if x.undecided > 0 {
			x.Out.open(n.Text, x.File, n.Pos)
		} else {
			x.Out.text(n.Text, x.File, n.Pos)
		}
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
	case *parse.BreakNode:
		return breakLoop, nil
	case *parse.ContinueNode:
		return continueLoop, nil
	}
	return goOn, x.errorf(n, code.EvalTemplate, "unknown node %s", n)
}

// action evaluates a pipeline and prints the result, unless it declares or sets a variable.
func (x *Execution) action(dot Value, n *parse.ActionNode) error {
	val, ok, err := x.check(dot, n.Pipe, n.Pos)
	if !ok || len(n.Pipe.Decl) > 0 {
		return err
	}
	if x.hooks != nil {
		x.hooks.Print(x, val, n)
		return nil
	}
	if kind := reflect.ValueOf(val.V).Kind(); kind == reflect.Chan || kind == reflect.Func {
		return x.errorf(n, code.EvalTemplate, "can't print %s of type %T", n.Pipe, val.V)
	}
	if val.lost != nil && function.IsMisfit(val.V) {
		val = Value{Absent: true, Input: true, at: val.lost, open: val.open}
	}
	if x.captured && x.lost == nil {
		x.lost = val.lost
		if val.Absent {
			x.lost = val.at
		}
	}
	if err := x.checkSize(val.V, n); err != nil {
		return err
	}
	if x.stained {
		val = x.derived(val, Value{scope: secret.Whole()}, nil)
	}
	before := len(x.Out.Buf)
	_, isText := n.Pipe.Cmds[0].Args[0].(*parse.StringNode)
	x.Out.print(Printed{
		Val:    val,
		secret: x.holdsSecret(val),
		unsure: x.undecided > 0,
		stated: isText && len(n.Pipe.Cmds) == 1 && x.undecided == 0,
		file:   x.File,
		pos:    n.Pos,
	})
	printed := len(x.Out.Buf) - before
	if lost := val.lost; val.Absent || lost != nil {
		return x.countFinding(n, printed, cmp.Or(lost, val.at))
	}
	return x.grow(n, printed+printedSize)
}

func (x *Execution) branch(dot Value, b *parse.BranchNode, with bool) (control, error) {
	defer x.Pop(len(x.Vars))
	val, _, err := x.check(dot, b.Pipe, b.Pos)
	if err != nil {
		return goOn, err
	}
	if x.isUnknown(val) {
		return goOn, x.hooks.Branch(x, dot, val, b, with)
	}
	defer x.openBranch(val, b)()
	defer x.block(b)()
	switch {
	case function.Empty(val.V):
		return x.List(dot, b.ElseList)
	case with:
		return x.List(val, b.List)
	}
	return x.List(dot, b.List)
}

// block begins the output of a block. The returned function ends it, and records a block that stands
// in the place of a value and printed nothing.
func (x *Execution) block(b *parse.BranchNode) (end func()) {
	start, blank := len(x.Out.Buf), !x.Out.HasText
	if x.hooks != nil || !x.Out.isValue(b) {
		return func() {}
	}
	return func() {
		if at := len(x.Out.Buf); len(bytes.TrimSpace(x.Out.Buf[start:])) == 0 {
			x.Out.Prints = append(x.Out.Prints, Printed{
				start: at, end: at, blank: blank, empty: true, Val: Value{Input: true}, file: x.File, pos: b.Position(),
			})
		}
	}
}

// Pop drops all variables except the first n.
func (x *Execution) Pop(n int) { x.Vars = x.Vars[:n] }

func (x *Execution) loop(dot Value, r *parse.RangeNode) (control, error) {
	mark := len(x.Vars)
	defer x.Pop(mark)
	val, err := x.pipeline(dot, r.Pipe)
	if err != nil {
		return goOn, err
	}
	x.Pop(mark)
	if x.isUnknown(val) {
		return goOn, x.hooks.Loop(x, dot, val, r)
	}
	if val.isWholePlaceholder() {
		val = Value{V: []any{val.V}, Input: true, open: true, scope: val.scope}
	}
	if val.Absent {
		val.V = nil
	}
	rounds, err := x.rounds(val, r.Pipe)
	if err != nil {
		return goOn, err
	}
	defer x.openBranch(val, &r.BranchNode)()
	defer x.block(&r.BranchNode)()
	if x.hooks != nil {
		rounds = x.hooks.Rounds(rounds)
	}
	none := true
	for key, val := range rounds {
		none = false
		if err := x.step(r); err != nil {
			return goOn, err
		}
		x.Declare(r.Pipe, key, val)
		ctl, err := x.List(val, r.List)
		x.Pop(mark)
		if err != nil {
			return goOn, err
		}
		if ctl == breakLoop {
			break
		}
	}
	if none {
		for _, decl := range r.Pipe.Decl { // text/template sets these variables to the value of the pipeline
			x.set(r.Pipe, decl, val)
		}
		return x.List(dot, r.ElseList)
	}
	return goOn, nil
}

// Declare sets the variables of a range for one round.
func (x *Execution) Declare(p *parse.PipeNode, key, val Value) {
	switch len(p.Decl) {
	case 1:
		x.set(p, p.Decl[0], val)
	case 2:
		x.set(p, p.Decl[0], key)
		x.set(p, p.Decl[1], val)
	}
}

// rounds returns the keys and values of a range: the elements of a list, the values of a map sorted
// by key, or the numbers below n. They are made one by one, because a template may leave a large
// loop early.
func (x *Execution) rounds(val Value, n parse.Node) (iter.Seq2[Value, Value], error) {
	switch v := val.V.(type) {
	case nil:
		return func(func(Value, Value) bool) {}, nil
	case []any:
		val = x.lines(val)
		return rounds(len(v), func(i int) (Value, Value) { return Value{V: i, Input: val.Input}, val.element(i) }), nil
	case map[string]any:
		keys := tree.Keys(v)
		return rounds(len(keys), func(i int) (Value, Value) {
			return Value{V: keys[i], Input: val.Input, pure: val.pure, scope: val.within()}, val.Key(keys[i])
		}), nil
	}
	if n := reflect.ValueOf(val.V); n.CanInt() {
		return rounds(
			int(n.Int()), func(i int) (Value, Value) { return Constant(i), Value{V: i, Input: val.Input} },
		), nil
	}
	return nil, x.errorf(
		n, code.EvalTemplate, "range can't go over %s, which is %s%s", n, function.Describe(val.V), where(val.at),
	)
}

// rounds returns a sequence of count keys and values, made one by one.
func rounds(count int, at func(i int) (key, val Value)) iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		for i := 0; i < count && yield(at(i)); i++ {
		}
	}
}

// call executes {{ template "name" pipeline }}.
func (x *Execution) call(dot Value, n *parse.TemplateNode) error {
	val, ok, err := x.check(dot, n.Pipe, n.Pos)
	if !ok {
		return err
	}
	return x.Enter(n.Name, val, n)
}

// Enter executes a named template with its own variables.
func (x *Execution) Enter(name string, dot Value, n parse.Node) error {
	d := x.Template.Find(name)
	if x.depth >= x.Limits.Calls {
		return x.stop(
			n,
			code.LimitCalls,
			"templates call each other more than %d levels deep, the limit; does %q call itself? "+
				"raise the limit with --limit calls=N if the template is right",
			x.Limits.Calls,
			name,
		)
	}
	if x.hooks != nil {
		leave := x.hooks.Enter(x, name, dot, n)
		if leave == nil {
			return nil
		}
		defer leave()
	}
	if d == nil {
		return x.errorf(
			n, code.EvalTemplate, "template %q is not defined; is its file listed in templateFunctionFiles?", name,
		)
	}
	file, vars := x.File, x.Vars
	defer func() { x.File, x.Vars = file, vars; x.depth-- }()
	x.depth++
	x.File, x.Vars = d.File, []Variable{{"$", dot}}
	_, err := x.List(dot, d.Root)
	return err
}

// include executes a named template and returns its text.
func (x *Execution) include(name string, dot Value, n parse.Node) (Value, error) {
	out, captured, lost := x.Out, x.captured, x.lost
	defer func() { x.Out, x.captured, x.lost = out, captured, lost }()
	x.Out, x.captured, x.lost = &Output{}, true, nil
	if x.hooks != nil {
		return x.hooks.Include(x, name, dot, n)
	}
	if err := x.Enter(name, dot, n); err != nil {
		return Value{}, err
	}
	result := Value{V: string(x.Out.Buf), lost: x.lost, scope: secret.Scope{}.With(x.Searched)}
	for _, p := range x.Out.Prints {
		if p.fail != "" {
			return Value{}, &failure{p.fail, p.Val.at}
		}
		result.Input, result.open = result.Input || p.Val.Input, result.open || p.open
		if p.secret {
			result.scope = secret.Whole()
		}
	}
	return result, x.grow(n, len(x.Out.Buf))
}
