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

// Call is a call of a function, as a template has it.
type Call struct {
	Name   string
	Place  refconfig.Place
	Pipe   string // the pipeline that it is in
	Always bool   // every execution of the template comes to it
	Args   []Arg  // the last is the one that is piped to it, if there is one
}

// Arg is an argument of a call.
type Arg struct {
	Text  string
	Value any // of a literal; nil of what is computed
}

// Calls returns the calls of functions that an execution of the template may come to, sorted by
// place.
func (t *Template) Calls() (all []Call) {
	reached, _ := t.Called()
	for d := range reached {
		t.Visit(d, func(n parse.Node, always bool) {
			pipe, ok := n.(*parse.PipeNode)
			if !ok {
				return
			}
			for i, cmd := range pipe.Cmds {
				args := cmd.Args[1:]
				if i > 0 {
					args = append(slices.Clip(args), pipe.Cmds[i-1])
				}
				for _, word := range cmd.Args {
					if name, isName := word.(*parse.IdentifierNode); isName {
						all = append(all, Call{
							Name:   name.Ident,
							Place:  d.File.At(name.Pos),
							Pipe:   pipe.String(),
							Always: always && d == t.Body,
							Args:   words(args),
						})
					}
					args = nil // an argument that is a function takes none itself
				}
			}
		})
	}
	slices.SortFunc(all, func(a, b Call) int { return a.Place.Compare(b.Place) })
	return all
}

func words(args []parse.Node) (all []Arg) {
	for _, a := range args {
		value, _ := literal(a)
		all = append(all, Arg{a.String(), value})
	}
	return all
}
