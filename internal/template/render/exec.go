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

// exec is one execution of a template.
type exec struct {
	Options
	t        *template.Template
	out      *output
	vars     []variable
	file     *template.File
	depth    int
	steps    int  // number of steps so far, up to Limits.Steps
	made     int  // bytes of text so far, up to Limits.Output
	tolerant bool // an action that fails prints nothing, and the execution goes on
	// the execution determines the identity of the template: a default for an object without fields
	// counts as independent of the input
	identity bool
	captured bool                 // the output is the text of an include, not of the CR
	lost     *place               // the missing key that the current include printed; see value.lost
	listed   map[[2]uintptr]known // lists by address and length: whether their elements are the lines of a Secret
	looked   map[[2]uintptr]known // maps and lists by address and length: whether they contain a Secret
	// secret data was put into a map, so all further output may be secret
	stained bool
	secrets []map[string]any // results of lookups
	tracer  *tracer          // nil without a trace
	probe   *probe           // nil unless this is a probe

	violations, remarks function.Statements

	undecided int // number of enclosing conditions that depend on placeholders
}

type variable struct {
	name string
	val  value
}

// control says how the execution of a list of nodes ended.
type control int

const (
	goOn control = iota
	breakLoop
	continueLoop
)

// run executes the body of the template with dot as its data.
func (x *exec) run(dot value) error {
	x.Limits = x.Limits.orDefault()
	x.file = x.t.Body.File
	x.vars = []variable{{"$", dot}}
	_, err := x.list(dot, x.t.Body.Root)
	return err
}

// errorf returns an error at a node.
func (x *exec) errorf(n parse.Node, c code.Code, format string, args ...any) error {
	return &Error{Code: c, At: x.file.At(n.Position()), Message: fmt.Sprintf(format, args...)}
}

func (x *exec) list(dot value, l *parse.ListNode) (control, error) {
	if l == nil {
		return goOn, nil
	}
	if x.Reached != nil {
		x.Reached[l] = true
	}
	for i, n := range l.Nodes {
		if x.probe != nil && x.probe.printing != nil && i+1 < len(l.Nodes) {
			x.probe.printing.key(n, l.Nodes[i+1])
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

func (x *exec) node(dot value, n parse.Node) (control, error) {
	if err := x.step(n); err != nil {
		return goOn, err
	}
	switch n := n.(type) {
	case *parse.TextNode:
		if x.undecided > 0 {
			x.out.open(n.Text, x.file, n.Pos)
		} else {
			x.out.text(n.Text, x.file, n.Pos)
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
func (x *exec) action(dot value, n *parse.ActionNode) error {
	val, ok, err := x.check(dot, n.Pipe, n.Pos)
	if !ok || len(n.Pipe.Decl) > 0 {
		return err
	}
	if x.probe != nil {
		x.probe.print(x, val, n)
		return nil
	}
	if kind := reflect.ValueOf(val.v).Kind(); kind == reflect.Chan || kind == reflect.Func {
		return x.errorf(n, code.EvalTemplate, "can't print %s of type %T", n.Pipe, val.v)
	}
	if val.lost != nil && function.IsMisfit(val.v) {
		val = value{absent: true, input: true, at: val.lost, open: val.open}
	}
	if x.captured && x.lost == nil {
		x.lost = val.lost
		if val.absent {
			x.lost = val.at
		}
	}
	if err := x.checkSize(val.v, n); err != nil {
		return err
	}
	if x.stained {
		val = x.derived(val, value{scope: secret.Whole()}, nil)
	}
	before := len(x.out.buf)
	_, isText := n.Pipe.Cmds[0].Args[0].(*parse.StringNode)
	x.out.print(printed{
		val:    val,
		secret: x.holdsSecret(val),
		unsure: x.undecided > 0,
		stated: isText && len(n.Pipe.Cmds) == 1 && x.undecided == 0,
		file:   x.file,
		pos:    n.Pos,
	})
	printed := len(x.out.buf) - before
	if lost := val.lost; val.absent || lost != nil {
		return x.countFinding(n, printed, cmp.Or(lost, val.at))
	}
	return x.grow(n, printed+printedSize)
}

func (x *exec) branch(dot value, b *parse.BranchNode, with bool) (control, error) {
	defer x.pop(len(x.vars))
	val, _, err := x.check(dot, b.Pipe, b.Pos)
	if err != nil {
		return goOn, err
	}
	if x.probe != nil && isStub(val) {
		return goOn, x.probe.branch(x, dot, val, b, with)
	}
	defer x.openBranch(val, b)()
	defer x.block(b)()
	switch {
	case function.Empty(val.v):
		return x.list(dot, b.ElseList)
	case with:
		return x.list(val, b.List)
	}
	return x.list(dot, b.List)
}

// block begins the output of a block. The returned function ends it, and records a block that stands
// in the place of a value and printed nothing.
func (x *exec) block(b *parse.BranchNode) (end func()) {
	start, blank := len(x.out.buf), !x.out.hasText
	if x.probe != nil || !x.out.isValue(b) {
		return func() {}
	}
	return func() {
		if at := len(x.out.buf); len(bytes.TrimSpace(x.out.buf[start:])) == 0 {
			x.out.prints = append(x.out.prints, printed{
				start: at, end: at, blank: blank, empty: true, val: value{input: true}, file: x.file, pos: b.Position(),
			})
		}
	}
}

// pop drops all variables except the first n.
func (x *exec) pop(n int) { x.vars = x.vars[:n] }

func (x *exec) loop(dot value, r *parse.RangeNode) (control, error) {
	mark := len(x.vars)
	defer x.pop(mark)
	val, err := x.pipeline(dot, r.Pipe)
	if err != nil {
		return goOn, err
	}
	x.pop(mark)
	if x.probe != nil && isStub(val) {
		return goOn, x.probe.loop(x, dot, val, r)
	}
	if val.isWholePlaceholder() {
		val = value{v: []any{val.v}, input: true, open: true, scope: val.scope}
	}
	if val.absent {
		val.v = nil
	}
	rounds, err := x.rounds(val, r.Pipe)
	if err != nil {
		return goOn, err
	}
	defer x.openBranch(val, &r.BranchNode)()
	defer x.block(&r.BranchNode)()
	trail := ""
	if x.probe != nil {
		trail = x.probe.trail
		defer func() { x.probe.trail = trail }()
	}
	none := true
	for key, val := range rounds {
		none = false
		if err := x.step(r); err != nil {
			return goOn, err
		}
		if x.probe != nil {
			x.probe.trail = fmt.Sprint(trail, " ", key.v)
		}
		x.declare(r.Pipe, key, val)
		ctl, err := x.list(val, r.List)
		x.pop(mark)
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
		return x.list(dot, r.ElseList)
	}
	return goOn, nil
}

// declare sets the variables of a range for one round.
func (x *exec) declare(p *parse.PipeNode, key, val value) {
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
func (x *exec) rounds(val value, n parse.Node) (iter.Seq2[value, value], error) {
	switch v := val.v.(type) {
	case nil:
		return func(func(value, value) bool) {}, nil
	case []any:
		val = x.lines(val)
		return rounds(len(v), func(i int) (value, value) { return value{v: i, input: val.input}, val.element(i) }), nil
	case map[string]any:
		keys := tree.Keys(v)
		return rounds(len(keys), func(i int) (value, value) {
			return value{v: keys[i], input: val.input, pure: val.pure, scope: val.within()}, val.key(keys[i])
		}), nil
	}
	if n := reflect.ValueOf(val.v); n.CanInt() {
		return rounds(
			int(n.Int()), func(i int) (value, value) { return constant(i), value{v: i, input: val.input} },
		), nil
	}
	return nil, x.errorf(
		n, code.EvalTemplate, "range can't go over %s, which is %s%s", n, function.Describe(val.v), where(val.at),
	)
}

// rounds returns a sequence of count keys and values, made one by one.
func rounds(count int, at func(i int) (key, val value)) iter.Seq2[value, value] {
	return func(yield func(value, value) bool) {
		for i := 0; i < count && yield(at(i)); i++ {
		}
	}
}

// call executes {{ template "name" pipeline }}.
func (x *exec) call(dot value, n *parse.TemplateNode) error {
	val, ok, err := x.check(dot, n.Pipe, n.Pos)
	if !ok {
		return err
	}
	return x.enter(n.Name, val, n)
}

// enter executes a named template with its own variables.
func (x *exec) enter(name string, dot value, n parse.Node) error {
	d := x.t.Find(name)
	if d == nil && x.probe == nil {
		return x.errorf(
			n, code.EvalTemplate, "template %q is not defined; is its file listed in templateFunctionFiles?", name,
		)
	}
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
	if x.probe != nil {
		leave, ok := x.probe.enter(x, name, dot, n)
		if !ok {
			return nil
		}
		defer leave()
	}
	file, vars := x.file, x.vars
	defer func() { x.file, x.vars = file, vars; x.depth-- }()
	x.depth++
	x.file, x.vars = d.File, []variable{{"$", dot}}
	_, err := x.list(dot, d.Root)
	return err
}

// include executes a named template and returns its text.
func (x *exec) include(name string, dot value, n parse.Node) (value, error) {
	out, captured, lost := x.out, x.captured, x.lost
	defer func() { x.out, x.captured, x.lost = out, captured, lost }()
	x.out, x.captured, x.lost = &output{}, true, nil
	if x.probe != nil {
		return x.probe.include(x, name, dot, n)
	}
	if err := x.enter(name, dot, n); err != nil {
		return value{}, err
	}
	result := value{v: string(x.out.buf), lost: x.lost, scope: secret.Scope{}.With(x.Searched)}
	for _, p := range x.out.prints {
		if p.fail != "" {
			return value{}, &failure{p.fail, p.val.at}
		}
		result.input, result.open = result.input || p.val.input, result.open || p.open
		if p.secret {
			result.scope = secret.Whole()
		}
	}
	return result, x.grow(n, len(x.out.buf))
}
