package template

import (
	"strings"
	"text/template/parse"
)

// Action is an action of a definition, or a line of its text, as the template has it without what
// only indents.
type Action struct {
	Text   string
	At     string // file:line
	Calls  string // the function that it calls by itself, such as fail; if, with, range or template
	IsText bool
	States bool // the first argument of the call is a text
}

// Actions are the actions of a definition in their order, and the lines of its text on request.
func (t *Template) Actions(d *Definition, texts bool) (all []Action) {
	add := func(at parse.Node, a Action) {
		a.At = d.File.Place(at.Position()).String()
		all = append(all, a)
	}
	t.Visit(d, func(n parse.Node, _ bool) {
		if word, b := BranchOf(n); b != nil {
			add(b.Pipe, Action{Text: word + " " + b.Pipe.String(), Calls: word})
			return
		}
		switch n := n.(type) {
		case *parse.ActionNode:
			a := Action{Text: "{{" + Unindented(n.Pipe) + "}}"}
			call := n.Pipe.Cmds[0].Args
			if name, ok := call[0].(*parse.IdentifierNode); ok && len(n.Pipe.Decl) == 0 {
				a.Calls = name.Ident
				a.States = len(call) > 1 && call[1].Type() == parse.NodeString
			}
			add(n, a)
		case *parse.TemplateNode:
			add(n, Action{Text: n.String(), Calls: "template"})
		case *parse.TextNode:
			from := n.Pos
			for line := range strings.Lines(string(n.Text)) {
				if text := strings.TrimSpace(line); texts && text != "" && text[0] != '#' {
					all = append(all, Action{Text: text, At: d.File.Place(from).String()})
				}
				from += parse.Pos(len(line))
			}
		}
	})
	return all
}

// Unindented is a pipeline without what only indents, as the template has it.
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
