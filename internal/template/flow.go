package template

import (
	"reflect"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Idle returns the variables of the definition that nobody reads, and the conditions that no CR
// changes.
func (d *Definition) Idle() []refconfig.Problem {
	f := &flow{file: d.File, set: d.set}
	f.nodes(d.Root)
	return f.found
}

// flow follows the variables of a definition.
type flow struct {
	file  *File
	set   *Set
	vars  []*declared
	found []refconfig.Problem

	chained *parse.BranchNode // the else if that is followed next
	tested  map[string]int    // the conditions before it, with their lines
}

func (f *flow) warn(of code.Code, at refconfig.Place, format string, args ...any) {
	f.found = append(f.found, at.Problem(of, format, args...))
}

// declared is a variable in the block that declares it.
type declared struct {
	name       string
	at         refconfig.Place
	isRead     bool
	isSet      bool                // its value is replaced
	isConstant bool                // it is declared with a constant, an empty list or an empty map
	isUsual    bool                // that nobody reads it is no mistake
	inner      []*declared         // variables of this name in blocks inside
	makes      string              // the function that makes its first value; "" if it is none
	lacking    []refconfig.Problem // reads of fields that this value lacks
}

// nodes follows a list of nodes. Its variables end with it.
func (f *flow) nodes(l *parse.ListNode) {
	if l == nil {
		return
	}
	mark := len(f.vars)
	for _, n := range l.Nodes {
		f.node(n)
	}
	f.leave(mark)
}

// node follows a node.
func (f *flow) node(n parse.Node) {
	word, b := BranchOf(n)
	if b == nil {
		f.read(n)
		return
	}
	mark := len(f.vars)
	var tested map[string]int
	if word == "if" {
		f.constant(b.Pipe)
		tested = f.repeated(b)
	}
	f.read(b.Pipe)
	for _, v := range f.vars[mark:] {
		v.isUsual = v.isUsual || word == "range" // a loop may need its second variable only
		if word == "range" {
			v.makes = "" // it is an item
		}
	}
	f.nodes(b.List)
	f.chained, f.tested = elseIf(b), tested
	f.nodes(b.ElseList)
	f.leave(mark)
}

// read follows a node without branches: it reads variables, and then declares some.
func (f *flow) read(n parse.Node) {
	switch n := n.(type) {
	case *parse.ActionNode:
		f.read(n.Pipe)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			f.read(n.Pipe)
		}
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			f.read(c)
		}
		for _, v := range n.Decl {
			f.declare(n, v)
		}
	case *parse.CommandNode:
		for _, a := range n.Args {
			f.read(a)
		}
	case *parse.ChainNode:
		f.read(n.Node)
	case *parse.VariableNode:
		if v := f.find(n.Ident[0], len(f.vars)); v != nil {
			v.isRead = true
			f.field(v, n)
		}
	}
}

// field follows the read of a field of a variable. A text has no fields, and a version only those of its Go type.
func (f *flow) field(v *declared, n *parse.VariableNode) {
	made := f.set.functions[v.makes]
	if len(n.Ident) == 1 || made == nil || made.Result() == nil {
		return
	}
	at, key, result := f.file.At(n.Pos), n.Ident[1], made.Result()
	var has []string
	for m := range result.Methods() {
		has = append(has, m.Name)
	}
	switch {
	case v.makes == "semver" && !slices.Contains(has, key):
		meant := code.DidYouMean(key, has)
		v.lacking = append(v.lacking, at.Problem(code.RefArguments, "a version has no %s%s", key, meant))
	case result.Kind() == reflect.String:
		v.lacking = append(v.lacking, at.Problem(code.RefArguments, "%s is a text, made by %s, and has no %s", v.name, v.makes, key))
	}
}

// declare declares a variable, or sets one.
func (f *flow) declare(p *parse.PipeNode, n *parse.VariableNode) {
	outer := f.find(n.Ident[0], len(f.vars))
	if p.IsAssign {
		if outer != nil {
			outer.isSet = true
		}
		return
	}
	first := p.Cmds[0].Args
	name, isCall := first[0].(*parse.IdentifierNode)
	_, isConstant := Constant(p.Cmds[0])
	v := &declared{
		name:       n.Ident[0],
		at:         f.file.At(n.Pos),
		isConstant: len(p.Cmds) == 1 && (isConstant || isCall && len(first) == 1 && isCollection(name.Ident)),
		isUsual:    strings.HasPrefix(n.Ident[0], "$_") || hasEffect(p),
	}
	if last, isCall := p.Cmds[len(p.Cmds)-1].Args[0].(*parse.IdentifierNode); isCall && len(p.Decl) == 1 {
		v.makes = last.Ident
	}
	if outer != nil {
		outer.inner = append(outer.inner, v)
	}
	f.vars = append(f.vars, v)
}

// isCollection reports whether a function makes a list or a map.
func isCollection(function string) bool { return function == "list" || function == "dict" }

// hasEffect reports whether a pipeline may be there for what it does, and not for its value.
func hasEffect(n parse.Node) (found bool) {
	if name, ok := n.(*parse.IdentifierNode); ok {
		return slices.Contains([]string{"include", "set", "unset", "fail", "violation", "note"}, name.Ident)
	}
	eachBelow(n, func(c parse.Node) { found = found || hasEffect(c) })
	return found
}

// find returns the innermost of the first n variables with a name; nil for none.
func (f *flow) find(name string, n int) *declared {
	for i := n - 1; i >= 0; i-- {
		if f.vars[i].name == name {
			return f.vars[i]
		}
	}
	return nil
}

// leave ends all variables but the first. It reports those that nobody read, and those inside that
// were meant to set them.
func (f *flow) leave(mark int) {
	for i := len(f.vars) - 1; i >= mark; i-- {
		v := f.vars[i]
		if v.isConstant && !v.isSet {
			for _, inner := range v.inner {
				f.warn(code.RefVariable, inner.at, "this %s is a new variable, and the one of line %d keeps its first value; "+
					"write = to set it", v.name, v.at.Line)
			}
		}
		if !v.isSet {
			f.found = append(f.found, v.lacking...)
		}
		if !v.isRead && !v.isUsual && f.find(v.name, i) == nil {
			f.warn(code.RefVariable, v.at, "nothing reads the variable %s; delete it, or name it $_", v.name)
		}
	}
	f.vars = f.vars[:mark]
}

// repeated reports an else if with the condition of an if before it. It returns the conditions so far, with
// their lines.
func (f *flow) repeated(b *parse.BranchNode) map[string]int {
	tested := f.tested
	if f.chained != b {
		tested = map[string]int{}
	}
	text, at := b.Pipe.String(), f.file.At(b.Pipe.Pos)
	if line := tested[text]; line > 0 && len(b.Pipe.Decl) == 0 {
		f.warn(code.RefConstant, at, "the condition %s is that of line %d, so this branch is never reached", text, line)
	}
	tested[text] = at.Line
	return tested
}

// elseIf returns the condition of the else if of another one; nil for none.
func elseIf(b *parse.BranchNode) *parse.BranchNode {
	if b.ElseList == nil || len(b.ElseList.Nodes) != 1 {
		return nil
	}
	word, next := BranchOf(b.ElseList.Nodes[0])
	if word != "if" {
		return nil
	}
	return next
}

// constant reports a condition, or a comparison in one, that is the same for every CR.
func (f *flow) constant(p *parse.PipeNode) {
	if len(p.Cmds) != 1 || len(p.Decl) > 0 {
		return
	}
	args := p.Cmds[0].Args
	isConstant := func(n parse.Node) bool {
		_, ok := Constant(n)
		return ok
	}
	name, isCall := args[0].(*parse.IdentifierNode)
	switch {
	case !isCall:
		if isConstant(args[0]) {
			f.warn(code.RefConstant, f.file.At(p.Pos), "the condition %s is the same for every CR", p)
		}
	case slices.Contains([]string{"eq", "ne", "lt", "le", "gt", "ge"}, name.Ident):
		if len(args) > 2 && !slices.ContainsFunc(args[1:], func(n parse.Node) bool { return !isConstant(n) }) {
			f.warn(code.RefConstant, f.file.At(p.Pos), "the condition %s is the same for every CR", p)
		}
	case slices.Contains([]string{"and", "or", "not"}, name.Ident):
		for _, a := range args[1:] {
			if inner, ok := a.(*parse.PipeNode); ok {
				f.constant(inner)
			}
		}
	}
}
