package template

import (
	"slices"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/refconfig"
)

// Stated is a call of violation or note.
type Stated struct {
	Code    code.Code // "" if it is computed
	Place   refconfig.Place
	written bool // the code is a literal of any type
	code    any
	path    any // "" if there is none, or it is computed
}

// withPath is the number of words of a call that has a path.
const withPath = 4

// stated returns the calls of violation and note in some definitions, sorted by place.
func (s *Set) stated(definitions []*Definition) (all []Stated) {
	for _, d := range definitions {
		s.walk(d.Root, true, func(n parse.Node, _ bool) {
			call, ok := n.(*parse.CommandNode)
			if !ok {
				return
			}
			name, ok := call.Args[0].(*parse.IdentifierNode)
			if !ok || name.Ident != "violation" && name.Ident != "note" {
				return
			}
			one := Stated{Place: d.File.Place(name.Pos), path: ""}
			one.code, one.written = literalArgument(call, 1)
			one.Code, _ = one.code.(string)
			if path, ok := literalArgument(call, 2); ok && len(call.Args) == withPath {
				one.path = path
			}
			all = append(all, one)
		})
	}
	slices.SortStableFunc(all, func(a, b Stated) int { return a.Place.Compare(b.Place) })
	return all
}

// literalArgument returns the literal value of an argument; false if the argument is missing or
// computed.
func literalArgument(call *parse.CommandNode, i int) (any, bool) {
	if i >= len(call.Args) {
		return nil, false
	}
	return literal(call.Args[i])
}

// literal returns the value of a literal; false for what is computed.
func literal(n parse.Node) (any, bool) {
	switch n := n.(type) {
	case *parse.CommandNode:
		if len(n.Args) == 1 {
			return literal(n.Args[0])
		}
	case *parse.StringNode:
		return n.Text, true
	case *parse.BoolNode:
		return n.True, true
	case *parse.NumberNode:
		return n.Float64, true
	case *parse.NilNode:
		return nil, true
	}
	return nil, false
}

// checkStatements returns the problems of calls of violation and note with a literal code.
func (s *Set) checkStatements(definitions []*Definition) (faults []refconfig.Problem) {
	for _, one := range s.stated(definitions) {
		if !one.written {
			continue
		}
		if _, err := function.NewStatement([]any{one.code, one.path, ""}); err != nil {
			faults = append(faults, refconfig.Problem{Code: code.RefStatement, Place: one.Place, Message: err.Error()})
		}
	}
	return faults
}

// Stated returns the calls of violation and note in the templates and function files of the set,
// sorted by place, without duplicates.
func (s *Set) Stated() []Stated {
	return slices.Compact(s.stated(s.definitions(s.templates...)))
}
