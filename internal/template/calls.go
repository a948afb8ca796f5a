package template

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/refconfig"
)

// Call is a call in a definition, either of a function or, by a template action, of a named template.
type Call struct {
	Function *function.Function // nil for a template action
	Place    refconfig.Place
	Pipe     *parse.PipeNode // the pipeline around the call; nil for a template action
	Args     []parse.Node    // the last one may be a command that is piped to the function
	Always   bool            // every execution of the definition reaches the call
	template string          // name of the called template; "" for none and for a computed name
	computed bool            // the name of the called template is computed
	set      *Set
}

// Is reports whether the call is one of a function with one of these names.
func (c Call) Is(names ...string) bool {
	return c.Function != nil && slices.Contains(names, c.Function.Name)
}

// Problem returns a problem on the line of the call.
func (c Call) Problem(of code.Code, format string, args ...any) refconfig.Problem {
	p := refconfig.Place{File: c.Place.File, Line: c.Place.Line}.Problem(of, format, args...)
	if p.Word == "" && c.Function != nil {
		p.Word = c.Function.Name
	}
	return p
}

// callsIn returns the calls in a node of a file, in the order of the text, and marks those that
// every execution of the node reaches. An execution may skip nodes in a condition or loop, and
// arguments of a lazy function.
func (s *Set) callsIn(n parse.Node, file *File) (all []Call) {
	add := func(word parse.Node, c Call) {
		name, ok := word.(*parse.IdentifierNode)
		if !ok {
			return
		}
		c.Function, c.Place, c.set = s.functions[name.Ident], file.At(word.Position()), s
		if name.Ident == "include" && len(c.Args) > 0 {
			text, isText := c.Args[0].(*parse.StringNode)
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
			all = append(all, Call{Place: file.At(n.Pos), Always: always, template: n.Name})
		case *parse.PipeNode:
			for i, cmd := range n.Cmds {
				args := cmd.Args[1:]
				if i > 0 {
					args = append(slices.Clip(args), n.Cmds[i-1])
				}
				add(cmd.Args[0], Call{Pipe: n, Args: args, Always: always})
				for _, word := range cmd.Args[1:] {
					add(word, Call{Pipe: n, Always: always}) // a function that is an argument gets no arguments
				}
			}
		case *parse.CommandNode:
			name, ok := n.Args[0].(*parse.IdentifierNode)
			below = always && !(ok && s.functions[name.Ident].Lazy)
		case *parse.ChainNode:
			add(n.Node, Call{Always: always})
		}
		eachBelow(n, func(c parse.Node) { visit(c, below && (branch == nil || c == branch.Pipe)) })
	}
	visit(n, true)
	return all
}

// Assigns returns the variables that a branch assigns, and those whose map a function in the branch
// may change.
func (t *Template) Assigns(b *parse.BranchNode) (names []string) {
	for _, c := range t.set.callsIn(b, t.Body.File) {
		if c.Function == nil || !c.Function.Mutates || len(c.Args) == 0 {
			continue
		}
		if v, ok := c.Args[0].(*parse.VariableNode); ok {
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
	always := t.reach(t.Body, func(c Call) bool { return c.Always })
	reached, _ := t.Called()
	for d := range reached {
		for _, c := range d.calls {
			if c.template == "" || t.Find(c.template) != nil {
				continue
			}
			p := c.Problem(code.RefUndefined,
				"the template %q that is called here is not defined; is its file listed in templateFunctionFiles?%s",
				c.template, code.Meant{Word: c.template, Instead: code.Nearest(c.template, t.names())})
			if c.Always && always[d] {
				faults = append(faults, p)
				continue
			}
			p.Message += " A CR for which this call is reached cannot be evaluated"
			t.set.warnings = append(t.set.warnings, p)
		}
	}
	return sorted(faults)
}

// names returns the names of the definitions that the template can call, sorted.
func (t *Template) names() []string {
	named := maps.Clone(t.set.shared)
	maps.Copy(named, t.own)
	return slices.Sorted(maps.Keys(named))
}

// sorted sorts problems by place and message, and removes duplicates.
func sorted(all []refconfig.Problem) []refconfig.Problem {
	slices.SortFunc(all, func(a, b refconfig.Problem) int {
		return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(all)
}

// Faults returns the problems with the calls in all branches of the templates and function files,
// without duplicates and sorted by place: a wrong number of arguments, literal regular expressions
// that do not compile, and definitions that call themselves unconditionally.
func (s *Set) Faults() (all []refconfig.Problem) {
	for _, d := range s.definitions(s.templates...) {
		for _, c := range d.calls {
			if c.Function == nil {
				continue
			}
			if err := c.Function.CheckCount(len(c.Args)); err != nil {
				all = append(all, c.Place.Problem(code.RefArguments, "%s", err))
			}
			if !c.Function.TakesExpression() || len(c.Args) == 0 {
				continue
			}
			if text, ok := c.Args[0].(*parse.StringNode); ok {
				if _, err := regexp.Compile(text.Text); err != nil {
					all = append(all, d.File.At(text.Pos).Problem(code.RefRegexp, "%s", err))
				}
			}
		}
	}
	for _, t := range s.templates {
		all = append(all, t.recursions()...)
	}
	return sorted(all)
}

// recursions returns a problem for each unconditional call that leads back to its own definition.
func (t *Template) recursions() (all []refconfig.Problem) {
	always := func(c Call) bool { return c.Always }
	reached, _ := t.Called()
	for d := range reached {
		for _, c := range d.calls {
			if to := t.Find(c.template); to != nil && c.Always && t.reach(to, always)[d] {
				all = append(all, c.Place.Problem(code.RefRecursion,
					"%q calls itself through this call without end; put the call inside a condition", d.Name))
			}
		}
	}
	return all
}

// reach returns a definition and those that it leads to through calls that follow accepts.
func (t *Template) reach(from *Definition, follow func(Call) bool) map[*Definition]bool {
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
	reached = t.reach(t.Body, func(Call) bool { return true })
	for d := range reached {
		if slices.ContainsFunc(d.calls, func(c Call) bool { return c.computed }) {
			return reached, false
		}
	}
	return reached, true
}

// WholeCalls returns the template actions at the top level of the template that call a definition of a
// function file with the whole CR, each with this definition as a template of its own. They are those that
// can reach no other definitions than the ones of function files, whichever template calls them.
func (t *Template) WholeCalls() map[parse.Node]*Template {
	all := map[parse.Node]*Template{}
	for _, n := range t.Body.Root.Nodes {
		call, isCall := n.(*parse.TemplateNode)
		if !isCall || call.Pipe == nil || len(call.Pipe.Decl) > 0 || call.Pipe.String() != "." {
			continue
		}
		if d := t.Find(call.Name); d != nil && t.isShared(d) {
			all[n] = &Template{Body: d, set: t.set}
		}
	}
	return all
}

// isShared reports whether a definition and all that it can reach are in function files.
func (t *Template) isShared(d *Definition) bool {
	for one := range t.reach(d, func(Call) bool { return true }) {
		if one != t.set.shared[one.Name] || slices.ContainsFunc(one.calls, func(c Call) bool { return c.computed }) {
			return false
		}
	}
	return true
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

// IsLike reports whether another template and all that it may call are the same but for comments, blanks in
// actions, and places.
func (t *Template) IsLike(other *Template) bool {
	return slices.Equal(t.said(), other.said())
}

// said returns what a template and the definitions say that an execution may reach, sorted.
func (t *Template) said() (all []string) {
	for _, d := range t.reachable() {
		name := "shared " + d.Name
		switch d {
		case t.Body:
			name = ""
		case t.own[d.Name]:
			name = "own " + d.Name
		}
		all = append(all, name+"\x00"+d.Root.String())
	}
	slices.Sort(all)
	return all
}

// callsMutator reports whether the template, or a template that it may call, calls a function that
// changes its argument.
func (t *Template) callsMutator() bool {
	return slices.ContainsFunc(t.reachable(), func(d *Definition) bool {
		return slices.ContainsFunc(d.calls, func(c Call) bool { return c.Function != nil && c.Function.Mutates })
	})
}

// warnOfUnsteady warns of calls of functions whose result may differ from run to run.
func (s *Set) warnOfUnsteady(definitions []*Definition) {
	for _, d := range definitions {
		for _, c := range d.calls {
			if c.Function != nil && c.Function.Unsteady != "" {
				s.warnings = append(s.warnings, c.Problem(code.RefUnsteady,
					"the template calls %s, which %s; the result of a comparison may differ from run to run",
					c.Function.Name, c.Function.Unsteady))
			}
		}
	}
}

// Fixed reports whether an input can only fill in values: the template has no conditions, no loops,
// and no action that may print several lines.
func (t *Template) Fixed() bool {
	isOpen := func(c Call) bool { return c.Function == nil || !c.Function.OneLine }
	return len(t.Body.branches(t.Body.Root, nil)) == 0 && !slices.ContainsFunc(t.Body.calls, isOpen)
}

// Calls returns the function calls that an execution of the template may reach, sorted by place.
// Always is true for those that every execution reaches directly in the body.
func (t *Template) Calls() (all []Call) {
	reached, _ := t.Called()
	for d := range reached {
		for _, c := range d.calls {
			if c.Always = c.Always && d == t.Body; c.Pipe != nil {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(a, b Call) int { return a.Place.Compare(b.Place) })
	return all
}

// MayCall reports whether an execution of the template may call a function with one of these names.
func (t *Template) MayCall(names ...string) bool {
	reached, _ := t.Called()
	for d := range reached {
		if slices.ContainsFunc(d.calls, func(c Call) bool { return c.Pipe != nil && c.Is(names...) }) {
			return true
		}
	}
	return false
}

// Constant returns the value of a literal; false for any other node.
func Constant(n parse.Node) (any, bool) {
	switch n := n.(type) {
	case *parse.CommandNode:
		if len(n.Args) == 1 {
			return Constant(n.Args[0])
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
	objects map[[2]string]bool
	kinds   map[string]bool // the kinds that the templates state
	any     bool
}

// Matches reports whether objects of an apiVersion and kind may be looked up.
func (l Lookups) Matches(apiVersion, kind string) bool {
	return l.any || l.objects[[2]string{apiVersion, kind}]
}

// HasKind reports whether a lookup states a kind. Lookups with a computed kind do not count.
func (l Lookups) HasKind(kind string) bool { return l.kinds[kind] }

// Lookups returns the objects that the templates of the set and the given template texts may look
// up. These are all objects if one of them computes the apiVersion or the kind.
func (s *Set) Lookups(texts ...string) Lookups {
	l := Lookups{objects: map[[2]string]bool{}, kinds: map[string]bool{}}
	all := s.definitions(s.templates...)
	for _, text := range texts {
		defs, _ := s.parse("text", newFile("text", []byte(text), 0)) // a text that does not parse looks up nothing
		all = append(all, defs...)
	}
	for _, d := range all {
		for _, c := range d.calls {
			if c.Function == nil || !c.Function.LooksUp {
				continue
			}
			apiVersion, isStated := c.text(0)
			kind, isKind := c.text(1)
			if isKind {
				l.kinds[kind] = true
			}
			if isStated && isKind {
				l.objects[[2]string{apiVersion, kind}] = true
			} else {
				l.any = true
			}
		}
	}
	return l
}

// Stated is a call of violation or note.
type Stated struct {
	Code  code.Code // "" if the code is computed
	Place refconfig.Place
}

// Stated returns the calls of violation and note in the templates and function files of the set,
// sorted by place, without duplicates.
func (s *Set) Stated() (all []Stated) {
	for _, d := range s.definitions(s.templates...) {
		for _, c := range d.calls {
			if c.Is("violation", "note") {
				value, _ := c.constant(0)
				name, _ := value.(string)
				all = append(all, Stated{Code: name, Place: refconfig.Place{File: c.Place.File, Line: c.Place.Line}})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Stated) int {
		return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Code, b.Code))
	})
	return slices.Compact(all)
}

// constant returns the value of an argument; false if it is computed or absent.
func (c Call) constant(i int) (any, bool) {
	if i >= len(c.Args) {
		return nil, false
	}
	return Constant(c.Args[i])
}

// text returns the text of an argument; false if it is computed, piped to the function or absent.
func (c Call) text(i int) (string, bool) {
	if i >= len(c.Args) {
		return "", false
	}
	text, ok := c.Args[i].(*parse.StringNode)
	if !ok {
		return "", false
	}
	return text.Text, true
}

// checkStatements returns the problems of calls of violation and note with a literal code.
func checkStatements(definitions []*Definition) (faults []refconfig.Problem) {
	for _, d := range definitions {
		for _, c := range d.calls {
			name, isLiteral := c.constant(0)
			if !isLiteral || !c.Is("violation", "note") {
				continue
			}
			path, isLiteral := c.constant(1)
			if !isLiteral || len(c.Args) != 3 {
				path = ""
			}
			if _, err := function.NewStatement([]any{name, path, ""}); err != nil {
				faults = append(faults, c.Problem(code.RefStatement, "%s", err))
			}
		}
	}
	return sorted(faults)
}
