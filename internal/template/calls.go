package template

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/refconfig"
)

// call is a call in a definition, either of a function or, by a template action, of a named
// template.
type call struct {
	function *function.Function // nil for a template action
	node     parse.Node
	pipe     *parse.PipeNode // the pipeline around the call; nil for a template action
	args     []parse.Node    // the last one may be a command that is piped to the function
	always   bool            // every execution of the definition reaches the call
	template string          // name of the called template; "" for none and for a computed name
	computed bool            // the name of the called template is computed
}

// callsIn returns the calls in a node, in the order of the text, and marks those that every
// execution of the node reaches. An execution may skip nodes in a condition or loop, and arguments
// of a lazy function.
func (s *Set) callsIn(n parse.Node) (all []call) {
	add := func(word parse.Node, c call) {
		name, ok := word.(*parse.IdentifierNode)
		if !ok {
			return
		}
		c.function, c.node = s.functions[name.Ident], word
		if name.Ident == "include" && len(c.args) > 0 {
			text, isText := c.args[0].(*parse.StringNode)
			if c.computed = !isText; isText {
				c.template = text.Text
			}
		}
		all = append(all, c)
	}
	var visit func(n parse.Node, always bool)
	visit = func(n parse.Node, always bool) {
		_, branch := BranchOf(n)
		below := always
		switch n := n.(type) {
		case *parse.TemplateNode:
			all = append(all, call{node: n, always: always, template: n.Name})
		case *parse.PipeNode:
			for i, cmd := range n.Cmds {
				args := cmd.Args[1:]
				if i > 0 {
					args = append(slices.Clip(args), n.Cmds[i-1])
				}
				add(cmd.Args[0], call{pipe: n, args: args, always: always})
				for _, word := range cmd.Args[1:] {
					add(word, call{pipe: n, always: always}) // a function that is an argument gets no arguments
				}
			}
		case *parse.CommandNode:
			name, ok := n.Args[0].(*parse.IdentifierNode)
			below = always && !(ok && s.functions[name.Ident].Lazy)
		case *parse.ChainNode:
			add(n.Node, call{always: always})
		}
		eachBelow(n, func(c parse.Node) { visit(c, below && (branch == nil || c == branch.Pipe)) })
	}
	visit(n, true)
	return all
}

// Assigns returns the variables that a branch assigns, and those whose map a function in the branch
// may change.
func (t *Template) Assigns(b *parse.BranchNode) (names []string) {
	for _, c := range t.set.callsIn(b) {
		if c.function == nil || !c.function.Mutates || len(c.args) == 0 {
			continue
		}
		if v, ok := c.args[0].(*parse.VariableNode); ok {
			names = append(names, v.Ident[0])
		}
	}
	return append(names, assigned(b)...)
}

// assigned returns the variables that a node declares or assigns.
func assigned(n parse.Node) (names []string) {
	if p, ok := n.(*parse.PipeNode); ok {
		for _, v := range p.Decl {
			names = append(names, v.Ident[0])
		}
	}
	eachBelow(n, func(c parse.Node) { names = append(names, assigned(c)...) })
	return names
}

// checkCalls returns a problem for each undefined template that every execution calls. A call in a
// condition may never be executed, so it only causes a warning. If it is executed, the object gets
// an error.
func (t *Template) checkCalls() []refconfig.Problem {
	var faults []refconfig.Problem
	reached := map[*Definition]bool{} // the value says whether the definition is always executed
	var follow func(d *Definition, always bool)
	follow = func(d *Definition, always bool) {
		if before, known := reached[d]; known && (before || !always) {
			return
		}
		reached[d] = always
		for _, c := range d.calls {
			always := always && c.always
			if called := t.Find(c.template); called != nil {
				follow(called, always)
			}
			if c.template == "" || t.Find(c.template) != nil {
				continue
			}
			p := d.File.Place(c.node.Position()).Problem(code.RefUndefined,
				"the template %q that is called here is not defined; is its file listed in templateFunctionFiles?",
				c.template)
			if always {
				faults = append(faults, p)
				continue
			}
			p.Message += " A CR for which this call is reached cannot be evaluated"
			t.set.warnings = append(t.set.warnings, p)
		}
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
		for _, c := range d.calls {
			if c.function == nil {
				continue
			}
			fault(c.node, code.RefArguments, c.function.CheckCount(len(c.args)))
			if !c.function.TakesExpression() || len(c.args) == 0 {
				continue
			}
			if text, ok := c.args[0].(*parse.StringNode); ok {
				_, err := regexp.Compile(text.Text)
				fault(text, code.RefRegexp, err)
			}
		}
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
	always := func(c call) bool { return c.always }
	reached, _ := t.Called()
	for d := range reached {
		for _, c := range d.calls {
			if to := t.Find(c.template); to != nil && c.always && t.reach(to, always)[d] {
				all = append(all, d.File.At(c.node.Position()).Problem(code.RefRecursion,
					"%q calls itself through this call without end; put the call inside a condition", d.Name))
			}
		}
	}
	return all
}

// reach returns a definition and those that it leads to through calls that follow accepts.
func (t *Template) reach(from *Definition, follow func(call) bool) map[*Definition]bool {
	reached := map[*Definition]bool{from: true}
	for queue := []*Definition{from}; len(queue) > 0; {
		d := queue[0]
		queue = queue[1:]
		for _, c := range d.calls {
			if called := t.Find(c.template); called != nil && !reached[called] && follow(c) {
				reached[called] = true
				queue = append(queue, called)
			}
		}
	}
	return reached
}

// Called returns the definitions that an execution of the template may reach, including its body.
// all is false if the name in a call is computed, because other definitions may be reached then.
func (t *Template) Called() (reached map[*Definition]bool, all bool) {
	reached = t.reach(t.Body, func(call) bool { return true })
	for d := range reached {
		if slices.ContainsFunc(d.calls, func(c call) bool { return c.computed }) {
			return reached, false
		}
	}
	return reached, true
}

// reachable returns the definitions that an execution of the template may reach, including those that
// a call with a computed name may refer to.
func (t *Template) reachable() []*Definition {
	reached, all := t.Called()
	if !all {
		return t.set.definitions(t)
	}
	return slices.Collect(maps.Keys(reached))
}

// callsMutator reports whether the template, or a template that it may call, calls a function that
// changes its argument.
func (t *Template) callsMutator() bool {
	return slices.ContainsFunc(t.reachable(), func(d *Definition) bool {
		return slices.ContainsFunc(d.calls, func(c call) bool { return c.function != nil && c.function.Mutates })
	})
}

// warnOfUnsteady warns of calls of functions whose result may differ from run to run.
func (s *Set) warnOfUnsteady(definitions []*Definition) {
	for _, d := range definitions {
		for _, c := range d.calls {
			if c.function == nil || c.function.Unsteady == "" {
				continue
			}
			s.warnings = append(s.warnings, d.File.Place(c.node.Position()).Problem(code.RefUnsteady,
				"the template calls %s, which %s; the result of a comparison may differ from run to run",
				c.function.Name, c.function.Unsteady))
		}
	}
}

// Fixed reports whether an input can only fill in values: the template has no conditions, no loops,
// and no action that may print several lines.
func (t *Template) Fixed() bool {
	isOpen := func(c call) bool { return c.function == nil || !c.function.OneLine }
	return len(t.Body.branches(t.Body.Root)) == 0 && !slices.ContainsFunc(t.Body.calls, isOpen)
}

// Call is a function call as written in a template.
type Call struct {
	Name   string
	Place  refconfig.Place
	Pipe   string // the pipeline that contains the call
	Always bool   // every execution of the template reaches the call
	Args   []Arg  // a value that is piped to the call is the last one
}

// Arg is an argument of a call.
type Arg struct {
	Text  string
	Value any // the value of a literal; nil if the argument is computed
}

// Calls returns the function calls that an execution of the template may reach, sorted by place.
func (t *Template) Calls() (all []Call) {
	reached, _ := t.Called()
	for d := range reached {
		for _, c := range d.calls {
			if c.pipe == nil {
				continue
			}
			one := Call{
				Name:   c.function.Name,
				Place:  d.File.At(c.node.Position()),
				Pipe:   c.pipe.String(),
				Always: c.always && d == t.Body,
			}
			for _, a := range c.args {
				value, _ := literal(a)
				one.Args = append(one.Args, Arg{Text: a.String(), Value: value})
			}
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b Call) int { return a.Place.Compare(b.Place) })
	return all
}

// literal returns the value of a literal; false for any other node.
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

// Lookups is the set of objects that templates may look up, by apiVersion and kind. Other objects
// of an input need not be kept for them.
type Lookups struct {
	kinds map[[2]string]bool
	any   bool
}

// Meets reports whether objects of an apiVersion and kind may be looked up.
func (l Lookups) Meets(apiVersion, kind string) bool {
	return l.any || l.kinds[[2]string{apiVersion, kind}]
}

// Lookups returns the objects that the templates of the set and the given template texts may look
// up. These are all objects if one of them computes the apiVersion or the kind.
func (s *Set) Lookups(texts ...string) Lookups {
	l := Lookups{kinds: map[[2]string]bool{}}
	all := s.definitions(s.templates...)
	for _, text := range texts {
		defs, _ := s.parse("text", newFile("text", []byte(text), 0)) // a text that does not parse looks up nothing
		all = append(all, defs...)
	}
	for _, d := range all {
		for _, c := range d.calls {
			if c.function == nil || !c.function.LooksUp {
				continue
			}
			var stated []string
			for _, a := range c.args[:min(len(c.args), 2)] {
				if text, ok := a.(*parse.StringNode); ok {
					stated = append(stated, text.Text)
				}
			}
			if len(stated) == 2 {
				l.kinds[[2]string{stated[0], stated[1]}] = true
			} else {
				l.any = true
			}
		}
	}
	return l
}

// Stated is a call of violation or note.
type Stated struct {
	Code    code.Code // "" if the code is computed
	Place   refconfig.Place
	written bool // the code is a literal of any type
	code    any  // value of that literal
	path    any  // value of a literal path; "" for no path and for a computed one
}

// stated returns the calls of violation and note in some definitions, sorted by place.
func stated(definitions []*Definition) (all []Stated) {
	for _, d := range definitions {
		for _, c := range d.calls {
			if c.function == nil || c.function.Name != "violation" && c.function.Name != "note" {
				continue
			}
			one := Stated{Place: d.File.Place(c.node.Position()), path: ""}
			if len(c.args) > 0 {
				one.code, one.written = literal(c.args[0])
			}
			one.Code, _ = one.code.(string)
			if len(c.args) == 3 {
				if path, ok := literal(c.args[1]); ok {
					one.path = path
				}
			}
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b Stated) int { return a.Place.Compare(b.Place) })
	return all
}

// checkStatements returns the problems of calls of violation and note with a literal code.
func checkStatements(definitions []*Definition) (faults []refconfig.Problem) {
	for _, one := range stated(definitions) {
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
func (s *Set) Stated() []Stated { return slices.Compact(stated(s.definitions(s.templates...))) }
