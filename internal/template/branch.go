package template

import (
	"maps"
	"slices"
	"strconv"
	"text/template/parse"

	"github.com/validationtool/validationtool/refconfig"
)

// Branch is a part of a template that an execution comes to or not: a definition, the body of a
// condition or loop, or what stands behind its else.
type Branch struct {
	At    refconfig.Place
	What  string          // in the words of the template: if .spec.x
	Body  *parse.ListNode // what is executed
	Inner []Branch        // the branches inside
}

// Reached are the lists of nodes that executions came to. Each belongs to one branch of a template.
type Reached map[*parse.ListNode]bool

// Add takes in what other executions came to.
func (r Reached) Add(more Reached) { maps.Copy(r, more) }

// Has reports whether an execution came to a branch.
func (r Reached) Has(b Branch) bool { return r[b.Body] }

// Branches returns the definitions that an execution of the template may reach as branches, its
// body first.
func (t *Template) Branches() []Branch {
	reached, _ := t.Called()
	all := []Branch{{At: t.Place(0), What: t.Body.Name, Body: t.Body.Root, Inner: t.Body.branches(t.Body.Root)}}
	for d := range reached {
		if d != t.Body {
			all = append(
				all,
				Branch{At: d.Place(), What: "define " + strconv.Quote(d.Name), Body: d.Root, Inner: d.branches(d.Root)},
			)
		}
	}
	slices.SortFunc(all[1:], func(a, b Branch) int { return a.At.Compare(b.At) })
	return all
}

// branches returns the outermost branches in a list of nodes.
func (d *Definition) branches(l *parse.ListNode) []Branch {
	var all []Branch
	for _, n := range l.Nodes {
		if word, b := BranchOf(n); b != nil {
			all = append(all, d.sides(word, b)...)
		}
	}
	return all
}

// sides returns both branches of a condition or loop, of which the second may not be there.
func (d *Definition) sides(word string, b *parse.BranchNode) []Branch {
	what := word + " " + b.Pipe.String()
	all := []Branch{{At: d.File.At(b.Pipe.Position()), What: what, Body: b.List, Inner: d.branches(b.List)}}
	if b.ElseList != nil {
		all = append(all, Branch{
			At:    d.File.At(b.ElseList.Position()),
			What:  "else of " + what,
			Body:  b.ElseList,
			Inner: d.branches(b.ElseList),
		})
	}
	return all
}
