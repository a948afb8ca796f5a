package template

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/refconfig"
)

// walk calls visit for a node and every node below it. always is passed on as true for nodes that
// are evaluated whenever the first node is. Nodes in a condition or loop are not, nor are arguments
// of a function that may skip some.
func (s *Set) walk(n parse.Node, always bool, visit func(n parse.Node, always bool)) {
	visit(n, always)
	_, branch := BranchOf(n)
	if call, ok := n.(*parse.CommandNode); ok {
		f := s.called(call.Args[0])
		always = always && (f == nil || !f.Lazy)
	}
	EachBelow(n, func(c parse.Node) { s.walk(c, always && (branch == nil || c == branch.Pipe), visit) })
}

// Assigns returns the variables that a branch assigns, and those whose map a function in the branch
// may change.
func (t *Template) Assigns(b *parse.BranchNode) []string {
	var names []string
	t.set.walk(b, true, func(n parse.Node, _ bool) {
		switch n := n.(type) {
		case *parse.PipeNode:
			for _, v := range n.Decl {
				names = append(names, v.Ident[0])
			}
		case *parse.CommandNode:
			if f := t.set.called(n.Args[0]); f == nil || !f.Mutates || len(n.Args) < 2 {
				return
			}
			if v, ok := n.Args[1].(*parse.VariableNode); ok {
				names = append(names, v.Ident[0])
			}
		}
	})
	return names
}

// called returns the function that a node names, or nil.
func (s *Set) called(n parse.Node) *function.Function {
	if name, ok := n.(*parse.IdentifierNode); ok {
		return s.functions[name.Ident]
	}
	return nil
}

// checkCalls returns a problem for each undefined template that every execution calls. A call in a
// condition may never be executed, so it only causes a warning; if it is executed, it is an error
// of that object.
func (t *Template) checkCalls() []refconfig.Problem {
	var faults []refconfig.Problem
	reached := map[*Definition]bool{} // the value says whether the definition is always executed
	var follow func(d *Definition, always bool)
	follow = func(d *Definition, always bool) {
		if before, known := reached[d]; known && (before || !always) {
			return
		}
		reached[d] = always
		t.set.walk(d.Root, always, func(n parse.Node, always bool) {
			name, ok := templateCalled(n)
			if !ok {
				return
			}
			if called := t.Find(name); called != nil {
				follow(called, always)
				return
			}
			p := refconfig.Problem{Code: code.RefUndefined, Place: d.File.Place(n.Position()), Message: fmt.Sprintf(
				"the template %q that is called here is not defined; is its file listed in templateFunctionFiles?",
				name,
			)}
			if always {
				faults = append(faults, p)
				return
			}
			p.Message += " A CR for which this is reached cannot be evaluated"
			t.set.warnings = append(t.set.warnings, p)
		})
	}
	follow(t.Body, true)
	return faults
}

// Faults returns the problems with the calls in all branches of the templates and function files,
// without duplicates and sorted by place: a wrong number of arguments, literal regular expressions
// that do not compile, and definitions that call themselves unconditionally.
func (s *Set) Faults() (all []refconfig.Problem) {
	for _, d := range s.definitions(s.templates...) {
		fault := func(n parse.Node, c code.Code, err error) {
			if err != nil {
				all = append(all, refconfig.Problem{Code: c, Place: d.File.At(n.Position()), Message: err.Error()})
			}
		}
		s.walk(d.Root, true, func(n parse.Node, _ bool) {
			switch n := n.(type) {
			case *parse.PipeNode:
				for i, c := range n.Cmds {
					if f := s.called(c.Args[0]); f != nil {
						piped := min(i, 1)
						fault(c.Args[0], code.RefArguments, f.CheckCount(len(c.Args)-1+piped))
					}
				}
			case *parse.CommandNode:
				for _, a := range n.Args[1:] {
					if f := s.called(a); f != nil {
						fault(a, code.RefArguments, f.CheckCount(0))
					}
				}
				if f := s.called(n.Args[0]); f != nil && f.TakesExpression() && len(n.Args) > 1 {
					if text, ok := n.Args[1].(*parse.StringNode); ok {
						_, err := regexp.Compile(text.Text)
						fault(text, code.RefRegexp, err)
					}
				}
			}
		})
	}
	for _, t := range s.templates {
		all = append(all, t.recursions()...)
	}
	slices.SortFunc(all, func(a, b refconfig.Problem) int {
		return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(all)
}

// recursions returns a problem for each unconditional call that leads back to its own definition.
func (t *Template) recursions() (all []refconfig.Problem) {
	calls := map[*Definition][]*Definition{} // unconditional calls only
	places := map[[2]*Definition]refconfig.Place{}
	reached, _ := t.Called()
	for d := range reached {
		t.Visit(d, func(n parse.Node, always bool) {
			name, ok := templateCalled(n)
			if to := t.Find(name); ok && always && to != nil {
				calls[d] = append(calls[d], to)
				places[[2]*Definition{d, to}] = d.File.At(n.Position())
			}
		})
	}
	for pair, place := range places {
		seen := map[*Definition]bool{}
		for queue := []*Definition{pair[1]}; len(queue) > 0 && !seen[pair[0]]; {
			d := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			if !seen[d] {
				seen[d] = true
				queue = append(queue, calls[d]...)
			}
		}
		if seen[pair[0]] {
			all = append(all, place.Problem(code.RefRecursion,
				"%q calls itself by this call without end; put the call inside a condition", pair[0].Name))
		}
	}
	return all
}

// templateCalled returns the name of the template that a node calls, if the name is a literal.
func templateCalled(n parse.Node) (string, bool) {
	switch n := n.(type) {
	case *parse.TemplateNode:
		return n.Name, true
	case *parse.CommandNode:
		if isInclude(n) && len(n.Args) > 1 {
			name, ok := n.Args[1].(*parse.StringNode)
			if ok {
				return name.Text, true
			}
		}
	}
	return "", false
}

func isInclude(n *parse.CommandNode) bool {
	f, ok := n.Args[0].(*parse.IdentifierNode)
	return ok && f.Ident == "include"
}

// callsMutator reports whether the template, or a template that it may call, calls a function that
// changes its argument.
func (t *Template) callsMutator() bool {
	found := false
	reached, all := t.Called()
	if !all { // a computed name may be any definition
		for _, d := range t.set.definitions(t) {
			reached[d] = true
		}
	}
	for d := range reached {
		t.set.walk(d.Root, true, func(n parse.Node, _ bool) {
			f := t.set.called(n)
			found = found || f != nil && f.Mutates
		})
	}
	return found
}

// warnOfUnsteady warns of calls of functions whose result may differ from run to run.
func (s *Set) warnOfUnsteady(definitions []*Definition) {
	for _, d := range definitions {
		s.walk(d.Root, true, func(n parse.Node, _ bool) {
			if f := s.called(n); f != nil && f.Unsteady != "" {
				s.warnings = append(
					s.warnings,
					refconfig.Problem{Code: code.RefUnsteady, Place: d.File.Place(n.Position()), Message: fmt.Sprintf(
						"the template calls %s, which %s; the result of a comparison may differ from run to run",
						f.Name,
						f.Unsteady,
					)},
				)
			}
		})
	}
}

// Fixed reports whether an input can only fill in values: the template has no conditions, no loops,
// and no action that may print several lines.
func (t *Template) Fixed() bool {
	fixed := true
	t.set.walk(t.Body.Root, true, func(n parse.Node, _ bool) {
		switch n := n.(type) {
		case *parse.IfNode, *parse.WithNode, *parse.RangeNode, *parse.TemplateNode:
			fixed = false
		case *parse.IdentifierNode:
			fixed = fixed && t.set.called(n).OneLine
		}
	})
	return fixed
}
