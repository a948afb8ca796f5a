package template

import (
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/refconfig"
)

// At returns the file, line and column of an offset.
func (f *File) At(pos parse.Pos) refconfig.Place {
	at := f.Place(pos)
	at.Column = int(pos) - f.lines[at.Line-f.before-1] + 1
	return at
}

// Visit calls visit for every node of a definition; see Set.walk.
func (t *Template) Visit(d *Definition, visit func(n parse.Node, always bool)) {
	t.set.walk(d.Root, true, visit)
}

// BranchOf returns the keyword and the branches of a condition or loop; nil for any other node.
func BranchOf(n parse.Node) (word string, branches *parse.BranchNode) {
	switch n := n.(type) {
	case *parse.IfNode:
		return "if", &n.BranchNode
	case *parse.WithNode:
		return "with", &n.BranchNode
	case *parse.RangeNode:
		return "range", &n.BranchNode
	case *parse.BranchNode: // the struct embedded in the three others
		return "", n
	}
	return "", nil
}

// EachBelow calls visit for the direct children of a node, in the order of the text.
func EachBelow(n parse.Node, visit func(parse.Node)) {
	if _, b := BranchOf(n); b != nil {
		visit(b.Pipe)
		visit(b.List)
		if b.ElseList != nil {
			visit(b.ElseList)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, c := range n.Nodes {
			visit(c)
		}
	case *parse.ActionNode:
		visit(n.Pipe)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			visit(n.Pipe)
		}
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			visit(c)
		}
	case *parse.CommandNode:
		for _, a := range n.Args {
			visit(a)
		}
	case *parse.ChainNode:
		visit(n.Node)
	}
}

// Called returns the definitions that an execution of the template may reach, including its body.
// all is false if the template computes a name, so that others may be reached too.
func (t *Template) Called() (reached map[*Definition]bool, all bool) {
	reached, all = map[*Definition]bool{t.Body: true}, true
	for queue := []*Definition{t.Body}; len(queue) > 0; {
		d := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		t.Visit(d, func(n parse.Node, _ bool) {
			name, known := templateCalled(n)
			if called := t.Find(name); known && called != nil && !reached[called] {
				reached[called] = true
				queue = append(queue, called)
			}
			if call, ok := n.(*parse.CommandNode); ok && isInclude(call) && !known {
				all = false
			}
		})
	}
	return reached, all
}

// Own returns the definitions in the template's own file, sorted by name.
func (t *Template) Own() []*Definition {
	own := t.definitions()[1:]
	slices.SortFunc(own, func(a, b *Definition) int { return strings.Compare(a.Name, b.Name) })
	return own
}

// Replaced returns pairs of definitions of function files that have the same name: the unused one,
// and the one used instead.
func (s *Set) Replaced() [][2]*Definition { return s.replaced }

// These bytes replace actions in an outline.
const (
	Printed = '\x01' // an action that prints
	Acted   = '\x02' // a condition or loop, or an action that sets a variable
)

// Outline is the literal text of a template's body at its offsets in the file. Each action is
// replaced by one byte, Printed or Acted, and blanks.
type Outline struct {
	Text    []byte
	Branch  []*parse.ListNode               // innermost list of nodes of each byte; nil outside of text
	Actions map[parse.Pos]*parse.ActionNode // by the offset of Printed
}

// Outline returns the outline of the template's body.
func (t *Template) Outline() Outline {
	o := Outline{Text: t.set.outline(t.Body), Actions: map[parse.Pos]*parse.ActionNode{}}
	o.Branch = make([]*parse.ListNode, len(o.Text))
	mark := func(n parse.Node, by byte) { o.Text[n.Position()] = by }
	t.Visit(t.Body, func(n parse.Node, _ bool) {
		switch n := n.(type) {
		case *parse.ListNode:
			for _, c := range n.Nodes {
				if text, ok := c.(*parse.TextNode); ok {
					for i := range text.Text {
						o.Branch[int(text.Pos)+i] = n
					}
				}
			}
		case *parse.ActionNode:
			if len(n.Pipe.Decl) > 0 {
				mark(n, Acted)
				return
			}
			mark(n, Printed)
			o.Actions[n.Pos] = n
		case *parse.TemplateNode:
			mark(n, Printed)
		case *parse.IfNode, *parse.WithNode, *parse.RangeNode:
			mark(n, Acted)
		}
	})
	return o
}

// Place returns the file, line and column of an offset of the template's body.
func (t *Template) Place(offset int) refconfig.Place { return t.Body.File.At(parse.Pos(offset)) }
