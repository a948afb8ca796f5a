package inspect

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// walker follows the tree of one template.
type walker struct {
	t           *template.Template
	file        *template.File
	vars        []variable
	via         []string // nested templates that are being followed
	guards      []guard  // conditions that hold where the walk is
	conditioned int      // how many bytes they take
	loops       int      // that the walk is in
	steps       int
	cut         bool   // not all was followed
	vague       bool   // what is printed here is text that is worked on before it is printed, if at all
	text        *value // what was printed since an include began; nil outside of one

	asked   map[string]*asked
	above   []asked // fields below which one is needed under conditions, with these
	lookups []*Lookup
	nested  *[]Nested // of the template that is being followed
}

type variable struct {
	name string
	val  value
}

// guard is a condition that the walk is below.
type guard struct {
	text    string
	present []origin // fields that are there where it holds
	loop    bool     // it is a loop over these fields
}

// What is followed of a template: so many nodes, those of nested templates counted at each call; so many calls inside each other; fields so
// deep; values of which an expression is one of so many; and conditions around a field that take so many bytes together, all of which are told
// of each field.
const (
	mostSteps        = 10_000
	deepest          = 30
	deepestField     = 100
	mostAlternatives = 50
	mostCondition    = 8 << 10
)

func (w *walker) use(n parse.Node) Use {
	return Use{At: w.file.Place(n.Position()).String(), Via: slices.Clone(w.via)}
}

// body follows a list of nodes.
func (w *walker) body(dot value, l *parse.ListNode) {
	for _, n := range l.Nodes {
		w.node(dot, n)
	}
}

func (w *walker) node(dot value, n parse.Node) {
	if w.steps++; w.steps > mostSteps {
		w.cut = true
		return
	}
	switch n := n.(type) {
	case *parse.ActionNode:
		w.action(dot, n)
	case *parse.IfNode:
		w.branch(dot, &n.BranchNode, false)
	case *parse.WithNode:
		w.branch(dot, &n.BranchNode, true)
	case *parse.RangeNode:
		w.loop(dot, &n.BranchNode)
	case *parse.TemplateNode:
		arg := stated(nil)
		if n.Pipe != nil {
			arg = w.pipe(dot, n.Pipe)
		}
		w.call(n.Name, arg, n)
	}
}

// action follows a pipeline, whose value is printed unless it is kept in a variable.
func (w *walker) action(dot value, n *parse.ActionNode) {
	vague := w.vague
	w.vague = vague || !w.straight(n.Pipe)
	val := w.pipe(dot, n.Pipe)
	w.vague = vague
	if len(n.Pipe.Decl) > 0 {
		return
	}
	w.printed(val)
	if w.text != nil {
		w.text.of = union(w.text.of, val.origins())
	}
}

// straight reports whether the text of an include in a pipeline is printed, and not provided for where it is missing.
func (w *walker) straight(p *parse.PipeNode) bool {
	if len(p.Decl) > 0 {
		return false
	}
	for _, c := range p.Cmds {
		name, ok := c.Args[0].(*parse.IdentifierNode)
		if !ok {
			return false
		}
		f := w.t.Function(name.Ident)
		if f == nil || f.Copes || f.Engine && name.Ident != "include" {
			return false
		}
		for _, a := range c.Args[1:] {
			if _, nested := a.(*parse.PipeNode); nested && name.Ident != "include" {
				return false
			}
		}
	}
	return true
}

// branch follows both branches of a condition.
func (w *walker) branch(dot value, b *parse.BranchNode, with bool) {
	defer w.pop(len(w.vars))
	val := w.pipe(dot, b.Pipe)
	w.tested(val)
	inside := dot
	if with {
		inside = val
	}
	w.below(guard{text: b.Pipe.String(), present: val.present}, func() { w.body(inside, b.List) })
	if b.ElseList != nil {
		w.below(guard{text: "not (" + b.Pipe.String() + ")"}, func() { w.body(dot, b.ElseList) })
	}
	if shown, ok := only(b.List).(*parse.ActionNode); ok && len(shown.Pipe.Decl) == 0 && !with {
		w.otherwise(val, w.commands(dot, shown.Pipe), b.ElseList)
	}
}

// only is the one node of a list that is not blank, or nil.
func only(l *parse.ListNode) parse.Node {
	var one parse.Node
	for _, n := range l.Nodes {
		if text, ok := n.(*parse.TextNode); ok && len(bytes.TrimSpace(text.Text)) == 0 {
			continue
		}
		if one != nil {
			return nil
		}
		one = n
	}
	return one
}

// otherwise notes what a condition prints, in place of a field, where that is absent: a text that is one value.
func (w *walker) otherwise(condition, shown value, l *parse.ListNode) {
	all := shown.origins()
	if l == nil || len(all) != 1 || len(condition.is) != 1 || len(condition.of) > 0 || all[0].name() != condition.is[0].name() {
		return
	}
	if literal, ok := only(l).(*parse.TextNode); ok {
		if text := strings.TrimSpace(string(literal.Text)); !strings.Contains(text, "\n") {
			w.defaults(all[0], asYAML(text))
		}
	}
}

// keyOf stands for what a loop makes of a map for its first variable.
const keyOf = "key"

// loop follows the body of a loop, twice: what a round sets, the next one reads.
func (w *walker) loop(dot value, b *parse.BranchNode) {
	defer w.pop(len(w.vars))
	decl := b.Pipe.Decl
	val := w.commands(dot, b.Pipe)
	w.tested(val)
	use := w.use(b.Pipe)
	element := val.element(use)
	key := value{of: val.origins(), through: []string{keyOf}, untold: true}
	for i, d := range decl {
		v := element
		if len(decl) == 2 && i == 0 {
			v = key
		}
		w.set(b.Pipe.IsAssign, d.Ident[0], v)
	}
	w.below(guard{text: "range " + b.Pipe.String(), present: val.is, loop: true}, func() {
		w.loops++
		for range 2 {
			w.body(element, b.List)
		}
		w.loops--
	})
	if b.ElseList != nil {
		w.below(guard{text: "not (" + b.Pipe.String() + ")"}, func() { w.body(dot, b.ElseList) })
	}
}

func (w *walker) below(g guard, follow func()) {
	vars, guards, vague := len(w.vars), w.guards, w.vague
	w.conditioned += len(g.text)
	if w.guards = append(w.guards, g); w.conditioned > mostCondition { // nobody could read them
		w.guards, w.vague, w.cut = guards, true, true
	}
	follow()
	w.guards, w.vague = guards, vague
	w.conditioned -= len(g.text)
	w.pop(vars)
}

func (w *walker) pop(vars int) { w.vars = w.vars[:vars] }

// set gives a variable a value. One that is set again may have kept what it was, because a condition or a loop may stand before that.
func (w *walker) set(assign bool, name string, val value) {
	if !assign {
		w.vars = append(w.vars, variable{name, val})
		return
	}
	if v := w.variable(name); v != nil {
		v.val = either(v.val, val)
	}
}

func (w *walker) variable(name string) *variable {
	for i := len(w.vars) - 1; i >= 0; i-- {
		if w.vars[i].name == name {
			return &w.vars[i]
		}
	}
	return nil
}

// call follows a named template.
func (w *walker) call(name string, arg value, n parse.Node) {
	one := Nested{Name: name, At: w.file.Place(n.Position()).String(), Takes: takes(arg)}
	d := w.t.Find(name)
	switch {
	case d == nil:
	case slices.Contains(w.via, name) || len(w.via) >= deepest:
		one.Defined = d.Place().String()
		w.consume(arg.origins(), Computed, nil)
		w.cut = w.cut || len(w.via) >= deepest
	default:
		one.Defined = d.Place().String()
		inside := *w
		inside.file, inside.vars, inside.nested = d.File, []variable{{"$", arg}}, &one.Nested
		inside.via = append(slices.Clone(w.via), name)
		inside.body(arg, d.Root)
		w.steps, w.cut, w.lookups, w.above = inside.steps, w.cut || inside.cut, inside.lookups, inside.above
	}
	if !slices.ContainsFunc(*w.nested, func(o Nested) bool {
		return o.Name == one.Name && o.At == one.At && fmt.Sprint(o.Takes) == fmt.Sprint(one.Takes)
	}) {
		*w.nested = append(*w.nested, one)
	}
}

// takes says what a named template is called with.
func takes(arg value) []Argument {
	if arg.listed {
		var all []Argument
		for i, e := range arg.list {
			all = append(all, argument(fmt.Sprintf("index . %d", i), e))
		}
		for _, k := range tree.Keys(arg.dict) {
			all = append(all, argument("."+refconfig.Key(k).String(), arg.dict[k]))
		}
		return all
	}
	if slices.ContainsFunc(arg.is, func(o origin) bool { return o.lookup == nil && len(o.path) == 0 }) {
		return []Argument{{As: ".", Fields: []string{wholeCR}}}
	}
	if c, ok := arg.constant(); ok && c == nil {
		return nil
	}
	return []Argument{argument(".", arg)}
}

// wholeCR stands for the path of the CR itself.
const wholeCR = "the whole CR"

func argument(as string, v value) Argument {
	a := Argument{As: as, Values: v.plain(), Computed: v.untold || len(v.of) > 0}
	for _, o := range v.origins() {
		if p := o.name(); !slices.Contains(a.Fields, p) {
			a.Fields = append(a.Fields, p)
		}
	}
	return a
}

// plain are the values that the template states for a value.
func (v value) plain() []any {
	all := slices.Clone(v.known)
	if c, ok := v.literal(); ok && v.listed {
		all = append(all, c)
	}
	return all
}

// literal is a value that the template builds of nothing but what it states.
func (v value) literal() (any, bool) {
	if !v.listed {
		return v.constant()
	}
	if v.dict != nil {
		m := map[string]any{}
		for k, e := range v.dict {
			c, ok := e.literal()
			if !ok {
				return nil, false
			}
			m[k] = c
		}
		return m, true
	}
	l := []any{}
	for _, e := range v.list {
		c, ok := e.literal()
		if !ok {
			return nil, false
		}
		l = append(l, c)
	}
	return l, true
}

// name is how a field is called: with the CR that was looked up, if it is of one.
func (o origin) name() string {
	path := o.path.String()
	if len(o.path) == 0 {
		path = wholeCR
	}
	if o.lookup != nil {
		return path + " of " + o.lookup.what()
	}
	return path
}

// function returns the function that a node names, or nil.
func (w *walker) function(n parse.Node) *function.Function {
	if name, ok := n.(*parse.IdentifierNode); ok {
		return w.t.Function(name.Ident)
	}
	return nil
}
