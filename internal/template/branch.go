package template

import (
	"maps"
	"slices"
	"strconv"
	"text/template/parse"

	"github.com/validationtool/validationtool/refconfig"
)

// Branch is a part of a template that an execution may or may not reach: a definition, the body of
// a condition or loop, or its else part.
type Branch struct {
	At    refconfig.Place
	What  string          // the condition as written, such as "if .spec.x"
	Body  *parse.ListNode // the nodes that are executed
	Inner []Branch        // nested branches
}

// Reached is the set of node lists that executions reached. Each list belongs to one branch.
type Reached map[*parse.ListNode]bool

// Add adds the node lists that other executions reached.
func (r Reached) Add(more Reached) { maps.Copy(r, more) }

// Has reports whether an execution reached the branch.
func (r Reached) Has(b Branch) bool { return r[b.Body] }

// Branches returns the definitions that an execution of the template may reach, each as a branch,
// the body first.
func (t *Template) Branches() []Branch {
	reached, _ := t.Called()
	return t.branchesOf(reached, nil)
}

// branchesOf returns the body and some definitions, each as a branch, without the nodes that are aside.
func (t *Template) branchesOf(some map[*Definition]bool, aside Aside) []Branch {
	inner := func(d *Definition) []Branch { return d.branches(d.Root, aside) }
	all := []Branch{{At: t.Body.File.At(0), What: t.Body.Name, Body: t.Body.Root, Inner: inner(t.Body)}}
	for d := range some {
		if d != t.Body {
			what := "define " + strconv.Quote(d.Name)
			all = append(all, Branch{At: d.Place(), What: what, Body: d.Root, Inner: inner(d)})
		}
	}
	slices.SortFunc(all[1:], func(a, b Branch) int { return a.At.Compare(b.At) })
	return all
}

// branches returns the outermost branches of a list of nodes that are not aside.
func (d *Definition) branches(l *parse.ListNode, aside Aside) []Branch {
	var all []Branch
	for _, n := range l.Nodes {
		if word, b := BranchOf(n); b != nil && !aside[n] {
			all = append(all, d.bodies(word, b, aside)...)
		}
	}
	return all
}

// bodies returns the body of a condition or loop, and its else part if it has one.
func (d *Definition) bodies(word string, b *parse.BranchNode, aside Aside) []Branch {
	what := word + " " + b.Pipe.String()
	all := []Branch{{At: d.File.At(b.Pipe.Position()), What: what, Body: b.List, Inner: d.branches(b.List, aside)}}
	if b.ElseList != nil {
		all = append(all, Branch{
			At:    d.File.At(b.ElseList.Position()),
			What:  "else of " + what,
			Body:  b.ElseList,
			Inner: d.branches(b.ElseList, aside),
		})
	}
	return all
}

// BranchOf returns the keyword and the branches of a condition or loop; nil branches for any other
// node.
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

// eachBelow calls visit for the direct children of a node, in the order of the text.
func eachBelow(n parse.Node, visit func(parse.Node)) {
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
