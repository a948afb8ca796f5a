package probe

import (
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// call evaluates a call in a probe. A function without stubs as arguments is called as usual.
func (p *probe) call(
	x *render.Execution, dot render.Value, f *function.Function, n *parse.IdentifierNode, ops render.Operands,
) (render.Value, error) {
	defer x.Release(x.Reserved())
	args, err := arguments(x, dot, f, ops)
	if err != nil {
		return render.Value{}, err
	}
	return p.evaluate(x, f, n, ops, args)
}

// arguments evaluates the arguments of a call, which are valid until x.Release. Those of a lazy function may
// fail. The number of arguments must be allowed.
func arguments(
	x *render.Execution, dot render.Value, f *function.Function, ops render.Operands,
) (args []render.Value, err error) {
	if err := f.CheckCount(ops.Count()); err != nil {
		return nil, err
	}
	args = x.Reserve(ops.Count())
	for i, node := range ops.Nodes {
		v, err := x.Operand(dot, node, render.Operands{})
		if err != nil && !f.Lazy {
			return nil, err
		}
		args[i] = v
	}
	if ops.Final != nil {
		args[len(args)-1] = *ops.Final
	}
	return args, nil
}

// evaluate evaluates a call with its arguments.
func (p *probe) evaluate(
	x *render.Execution, f *function.Function, n *parse.IdentifierNode, ops render.Operands, args []render.Value,
) (render.Value, error) {
	p.here = p.use(x, n)
	if p.gone == nil {
		p.note(f, args)
		p.reversed(x.File.At(n.Pos), f, args)
	}
	switch f.Unknown {
	case function.Enters:
		if undetermined(args[0]) {
			return p.element(asStub(args[0]), p.use(x, n)), nil
		}
		return x.Invoke(f, n, args)
	case function.Digs:
		last := len(args) - 1
		below, err := render.Index(x, n, append([]render.Value{args[last]}, args[:last-1]...))
		if isStub(below) {
			return p.made(f, []render.Value{args[last-1], below}), err
		}
		return x.Invoke(f, n, args)
	case function.Finds:
		if isStub(args[0]) || isStub(args[1]) {
			below, err := render.Index(x, n, args)
			if below.Absent || p.given != nil && !isStub(below) {
				return render.Value{V: !below.Absent, Input: true}, err
			}
			return p.made(f, []render.Value{below}), err
		}
	case function.Passes:
		return x.Invoke(f, n, args)
	case function.Pairs:
		if !hasUnknownKey(args) {
			return x.Invoke(f, n, args)
		}
	case function.Includes:
		p.under = under(x.Out)
		if name, _ := args[0].V.(string); args[0].Lacks() && p.gone != nil && x.Template.Find(name) == nil {
			p.missed()(p.gone) // the absent field is a part of the name
		}
		if !isStub(args[0]) {
			return x.Invoke(f, n, args)
		}
		return p.candidates(x, n, ops, args)
	case function.Asks:
		if f.LooksUp {
			return p.lookup(x, n, args), nil
		}
		for _, a := range args {
			p.tested(a)
		}
		return newStub(&stub{open: true}), nil
	case function.Limits:
		if slices.ContainsFunc(args, undetermined) {
			return render.Constant(""), nil
		}
	case function.Reports, function.Remarks:
		for _, a := range args {
			p.tested(a)
		}
		if f.Unknown == function.Reports {
			p.check(n, ops)
		}
		if slices.ContainsFunc(args, undetermined) {
			return render.Constant(""), nil
		}
	case function.Assigns:
		key, isText := args[1].V.(string)
		if _, isMap := args[0].V.(map[string]any); isMap && isText {
			if len(p.guards) > 0 { // the call may not be reached
				args[2] = either(args[0].Key(key), args[2])
			}
			return x.Invoke(f, n, args)
		}
	}
	if f.Mutates {
		p.opened = true
		for _, changed := range ops.Nodes[:min(1, len(ops.Nodes))] { // none if it comes from a pipe
			if name, ok := changed.(*parse.VariableNode); ok && len(name.Ident) == 1 {
				x.Variable(name.Ident[0]).Val = madeOf(args...)
			}
		}
	}
	if !slices.ContainsFunc(args, undetermined) {
		if p.gone != nil && f.Unsteady != "" {
			return newStub(&stub{open: true}), nil
		}
		return x.Invoke(f, n, args)
	}
	return p.made(f, args), nil
}

// check records a check. In a run without a field, it compares the number of unknown conditions
// around the check with the first run: if there are fewer, the absence of the field leads to the
// check, so a CR needs the field.
func (p *probe) check(n *parse.IdentifierNode, ops render.Operands) {
	at := spot{p.trail, n}
	if p.first != nil {
		if len(p.guards) < p.first.checked[at] {
			p.missed()(p.gone)
		}
		return
	}
	if before, again := p.checked[at]; !again || len(p.guards) < before {
		p.checked[at] = len(p.guards)
	}
	c := Check{Text: n.Ident, At: p.here.At}
	for _, node := range ops.Nodes {
		c.Text += " " + node.String()
	}
	for _, g := range p.guards {
		c.When = append(c.When, g.text)
	}
	p.addCheck(c)
}

// addCheck adds a check, unless it is known.
func (p *probe) addCheck(c Check) {
	if !slices.ContainsFunc(p.checks, func(d Check) bool { return c.At == d.At && slices.Equal(c.When, d.When) }) {
		p.checks = append(p.checks, c)
	}
}

// fails records that a pipeline fails. If it fails only in the run without a field, a CR needs the
// field, or the result without the field is unknown.
func (p *probe) fails(n parse.Node, err error) {
	at := spot{p.trail, n}
	if p.failed[at] = true; p.first == nil || p.first.failed[at] {
		return
	}
	if render.IsFailure(err) {
		p.missed()(p.gone)
	} else {
		p.concluded()
		instead(Computed)(p.gone)
	}
}

func isStub(v render.Value) bool { _, ok := v.V.(*stub); return ok }

// hasUnknownKey reports whether one of the keys, which alternate with their values, is a stub.
func hasUnknownKey(args []render.Value) bool {
	for i := 0; i < len(args); i += 2 {
		if isStub(args[i]) {
			return true
		}
	}
	return false
}

// tooMuch counts the cost of a call with stubs, and reports whether the probe must omit the call
// because the cost is too high.
func (p *probe) tooMuch(args []render.Value) bool {
	origins := 0
	for _, a := range args {
		eachStub(a.V, 0, func(s *stub) { origins += len(s.is) + len(s.of) })
	}
	p.work += len(args) * (1 + origins)
	p.cut = p.cut || p.work > mostWork
	return p.work > mostWork
}

// made returns the result of a function whose arguments contain stubs.
func (p *probe) made(f *function.Function, args []render.Value) render.Value {
	if p.tooMuch(args) {
		return newStub(&stub{open: true})
	}
	var s *stub
	choice := render.Selected(f.Name, args, isStub)
	switch {
	case choice != nil:
		one := choice[len(choice)-1]
		for _, other := range slices.Backward(choice[:len(choice)-1]) {
			one = either(other, one)
		}
		if !isStub(one) {
			return render.Handled(one)
		}
		chosen := *one.V.(*stub)
		s = &chosen
		if (f.Unknown == function.Defaults || f.Unknown == function.Digs) && len(args) > 1 && !undetermined(args[0]) {
			s.known = asStub(args[1]).known // without the default; see Field.Default
		}
	case p.gone != nil: // the first run has recorded what the result is made from
		s = &stub{open: true}
	default:
		s = processed(f, args)
	}
	s.prefix = prefixOf(f.Name, args)
	s.prints = nil
	for _, a := range args {
		if t, ok := a.V.(*stub); ok && f.Absent != function.Copes && !f.Engine {
			s.prints = append(s.prints, t.prints...)
		}
	}
	return newStub(s)
}

// processed returns the result, for arguments with stubs, of a function that selects none of its
// arguments.
func processed(f *function.Function, args []render.Value) *stub {
	s := madeOf(args...).V.(*stub)
	s.open = len(s.of) == 0
	var subject render.Value
	subjects := 0
	for _, a := range args {
		if len(origins(a)) > 0 {
			subject, subjects = a, subjects+1
			s.joined = s.joined || asStub(a).joined
		}
	}
	about, single := subject.V.(*stub)
	s.mixed = subjects != 1 || len(s.of) != 1 || !single || about.mixed || len(about.through) >= deepestField
	if !s.mixed {
		s.through = append(slices.Clip(about.through), f.Name)
	}
	switch f.Unknown {
	case function.Negates, function.Finds:
		s.through = nil
	case function.Extends:
		s.mixed = true
	case function.Equates, function.Orders, function.Contains:
		s.through, s.mixed, s.open = nil, false, false
	}
	return s
}

// below returns the value below another one at a key. One of the two is a stub.
func (p *probe) below(x *render.Execution, v, key render.Value, n parse.Node) render.Value {
	use := p.use(x, n)
	if !isStub(v) {
		v = madeOf(v, key)
	}
	s := v.V.(*stub)
	switch c := key.V.(type) {
	case string:
		return p.child(s, refconfig.Key(c), use)
	case int:
		return p.child(s, refconfig.Step{Index: c, Key: strconv.Itoa(c)}, use)
	}
	p.tested(key)
	part := *p.child(s, refconfig.Step{Index: -1, Any: true}, use).V.(*stub)
	part.open = true
	return newStub(&part)
}

// lookup records a lookup.
func (p *probe) lookup(x *render.Execution, n *parse.IdentifierNode, args []render.Value) render.Value {
	at := x.File.Place(n.Position())
	l := &LookedUp{At: at.String(), Place: at}
	for i, field := range []*string{&l.APIVersion, &l.Kind, &l.Namespace, &l.Name} {
		p.tested(args[i])
		text, isText := args[i].V.(string)
		if !isText && args[i].V != nil {
			l.Computed = append(l.Computed, []string{"apiVersion", "kind", "namespace", "name"}[i])
			continue
		}
		if *field = text; text == "*" {
			*field = ""
		}
	}
	if i := slices.IndexFunc(p.lookups, l.same); i >= 0 {
		l = p.lookups[i]
	} else {
		p.lookups = append(p.lookups, l)
	}
	return newStub(&stub{is: []origin{{lookup: l, text: WholeCR, use: p.use(x, n)}}})
}

func (l *LookedUp) same(m *LookedUp) bool {
	return l.APIVersion == m.APIVersion && l.Kind == m.Kind && l.Namespace == m.Namespace && l.Name == m.Name &&
		l.At == m.At && slices.Equal(l.Computed, m.Computed)
}

// What returns a description of the CRs that are looked up.
func (l *LookedUp) What() string {
	part := func(field, value string) string {
		switch {
		case slices.Contains(l.Computed, field):
			return "(computed)"
		case value == "":
			return "*"
		}
		return value
	}
	if slices.Contains(l.Computed, "kind") || slices.Contains(l.Computed, "apiVersion") {
		return "CRs by computed fields: " + strings.Join(l.Computed, ", ")
	}
	words := []string{part("kind", l.Kind)}
	if l.Namespace != "" || slices.Contains(l.Computed, "namespace") {
		words = append(words, part("namespace", l.Namespace))
	}
	return strings.Join(append(words, part("name", l.Name)), "/") + " (" + part("apiVersion", l.APIVersion) + ")"
}

// reversed reports a list in the place of an item that is searched for in a list.
func (p *probe) reversed(at refconfig.Place, f *function.Function, args []render.Value) {
	if len(args) < 2 {
		return
	}
	is := func(i int) bool { _, isList := args[i].V.([]any); return isList }
	switch f.Name {
	case "has", "mustHas":
		if is(0) && !is(1) {
			p.doubt(at.Problem(code.RefReversed, "%s takes the item first and the list last; exchange the arguments", f.Name))
		}
	case "without", "mustWithout":
		if !is(0) && is(1) {
			p.doubt(at.Problem(code.RefReversed, "%s takes the list first and then the items; exchange the arguments", f.Name))
		}
	}
}

// note records the comparisons that a call makes, and the types that its arguments must have.
func (p *probe) note(f *function.Function, args []render.Value) {
	var against []any
	subjects := 0
	for _, a := range args {
		if undetermined(a) {
			subjects++
		} else if a.V != nil {
			against = append(against, a.V)
		}
	}
	switch f.Unknown {
	case function.Compares, function.Matches:
	case function.Equates, function.Orders:
		subjects = 1
	case function.Contains:
		if l, ok := args[1].V.([]any); ok {
			against = l
		}
	case function.Limits:
		p.tested(args[0])
		p.tested(args[1])
	case function.Chooses:
		p.tested(args[2])
		against = nil
	case function.Classifies:
		if args[0].V == "invalid" { // the call asks whether there is a value
			against = nil
		}
	default:
		against = nil
	}
	for i, a := range args {
		if subjects == 1 {
			p.held(a, f.Name, against)
		}
		p.typed(a, f.Takes(i))
	}
}
