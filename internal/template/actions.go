package template

import (
	"slices"
	"strings"
	"text/template/parse"
)

// Action is an action of a template as written, but without functions that only indent, or a line
// of literal text.
type Action struct {
	Text   string
	At     string // file:line
	Calls  string // the keyword, such as if or template, or the first function that it calls, such as fail
	States bool   // the first argument of the call is a string literal
}

// Actions returns the actions of a definition in the order of the text. If texts is true, they
// include the lines of literal text, without comments.
func (d *Definition) Actions(texts bool) (all []Action) {
	add := func(at parse.Pos, a Action) {
		a.At = d.File.Place(at).String()
		all = append(all, a)
	}
	var visit func(n parse.Node)
	visit = func(n parse.Node) {
		if word, b := BranchOf(n); b != nil {
			add(b.Pipe.Position(), Action{Text: word + " " + b.Pipe.String(), Calls: word})
		}
		switch n := n.(type) {
		case *parse.ActionNode:
			a, call := Action{Text: "{{" + Unindented(n.Pipe) + "}}"}, n.Pipe.Cmds[0].Args
			if name, ok := call[0].(*parse.IdentifierNode); ok && len(n.Pipe.Decl) == 0 {
				a.Calls = name.Ident
				a.States = len(call) > 1 && call[1].Type() == parse.NodeString
			}
			add(n.Pos, a)
		case *parse.TemplateNode:
			add(n.Pos, Action{Text: n.String(), Calls: "template"})
		case *parse.TextNode:
			at := n.Pos
			for line := range strings.Lines(string(n.Text)) {
				if text := strings.TrimSpace(line); texts && text != "" && text[0] != '#' {
					add(at, Action{Text: text})
				}
				at += parse.Pos(len(line))
			}
		}
		eachBelow(n, visit)
	}
	visit(d.Root)
	return all
}

// Named returns the names of the templates that an execution may call, sorted.
func (t *Template) Named() (all []string) {
	for _, d := range t.reachable() {
		if d != t.Body {
			all = append(all, d.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// OfArgument returns the comment right above the first line of the definition that reads a key of its
// argument; "" for none.
func (d *Definition) OfArgument(key string) (comment string) {
	var visit func(n parse.Node)
	visit = func(n parse.Node) {
		reads := false
		switch n := n.(type) {
		case *parse.FieldNode:
			reads = n.Ident[0] == key
		case *parse.VariableNode:
			reads = len(n.Ident) > 1 && n.Ident[0] == "$" && n.Ident[1] == key
		case *parse.CommandNode:
			if len(n.Args) == 3 && (n.Args[0].String() == "index" || n.Args[0].String() == "get") {
				text, isText := n.Args[2].(*parse.StringNode)
				reads = isText && text.Text == key
			}
		}
		if reads && comment == "" {
			comment = d.File.Above(n.Position())
		}
		eachBelow(n, visit)
	}
	visit(d.Root)
	return comment
}

// Reads returns the keys and the indices that the definition reads of its argument, and the largest index
// that every execution reads. all is false if it may read others.
func (d *Definition) Reads() (keys []string, most int, all bool) {
	r := &argument{all: true, most: -1}
	r.node(d.Root, true, true)
	return r.keys, r.most, r.all
}

// argument finds what a definition reads of its argument.
type argument struct {
	keys []string
	most int
	all  bool
}

// node visits a node. isDot says that the dot is the argument, and always that every execution reaches the
// node.
func (r *argument) node(n parse.Node, isDot, always bool) {
	if word, b := BranchOf(n); b != nil {
		r.node(b.Pipe, isDot, always)
		r.node(b.List, isDot && word == "if", false)
		if b.ElseList != nil {
			r.node(b.ElseList, isDot, false)
		}
		return
	}
	isWhole := func(n parse.Node) bool {
		v, isVariable := n.(*parse.VariableNode)
		return isDot && n.Type() == parse.NodeDot || isVariable && len(v.Ident) == 1 && v.Ident[0] == "$"
	}
	switch n := n.(type) {
	case *parse.FieldNode:
		if isDot {
			r.keys = append(r.keys, n.Ident[0])
		}
	case *parse.VariableNode:
		if n.Ident[0] == "$" && len(n.Ident) > 1 {
			r.keys = append(r.keys, n.Ident[1])
		}
	case *parse.CommandNode:
		word, below := n.Args[0].String(), n.Args
		if len(n.Args) > 2 && isWhole(n.Args[1]) && slices.Contains([]string{"index", "get", "hasKey"}, word) {
			switch key := n.Args[2].(type) {
			case *parse.StringNode:
				r.keys = append(r.keys, key.Text)
				below = n.Args[3:]
			case *parse.NumberNode:
				below = n.Args[3:]
				if always {
					r.most = max(r.most, int(key.Int64))
				}
			}
		} else if len(n.Args) == 2 && word == "len" && isWhole(n.Args[1]) {
			return
		}
		for _, a := range below {
			r.all = r.all && !isWhole(a)
			r.node(a, isDot, always && !slices.Contains([]string{"and", "or"}, word))
		}
		return
	}
	eachBelow(n, func(c parse.Node) { r.node(c, isDot, always) })
}

// Unindented returns the text of a pipeline without a function that only indents.
func Unindented(p *parse.PipeNode) string {
	last := p.Cmds[len(p.Cmds)-1]
	name, ok := last.Args[0].(*parse.IdentifierNode)
	if !ok || len(p.Cmds) == 1 || name.Ident != "indent" && name.Ident != "nindent" {
		return p.String()
	}
	short := *p
	short.Cmds = p.Cmds[:len(p.Cmds)-1]
	return short.String()
}
