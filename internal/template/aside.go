package template

import (
	"maps"
	"slices"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template/function"
)

// Aside is a set of nodes that are of no account for the text of a template: whatever the CR is, they
// print nothing, and change nothing that the others read. Such are checks, notes, and the calls of
// templates that consist of them.
type Aside map[parse.Node]bool

// Aside returns the outermost nodes that are aside, and the branches that an execution without these
// nodes may reach. There are none if the name in a call is computed.
func (t *Template) Aside() (Aside, []Branch) {
	reached, all := t.Called()
	if !all || t.Literal {
		return nil, t.Branches()
	}
	f := &asides{template: t, keeps: maps.Clone(reached), silent: map[*Definition]bool{}, found: Aside{}}
	f.narrow(f.keeps, f.keepsMaps)
	maps.Copy(f.silent, f.keeps)
	f.narrow(f.silent, func(d *Definition) bool { f.in = d; return f.list(d.Root, nil, false) })
	if f.silent[t.Body] {
		return nil, t.Branches()
	}
	printing := map[*Definition]bool{}
	f.printing(t.Body, printing)
	if len(f.found) == 0 {
		return nil, t.Branches()
	}
	return f.found, t.branchesOf(printing, f.found)
}

// asides finds the nodes that are aside.
type asides struct {
	template *Template
	keeps    map[*Definition]bool // those that change no map but their own, and call none that does
	silent   map[*Definition]bool // those that also print nothing
	found    Aside
	in       *Definition // the one whose nodes are looked at
}

// narrow removes the definitions that do not pass a test, until all pass it that are left. The test may
// rely on those that are left.
func (f *asides) narrow(all map[*Definition]bool, passes func(*Definition) bool) {
	for again := true; again; {
		again = false
		for d := range all {
			if !passes(d) {
				delete(all, d)
				again = true
			}
		}
	}
}

// keepsMaps reports whether a definition changes no map but its own, and calls only such definitions.
func (f *asides) keepsMaps(d *Definition) bool {
	return !slices.ContainsFunc(d.calls, func(c Call) bool {
		if c.template != "" && !f.keeps[f.template.Find(c.template)] {
			return true
		}
		return c.Function != nil && c.Function.Mutates && d.own(c.Function, c.Args) == ""
	})
}

// own returns the variable whose map a call of a function changes, if the definition made the map itself:
// the variable never has another value than a dict. It returns "" for every other call.
func (d *Definition) own(f *function.Function, args []parse.Node) string {
	if f.Name != "set" && f.Name != "unset" || len(args) == 0 {
		return ""
	}
	v, isVariable := args[0].(*parse.VariableNode)
	if !isVariable || len(v.Ident) > 1 || v.Ident[0] == "$" || !d.makes(d.Root, v.Ident[0]) {
		return ""
	}
	return v.Ident[0]
}

// makes reports whether all values that a node gives to a variable are new dicts.
func (d *Definition) makes(n parse.Node, name string) bool {
	if p, isPipe := n.(*parse.PipeNode); isPipe {
		for _, v := range p.Decl {
			if v.Ident[0] == name && !isOwnDict(p, name) {
				return false
			}
		}
	}
	all := true
	eachBelow(n, func(c parse.Node) { all = all && d.makes(c, name) })
	return all
}

// isOwnDict reports whether the value of a pipeline is a new dict, or the one that a variable has.
func isOwnDict(p *parse.PipeNode, name string) bool {
	args := p.Cmds[0].Args
	word, isCall := args[0].(*parse.IdentifierNode)
	if !isCall || len(p.Cmds) > 1 || len(p.Decl) > 1 {
		return false
	}
	if word.Ident != "set" && word.Ident != "unset" || len(args) < 2 {
		return word.Ident == "dict"
	}
	v, isVariable := args[1].(*parse.VariableNode)
	return isVariable && len(v.Ident) == 1 && v.Ident[0] == name
}

// list reports whether a list of nodes is aside. declared are the variables that it may set, and
// inLoop says that it may end a round.
func (f *asides) list(l *parse.ListNode, declared []string, inLoop bool) bool {
	if l == nil {
		return true
	}
	for _, n := range l.Nodes {
		if !f.node(n, declared, inLoop) {
			return false
		}
		if a, isAction := n.(*parse.ActionNode); isAction {
			declared = append(slices.Clip(declared), declares(a.Pipe)...)
		}
	}
	return true
}

// node reports whether a node of a list is aside, if the list may declare variables.
func (f *asides) node(n parse.Node, declared []string, inLoop bool) bool {
	if word, b := BranchOf(n); b != nil {
		inside := append(slices.Clip(declared), declares(b.Pipe)...)
		return f.pipe(b.Pipe, declared) && f.list(b.List, inside, inLoop || word == "range") &&
			f.list(b.ElseList, inside, inLoop)
	}
	switch n := n.(type) {
	case *parse.TextNode:
		return len(n.Text) == 0
	case *parse.ActionNode:
		return f.pipe(n.Pipe, declared) && (len(n.Pipe.Decl) > 0 || f.printsNothing(n.Pipe))
	case *parse.TemplateNode:
		return f.pipe(n.Pipe, declared) && f.silent[f.template.Find(n.Name)]
	case *parse.BreakNode, *parse.ContinueNode:
		return inLoop
	}
	return false
}

// declares returns the variables that a pipeline declares.
func declares(p *parse.PipeNode) (names []string) {
	if p.IsAssign {
		return nil
	}
	for _, v := range p.Decl {
		names = append(names, v.Ident[0])
	}
	return names
}

// pipe reports whether a pipeline changes nothing but some variables: it sets no other one, and calls
// only definitions that change no map.
func (f *asides) pipe(n parse.Node, declared []string) bool {
	if p, isPipe := n.(*parse.PipeNode); isPipe {
		if p == nil {
			return true
		}
		isOther := func(v *parse.VariableNode) bool { return !slices.Contains(declared, v.Ident[0]) }
		if p.IsAssign && slices.ContainsFunc(p.Decl, isOther) {
			return false
		}
	}
	if c, isCommand := n.(*parse.CommandNode); isCommand {
		word, isCall := c.Args[0].(*parse.IdentifierNode)
		switch {
		case !isCall:
		case word.Ident == "include" && !f.keeps[f.called(c)]:
			return false
		case f.template.Function(word.Ident).Mutates:
			own := f.in.own(f.template.Function(word.Ident), c.Args[1:])
			if own == "" || !slices.Contains(declared, own) {
				return false
			}
		}
	}
	all := true
	eachBelow(n, func(c parse.Node) { all = all && f.pipe(c, declared) })
	return all
}

// called returns the definition that a call of include names; nil for none.
func (f *asides) called(c *parse.CommandNode) *Definition {
	if len(c.Args) < 2 {
		return nil
	}
	name, isText := c.Args[1].(*parse.StringNode)
	if !isText {
		return nil
	}
	return f.template.Find(name.Text)
}

// printsNothing reports whether the text of a pipeline is always empty.
func (f *asides) printsNothing(p *parse.PipeNode) bool {
	last := p.Cmds[len(p.Cmds)-1]
	word, isCall := last.Args[0].(*parse.IdentifierNode)
	if !isCall {
		return false
	}
	switch f.template.Function(word.Ident).Unknown {
	case function.Includes:
		return f.silent[f.called(last)]
	case function.Reports, function.Remarks, function.Limits:
		return true
	}
	return false
}

// printing adds a definition to those that print, and what it calls in nodes that are not aside. It
// collects these nodes.
func (f *asides) printing(d *Definition, all map[*Definition]bool) {
	all[d] = true
	defer func(before *Definition) { f.in = before }(f.in)
	f.in = d
	var visit func(n parse.Node)
	visit = func(n parse.Node) {
		var called *Definition
		switch n := n.(type) {
		case *parse.ListNode:
			for _, c := range n.Nodes {
				a, isAction := c.(*parse.ActionNode)
				if isDeclaration := isAction && len(a.Pipe.Decl) > 0; !isDeclaration && f.node(c, nil, false) {
					f.found[c] = true
				} else {
					visit(c)
				}
			}
			return
		case *parse.TemplateNode:
			called = f.template.Find(n.Name)
		case *parse.CommandNode:
			if n.Args[0].String() == "include" {
				called = f.called(n)
			}
		}
		if called != nil && !all[called] {
			f.printing(called, all)
		}
		eachBelow(n, visit)
	}
	visit(d.Root)
}
