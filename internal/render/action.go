package render

import (
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template"
)

// Action is an action that a probe executed, as written in the template but without functions that
// only indent, or a line of text that the probe printed.
type Action struct {
	Text   string
	At     string // file:line
	Calls  string // the keyword, such as if or template, or the first function that it calls, such as fail
	States bool   // the first argument of the call is a string literal
}

// executed is a node of a template that a probe executed.
type executed struct {
	node parse.Node
	file *template.File
	in   string // the named template that contains the node; "" for the body
}

// executes records a node, once for each template that contains it.
func (p *probe) executes(x *exec, n parse.Node) {
	if p.gone != nil {
		return
	}
	e := executed{node: n, file: x.file}
	if len(p.via) > 0 {
		e.in = p.via[len(p.via)-1]
	}
	if !p.known[e] {
		p.known[e] = true
		p.executed = append(p.executed, e)
	}
}

// Actions returns the executed actions of a named template, or of the body for "", in the order of
// the text. If texts is true, they include the lines of literal text.
func (p *Probed) Actions(name string, texts bool) (all []Action) {
	nodes := slices.DeleteFunc(slices.Clone(p.executed), func(e executed) bool { return e.in != name })
	slices.SortStableFunc(nodes, func(a, b executed) int { return int(a.node.Position() - b.node.Position()) })
	for _, e := range nodes {
		a := Action{At: e.file.Place(e.node.Position()).String()}
		if word, b := template.BranchOf(e.node); b != nil {
			a.At = e.file.Place(b.Pipe.Position()).String()
			a.Text, a.Calls = word+" "+b.Pipe.String(), word
		}
		switch n := e.node.(type) {
		case *parse.ActionNode:
			a.Text = "{{" + unindented(n.Pipe) + "}}"
			call := n.Pipe.Cmds[0].Args
			if name, ok := call[0].(*parse.IdentifierNode); ok && len(n.Pipe.Decl) == 0 {
				a.Calls = name.Ident
				a.States = len(call) > 1 && call[1].Type() == parse.NodeString
			}
		case *parse.TemplateNode:
			a.Text, a.Calls = n.String(), "template"
		case *parse.TextNode:
			at := n.Pos
			for line := range strings.Lines(string(n.Text)) {
				if text := strings.TrimSpace(line); texts && text != "" && text[0] != '#' {
					all = append(all, Action{Text: text, At: e.file.Place(at).String()})
				}
				at += parse.Pos(len(line))
			}
		}
		if a.Text != "" {
			all = append(all, a)
		}
	}
	return all
}

// Named returns the names of the templates that were executed, sorted.
func (p *Probed) Named() (all []string) {
	for _, e := range p.executed {
		if e.in != "" {
			all = append(all, e.in)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// unindented returns the text of a pipeline without a function that only indents.
func unindented(p *parse.PipeNode) string {
	last := p.Cmds[len(p.Cmds)-1]
	name, ok := last.Args[0].(*parse.IdentifierNode)
	if !ok || len(p.Cmds) == 1 || name.Ident != "indent" && name.Ident != "nindent" {
		return p.String()
	}
	short := *p
	short.Cmds = p.Cmds[:len(p.Cmds)-1]
	return short.String()
}
