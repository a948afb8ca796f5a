package probe

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Printing is the set of fields that a template prints. To find them, the template is executed on
// an object with unknown fields: once with all conditions true, and once for each condition with
// an else part. In that execution the condition is false, and so are the conditions whose else
// parts lead to it. Nodes that are aside, which print nothing, are not executed.
type Printing struct {
	root   *Part
	open   bool                // not all of the output could be read
	strays []refconfig.Problem // text that lands elsewhere
}

// printing is the state of one execution for Printing: a probe that executes one side of each
// condition, and writes tokens in place of values. Some conditions are false in it.
type printing struct {
	*probe
	fails  []*parse.BranchNode // the false conditions; the execution is made for the last one
	failed Around              // the last of fails, once it was reached
	others []*parse.BranchNode // other conditions with an else part that were reached
	all    []*parse.BranchNode // all conditions that were reached and are true
	out    *render.Output
	from   []depth // sorted by offset
	tokens []token
	keys   map[parse.Node]bool // actions that print keys
	apart  bool                // actions on lines of their own are taken for keys too
	strays []refconfig.Problem
}

// depth is a stretch of the output from an offset on, with the unknown conditions around it.
type depth struct {
	offset int
	guards []guard
}

// token is the action whose value a token replaces, without functions that only indent.
type token struct {
	pipe   string
	maker  string // the function that it calls last; "" for none
	at     string // file:line
	guards []guard
	from   refconfig.FieldPath // the field of the CR that it prints as it is; nil for none
}

// printedToken, followed by a number, replaces a value in the output.
const printedToken = "vtPrinted"

// keySpace follows a token at the start of a line. It is as long as ": x", which may replace it.
const keySpace = "   "

// mostPrintings is the largest number of conditions with an else part that are tried.
const mostPrintings = 100

// Print finds the fields that a template prints; see the type Printing. It stops when the
// context ends.
func Print(ctx context.Context, t *template.Template) *Printing {
	all := &Printing{root: &Part{}}
	defer func() { all.root.assemble() }()
	p := &printer{
		ctx: ctx, template: t,
		tokens: regexp.MustCompile(printedToken + `([0-9]+)(` + keySpace + `|: x(?:\n|$))?`),
		lines:  regexp.MustCompile("(?m)^( *" + printedToken + "[0-9]+)" + keySpace + "$"),
	}
	p.aside, _ = t.Aside()
	queue, known := [][]*parse.BranchNode{nil}, map[*parse.BranchNode]bool{}
	for i := 0; i < len(queue); i++ {
		run, root, err := p.print(queue[i])
		if err != nil && !p.apart {
			p.apart = true
			run, root, err = p.print(queue[i])
		}
		run.hidden()
		all.strays = append(all.strays, run.strays...)
		if all.open = err != nil || len(queue) > mostPrintings; all.open {
			if i == 0 {
				all.root = p.printWithout(run.all)
			}
			return all
		}
		if one := p.parts(run, root); i == 0 {
			all.root = one
		} else {
			all.root.join(one, run.failed)
		}
		for _, b := range run.others {
			if !known[b] {
				known[b] = true
				queue = append(queue, append(slices.Clip(queue[i]), b))
			}
		}
	}
	return all
}

// printer executes a template to find out what it prints.
type printer struct {
	ctx      context.Context
	template *template.Template
	tokens   *regexp.Regexp // finds tokens
	lines    *regexp.Regexp // finds lines that consist of a token
	aside    template.Aside
	apart    bool
}

// parts reads the parts of the output of an execution.
func (p *printer) parts(run *printing, root *kubeyaml.Node) *Part {
	return (&partReader{printing: run, actions: p.tokens}).part(root, root.Offset, len(run.out.Buf), nil)
}

// printWithout returns what the template prints without the first of its conditions whose text makes the
// output invalid; an empty part if there is no such condition.
func (p *printer) printWithout(all []*parse.BranchNode) *Part {
	const most = 20 // executions
	p.apart = false
	for _, b := range all[:min(most, len(all))] {
		if run, root, err := p.print([]*parse.BranchNode{b}); err == nil {
			return p.parts(run, root)
		}
	}
	return &Part{}
}

// print executes the template once and reads its output.
func (p *printer) print(fails []*parse.BranchNode) (*printing, *kubeyaml.Node, error) {
	run := &printing{
		probe: newProbe(),
		fails: fails,
		out:   &render.Output{},
		keys:  map[parse.Node]bool{},
		apart: p.apart,
	}
	run.oneSide = true
	hooks := run.hooks()
	hooks.Aside = p.aside
	if _, err := run.explore(p.ctx, p.template, hooks, run.out); err != nil || run.cut {
		return run, nil, cmp.Or(err, errors.New("it is too large"))
	}
	text := string(p.lines.ReplaceAll(run.out.Buf, []byte("$1: x"))) // a token alone on a line may print keys
	if p.template.Several {
		text = template.FirstDocument(text)
	}
	root, err := kubeyaml.ParseMapping(text, kubeyaml.DefaultLimits())
	return run, root, err
}

// Presence says whether a template prints a field.
type Presence int

// A later constant is a stronger answer.
const (
	Never Presence = iota
	Perhaps
	Always
)

// Has returns whether the template prints a field.
func (p *Printing) Has(path refconfig.FieldPath) Presence {
	found := p.root.Has(path)
	if found == Never && p.open {
		return Perhaps
	}
	return found
}

// Parts returns the fields that the template prints. all is false if a part of the output could not
// be read as YAML.
func (p *Printing) Parts() (root *Part, all bool) { return p.root, !p.open }

// around returns the unknown conditions around the output at an offset.
func (r *printing) around(offset int) []guard {
	i := sort.Search(len(r.from), func(i int) bool { return r.from[i].offset > offset }) - 1
	if i < 0 {
		return nil
	}
	return r.from[i].guards
}

// mark records the unknown conditions around the output that follows.
func (r *printing) mark(guards []guard) {
	r.from = append(r.from, depth{len(r.out.Buf), slices.Clone(guards)})
}

// hooks returns the hooks of a probe, except those that print or choose a side.
func (r *printing) hooks() *render.Hooks {
	h := r.probe.hooks()
	h.List, h.Call, h.Print, h.Branch, h.Loop, h.Include = r.list, r.call, r.print, r.branch, r.loop, r.include
	return h
}

// within executes something with a condition around it, and records where its output is.
func (r *printing) within(g guard, execute func() error) error {
	err := r.probe.within(g, func() error {
		r.mark(r.guards)
		return execute()
	})
	r.mark(r.guards)
	return err
}

// met reports whether to execute the true side of a condition.
func (r *printing) met(b *parse.BranchNode, fails guard) bool {
	if slices.Contains(r.fails, b) {
		if r.fails[len(r.fails)-1] == b {
			r.failed = Around{fails.text, fails.at}
		}
		return false
	}
	r.all = append(r.all, b)
	if b.ElseList != nil {
		r.others = append(r.others, b)
	}
	return true
}

// branch executes one side of a condition on a stub.
func (r *printing) branch(x *render.Execution, dot, val render.Value, b *parse.BranchNode, with bool) error {
	r.forks++
	before, drop := r.save(x.Vars)
	defer drop()
	side, fails := sides(b.Pipe.String(), r.use(x, b.Pipe).At)
	executed, inside := b.List, dot
	if with {
		inside = val
	}
	if !r.met(b, fails) {
		side, executed, inside = fails, b.ElseList, dot
	}
	err := r.within(side, func() error { return all(x, inside, executed) })
	then, _ := r.save(x.Vars[:len(before)])
	r.join(x, then, before)
	return err
}

// loop executes the rounds of a loop over a stub, or its else part.
func (r *printing) loop(x *render.Execution, dot, val render.Value, n *parse.RangeNode) error {
	r.forks++
	before, drop := r.save(x.Vars)
	defer drop()
	each, none, execute := r.round(x, dot, val, n)
	if !r.met(&n.BranchNode, none) {
		return r.within(none, func() error { return all(x, dot, n.ElseList) })
	}
	err := r.within(each, func() error {
		err := execute()
		if sameVariables(x.Vars, before) {
			return err // a second round would print the same
		}
		return execute()
	})
	if err == nil {
		then, _ := r.save(x.Vars)
		r.join(x, then, before)
	}
	return err
}

// sameVariables reports whether no variable has a new value.
func sameVariables(all, before []render.Variable) bool {
	return slices.EqualFunc(all, before, func(a, b render.Variable) bool { return render.Same(a.Val.V, b.Val.V) })
}

// call evaluates a call. A text with a token is unknown to a function that does not keep texts.
func (r *printing) call(
	x *render.Execution, dot render.Value, f *function.Function, n *parse.IdentifierNode, ops render.Operands,
) (render.Value, error) {
	defer x.Release(x.Reserved())
	args, err := arguments(x, dot, f, ops)
	if err != nil {
		return render.Value{}, err
	}
	for i, a := range args {
		if !f.Keeps && hasToken(a.V) {
			args[i] = newStub(&stub{open: true})
		}
	}
	return r.evaluate(x, f, n, ops, args)
}

// include executes a named template and returns its text.
func (r *printing) include(x *render.Execution, name string, dot render.Value, n parse.Node) (render.Value, error) {
	forks := r.forks
	err := x.Enter(name, dot, n)
	return render.Value{V: string(x.Out.Buf), Input: forks != r.forks}, err
}

// print writes a known value, and a token for any other.
func (r *printing) print(x *render.Execution, val render.Value, n *parse.ActionNode) {
	text, _ := val.V.(string)
	switch {
	case undetermined(val), text != "" && (hasToken(text) || val.Input) && !strings.ContainsAny(text, ":\n"):
		r.printToken(x, val, n) // the token stands for the action, which says more than its text
		return
	case val.Input: // parts of the text depend on conditions
		some := guard{text: template.Unindented(n.Pipe), at: x.File.Place(n.Pos).String()}
		r.mark(append(slices.Clip(r.guards), some))
		defer func() { r.mark(r.guards) }()
	}
	x.Print(val, n)
}

// printToken writes a token for the value of an action: as a value after a key or a dash, as a line
// if it is alone on it, and as a part of a text elsewhere.
func (r *printing) printToken(x *render.Execution, val render.Value, n *parse.ActionNode) {
	o := x.Out
	lines, by := indentation(n.Pipe)
	r.tokens = append(r.tokens, token{
		pipe:   template.Unindented(n.Pipe),
		maker:  maker(n.Pipe),
		at:     x.File.Place(n.Pos).String(),
		guards: slices.Clone(r.guards),
		from:   sourceOf(val),
	})
	r.beside(o, n, x.File.At(n.Pos), lines, by)
	token := fmt.Sprintf("%s%d", printedToken, len(r.tokens))
	switch {
	case r.keys[n]:
	case r.apart && !o.HasText:
		token = strings.Repeat(" ", by) + token + keySpace
	case o.EndsInKey():
		o.Trim()
		token = " " + token
	case !o.HasText, lines == "nindent":
		token = strings.Repeat(" ", by) + token + keySpace
		if lines == "nindent" {
			token = "\n" + token
		}
	}
	x.PrintText(token, n)
}

// sourceOf returns the field of the CR that a value is, also written as YAML or in quotes; nil for none.
func sourceOf(val render.Value) refconfig.FieldPath {
	s, isStub := val.V.(*stub)
	if !isStub {
		return nil
	}
	keeps := func(function string) bool {
		return slices.Contains([]string{"quote", "toYaml", "toJson", "toString", "indent", "nindent"}, function)
	}
	fields := s.is
	if len(fields) == 0 && !slices.ContainsFunc(s.through, func(by string) bool { return !keeps(by) }) && !s.mixed {
		fields = s.of
	}
	if len(fields) != 1 || fields[0].lookup != nil || len(fields[0].use.Via) > 0 {
		return nil
	}
	return fields[0].path
}

// maker returns the function that a pipeline calls last; "" for none.
func maker(p *parse.PipeNode) string {
	if name, ok := p.Cmds[len(p.Cmds)-1].Args[0].(*parse.IdentifierNode); ok {
		return name.Ident
	}
	return ""
}

// list records the actions of a list that print keys: the text after them begins with a colon.
func (r *printing) list(l *parse.ListNode) {
	for i, n := range l.Nodes[:max(0, len(l.Nodes)-1)] {
		text, isText := l.Nodes[i+1].(*parse.TextNode)
		if isText && n.Type() == parse.NodeAction && bytes.HasPrefix(text.Text, []byte(":")) {
			r.keys[n] = true
		}
	}
}

// hasToken reports whether a value is a text that contains a token. Functions cannot evaluate such
// a text.
func hasToken(v any) bool {
	text, isText := v.(string)
	return isText && strings.Contains(text, printedToken)
}

// indentation returns the function that indents the output of a pipeline and its number of blanks;
// "" if the last function does not indent.
func indentation(p *parse.PipeNode) (function string, by int) {
	last := p.Cmds[len(p.Cmds)-1]
	name, ok := last.Args[0].(*parse.IdentifierNode)
	if !ok || !strings.HasSuffix(name.Ident, "indent") || len(last.Args) < 2 {
		return "", 0
	}
	blanks, ok := last.Args[1].(*parse.NumberNode)
	if !ok || blanks.Int64 < 0 || blanks.Int64 > deepestField {
		return "", 0
	}
	return name.Ident, int(blanks.Int64)
}
