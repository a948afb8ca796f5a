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
