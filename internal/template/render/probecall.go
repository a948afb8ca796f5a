package render

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/refconfig"
)

// call evaluates a call in a probe. A function without stubs as arguments is called as usual.
func (p *probe) call(x *exec, dot value, f *function.Function, n *parse.IdentifierNode, ops operands) (value, error) {
	var args []value
	for _, node := range ops.nodes {
		v, err := x.operand(dot, node, operands{})
		if err != nil && !f.Lazy {
			return value{}, err
		}
		args = append(args, v)
	}
	if ops.final != nil {
		args = append(args, *ops.final)
	}
	if p.printing != nil && !f.Keeps {
		for i, a := range args {
			if hasToken(a.v) {
				args[i] = newStub(&stub{open: true})
			}
		}
	}
	p.here = x.use(n)
	if p.gone == nil {
		p.note(f, args)
	}
	switch f.Unknown {
	case function.Enters:
		if args[0].undetermined() {
			return p.element(asStub(args[0]), x.use(n)), nil
		}
		return x.invoke(f, n, args)
	case function.Digs:
		last := len(args) - 1
		below, err := index(x, n, append([]value{args[last]}, args[:last-1]...))
		if isStub(below) {
			return p.made(f, []value{args[last-1], below}), err
		}
		return x.invoke(f, n, args)
	case function.Finds:
		if isStub(args[0]) || isStub(args[1]) {
			below, err := index(x, n, args)
			if below.absent {
				return value{v: false, input: true}, err
			}
			return p.made(f, []value{below}), err
		}
	case function.Passes:
		return x.invoke(f, n, args)
	case function.Pairs:
		if !slices.ContainsFunc(everySecond(args), isStub) {
			return x.invoke(f, n, args)
		}
	case function.Includes:
		if !isStub(args[0]) {
			return x.invoke(f, n, args)
		}
		p.tested(args[0])
		p.consume(args[1].origins(), Computed)
		p.cut = true
	case function.Asks:
		if f.LooksUp {
			return p.lookup(x, n, args), nil
		}
		return newStub(&stub{open: true}), nil
	case function.Limits:
		if slices.ContainsFunc(args, value.undetermined) {
			return constant(""), nil
		}
	case function.Reports, function.Remarks:
		for _, a := range args {
			p.tested(a)
		}
		if f.Unknown == function.Reports {
			p.check(n, ops)
		}
		if slices.ContainsFunc(args, value.undetermined) {
			return constant(""), nil
		}
	case function.Assigns:
		key, isText := args[1].v.(string)
		if _, isMap := args[0].v.(map[string]any); isMap && isText {
			if len(p.guards) > 0 { // the call may not be reached
				args[2] = either(args[0].key(key), args[2])
			}
			return x.invoke(f, n, args)
		}
	}
	if f.Mutates {
		p.opened = true
		if name, ok := ops.nodes[0].(*parse.VariableNode); ok && len(name.Ident) == 1 {
			x.variable(name.Ident[0]).val = madeOf(args...)
		}
	}
	if !slices.ContainsFunc(args, value.undetermined) {
		if p.gone != nil && f.Unsteady != "" {
			return newStub(&stub{open: true}), nil
		}
		return x.settled(f, n, args)
	}
	return p.made(f, args), nil
}

// check records a check. In a run without a field, it compares the number of unknown conditions
// around the check with the first run: if there are fewer, the absence of the field leads to the
// check, so a CR needs the field.
func (p *probe) check(n *parse.IdentifierNode, ops operands) {
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
	for _, node := range ops.nodes {
		c.Text += " " + node.String()
	}
	for _, g := range p.guards {
		c.When = append(c.When, g.text)
	}
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
	var failed *failure
	if errors.As(err, &failed) {
		p.missed()(p.gone)
	} else {
		instead(Computed)(p.gone)
	}
}

func isStub(v value) bool { _, ok := v.v.(*stub); return ok }

func everySecond(args []value) (all []value) {
	for i := 0; i < len(args); i += 2 {
		all = append(all, args[i])
	}
	return all
}

// settled calls a function with values that contain no stubs.
func (x *exec) settled(f *function.Function, n *parse.IdentifierNode, args []value) (value, error) {
	if !f.Lazy {
		return x.invoke(f, n, args)
	}
	v, _ := selected(f.Name, args)
	return markHandled(v), nil
}

// tooMuch counts the cost of a call with stubs, and reports whether the probe must omit the call
// because the cost is too high.
func (p *probe) tooMuch(args []value) bool {
	origins := 0
	for _, a := range args {
		eachStub(a.v, 0, func(s *stub) { origins += len(s.is) + len(s.of) })
	}
	p.work += len(args) * (1 + origins)
	p.cut = p.cut || p.work > mostWork
	return p.work > mostWork
}

// made returns the result of a function whose arguments contain stubs.
func (p *probe) made(f *function.Function, args []value) value {
	if p.tooMuch(args) {
		return newStub(&stub{open: true})
	}
	var s stub
	switch one, isChoice := selected(f.Name, args); {
	case isChoice && !isStub(one):
		if f.Absent == function.Copes {
			return markHandled(one)
		}
		return one
	case isChoice:
		s = *one.v.(*stub)
		if f.Unknown != function.Selects && len(args) > 1 && !args[0].undetermined() {
			s.known = asStub(args[1]).known // without the default; see Field.Default
		}
	case p.gone != nil: // the first run has recorded what the result is made from
		s.open = true
	default:
		s = processed(f, args)
	}
	s.prints = nil
	for _, a := range args {
		if t, ok := a.v.(*stub); ok && f.Absent != function.Copes && !f.Engine {
			s.prints = append(s.prints, t.prints...)
		}
	}
	return newStub(&s)
}

// processed returns the result, for arguments with stubs, of a function that selects none of its
// arguments.
func processed(f *function.Function, args []value) stub {
	s := *madeOf(args...).v.(*stub)
	s.open = len(s.of) == 0
	var subject value
	subjects := 0
	for _, a := range args {
		if len(a.origins()) > 0 {
			subject, subjects = a, subjects+1
			s.joined = s.joined || asStub(a).joined
		}
	}
	about, single := subject.v.(*stub)
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

// at returns the element of a value at a key, if the value or the key is a stub.
func (p *probe) at(v, key value, use Use) value {
	if !isStub(v) {
		v = madeOf(v, key)
	}
	s := v.v.(*stub)
	switch c := key.v.(type) {
	case string:
		return p.child(s, refconfig.Key(c), use)
	case int:
		return p.child(s, refconfig.Step{Index: c, Key: strconv.Itoa(c)}, use)
	}
	p.tested(key)
	part := *p.child(s, refconfig.Step{Index: -1, Any: true}, use).v.(*stub)
	part.open = true
	return newStub(&part)
}

// lookup records a lookup.
func (p *probe) lookup(x *exec, n *parse.IdentifierNode, args []value) value {
	at := x.file.Place(n.Position())
	l := &LookedUp{At: at.String(), Place: at}
	for i, field := range []*string{&l.APIVersion, &l.Kind, &l.Namespace, &l.Name} {
		p.tested(args[i])
		text, isText := args[i].v.(string)
		if !isText && args[i].v != nil {
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
	return newStub(&stub{is: []origin{{lookup: l, text: WholeCR, use: x.use(n)}}})
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

// note records the comparisons that a call makes, and the types that its arguments must have.
func (p *probe) note(f *function.Function, args []value) {
	var against []any
	subjects := 0
	for _, a := range args {
		if a.undetermined() {
			subjects++
		} else if a.v != nil {
			against = append(against, a.v)
		}
	}
	switch f.Unknown {
	case function.Compares, function.Matches:
	case function.Equates, function.Orders:
		subjects = 1
	case function.Contains:
		if l, ok := args[1].v.([]any); ok {
			against = l
		}
	case function.Limits:
		p.tested(args[1])
	case function.Classifies:
		if args[0].v == "invalid" { // the call asks whether there is a value
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
