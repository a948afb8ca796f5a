package render

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// call evaluates a call in a probe. What gets no stub is called as it always is.
func (p *probe) call(x *exec, dot value, f *function.Function, n *parse.IdentifierNode, ops operands) (value, error) {
	if err := f.CheckCount(ops.count()); err != nil {
		return value{}, x.errorf(n, code.EvalTemplate, "%s", err)
	}
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
	if p.printing != nil && !slices.Contains(strings.Fields(keepsTokens), f.Name) {
		for i, a := range args {
			if stands(a.v) {
				args[i] = newStub(&stub{open: true})
			}
		}
	}
	p.here = x.use(n)
	p.note(f, args)
	switch f.Name {
	case "index", "get", "first", "last":
		keys := args[1:]
		if len(keys) == 0 && f.Name != "index" && args[0].undetermined() {
			return asStub(args[0]).element(x.use(n)), nil
		}
		if slices.ContainsFunc(args, isStub) {
			return p.under(x, args[0], keys, n)
		}
		return x.invoke(f, n, args)
	case "dig":
		if last := len(args) - 1; slices.ContainsFunc(args, isStub) {
			below, err := p.under(x, args[last], args[:last-1], n)
			return p.made(x, x.t.Function("default"), n, []value{args[last-1], below}), err
		}
		return x.invoke(f, n, args)
	case "hasKey":
		if isStub(args[0]) || isStub(args[1]) {
			below, err := p.under(x, args[0], args[1:], n)
			return p.made(x, f, n, []value{below}), err
		}
	case "list", "tuple", "dict":
		if f.Name != "dict" || !slices.ContainsFunc(everySecond(args), isStub) {
			return x.invoke(f, n, args)
		}
	case "include":
		if !isStub(args[0]) {
			return x.invoke(f, n, args)
		}
		p.tested(args[0])
		p.consume(args[1].origins(), Computed, nil)
		p.cut = true
	case "lookupCR", "lookupCRs":
		return p.lookup(x, n, args), nil
	case "oldCR", "inputFiles":
		return newStub(&stub{open: true}), nil
	case "maxListLength", "minListLength":
		fields := worlds(args)
		for _, name := range tree.Keys(fields) {
			if x.inWorld(f, n, []value{args[0].in(name), args[1].in(name)}).absent {
				p.settle(&printedField{field: fields[name], missed: true})
			}
		}
		if args[1].undetermined() {
			return constant(""), nil
		}
	case "doNotMatch", "fail", "violation", "note":
		for _, a := range args {
			p.tested(a)
		}
		if f.Name != "note" {
			p.checked(n, ops)
		}
		if slices.ContainsFunc(args, value.undetermined) {
			return constant(""), nil
		}
	case "set":
		key, isText := args[1].v.(string)
		if _, isMap := args[0].v.(map[string]any); isMap && isText {
			if len(p.guards) > 0 { // it may not be reached
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
		return x.settled(f, n, args)
	}
	return p.made(x, f, n, args), nil
}

// checked takes down a check. Where fields are absent that make it fail, they have to be there.
func (p *probe) checked(n *parse.IdentifierNode, ops operands) {
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
	for _, g := range p.guards {
		for _, o := range g.implied {
			if when, reached := p.besides(o); reached && len(when) == 0 {
				p.consume([]origin{o}, Mandatory, nil)
			} else if reached {
				p.consume([]origin{o}, Conditional, []string{strings.Join(when, " and ")})
			}
		}
	}
}

// besides are the conditions that have to hold besides those that do without a field, and whether
// all can.
func (p *probe) besides(o origin) (when []string, can bool) {
	for _, g := range p.guards {
		switch {
		case g.has(o):
			return nil, false
		case !g.around(o) && !slices.ContainsFunc(g.implied, func(i origin) bool { return i.name() == o.name() }):
			when = append(when, g.text)
		}
	}
	return when, true
}

// keepsTokens are the functions that leave tokens of printed text as they are.
const keepsTokens = "include indent nindent trim trimSuffix trimPrefix fromYaml fromYamlArray fromJson toYaml list tuple " +
	"dict set default coalesce append prepend concat merge"

func isStub(v value) bool { _, ok := v.v.(*stub); return ok }

func everySecond(args []value) (all []value) {
	for i := 0; i < len(args); i += 2 {
		all = append(all, args[i])
	}
	return all
}

// settled calls a function with values that are determined.
func (x *exec) settled(f *function.Function, n *parse.IdentifierNode, args []value) (value, error) {
	if !f.Lazy {
		return x.invoke(f, n, args)
	}
	v, _ := selected(f, args)
	return markHandled(v), nil
}

// selected is what a function that hands on one of its arguments comes to, as far as it is known:
// one of several where a stub decides. False for any other function.
func selected(f *function.Function, args []value) (value, bool) {
	switch f.Name {
	case "ternary":
		if isStub(args[2]) {
			return either(args[0], args[1]), true
		}
		return args[1], args[2].v != true
	case "default":
		if len(args) > 1 {
			args = []value{args[1], args[0]}
		}
	case "coalesce":
		args = append(args[:len(args):len(args)], value{input: true})
	case "and", "or":
	default:
		return value{}, false
	}
	for i, a := range args {
		if i == len(args)-1 {
			return a, true
		}
		if isStub(a) {
			rest, _ := selected(&function.Function{Name: "or"}, args[i+1:])
			if f.Name == "and" {
				rest, _ = selected(f, args[i+1:])
			}
			return either(a, rest), true
		}
		if function.Empty(a.v) == (f.Name == "and") {
			return a, true
		}
	}
	return value{}, true
}

// tooMuch counts what a call with stubs costs, which are evaluated in so many worlds, and reports
// whether the probe has to go on without it.
func (p *probe) tooMuch(args []value, worlds int) bool {
	origins := 0
	for _, a := range args {
		eachStub(a.v, 0, func(s *stub) { origins += len(s.is) + len(s.of) })
	}
	p.work += (worlds+1)*len(args) + len(args)*origins
	p.cut = p.cut || p.work > mostWork
	return p.work > mostWork
}

// made is what a function makes of stubs.
func (p *probe) made(x *exec, f *function.Function, n *parse.IdentifierNode, args []value) value {
	fields := worlds(args)
	if p.tooMuch(args, len(fields)) {
		return newStub(&stub{open: true})
	}
	one, isChoice := selected(f, args)
	if isChoice && !isStub(one) {
		return one
	}
	var s stub
	if isChoice {
		s = *one.v.(*stub)
		if f.Name == "default" && len(args) > 1 && !args[0].undetermined() {
			s.known = asStub(args[1]).known // the default is told as such
		}
	} else {
		s = processed(f, args)
	}
	s.prints, s.without = nil, map[string]world{}
	for _, a := range args {
		if t, ok := a.v.(*stub); ok && !f.Copes && !f.Engine {
			s.prints = append(s.prints, t.prints...)
		}
	}
	for name, field := range fields {
		with := make([]value, len(args))
		for i, a := range args {
			with[i] = a.in(name)
		}
		s.without[name] = world{field, x.inWorld(f, n, with)}
	}
	return newStub(&s)
}

// inWorld is what a function makes of its arguments in a world: not known where one of them is not.
func (x *exec) inWorld(f *function.Function, n *parse.IdentifierNode, args []value) value {
	if one, isChoice := selected(f, args); isChoice {
		if f.Copes && f.Name != "ternary" {
			return markHandled(one)
		}
		return one
	}
	unknown := newStub(&stub{open: true})
	if slices.ContainsFunc(args, value.undetermined) || f.Unsteady != "" {
		return unknown
	}
	if f.Name == "hasKey" {
		return value{v: !args[0].absent}
	}
	made := x.made
	v, err := x.invoke(f, n, args)
	x.tolerant, x.made = true, made
	var failed *failure
	switch {
	case errors.As(err, &failed) && f.Name != "fail":
		return value{absent: true}
	case err != nil:
		return unknown
	}
	return v
}

// processed is what a function that does not only choose makes of stubs.
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
	switch f.Name {
	case "not", "hasKey":
		s.through = nil
	case "append", "mustAppend", "prepend", "concat":
		s.mixed = true
	case "eq", "ne", "lt", "le", "gt", "ge", "has", "mustHas":
		s.through, s.mixed, s.open = nil, false, false
	}
	return s
}

// under is what lies in a value at keys that are values too.
func (p *probe) under(x *exec, v value, keys []value, n *parse.IdentifierNode) (value, error) {
	for _, key := range keys {
		if !isStub(v) && !isStub(key) {
			below, err := indexOne(x.lines(v), key)
			if err != nil {
				return below, err
			}
			v = below
			continue
		}
		if !isStub(v) {
			v = madeOf(v, key)
		}
		s := v.v.(*stub)
		switch c := key.v.(type) {
		case string:
			v = s.child(refconfig.Key(c), x.use(n))
		case int:
			v = s.child(refconfig.Step{Index: c, Key: strconv.Itoa(c)}, x.use(n))
		default:
			p.tested(key)
			part := *s.child(refconfig.Step{Index: -1, Any: true}, x.use(n)).v.(*stub)
			part.open, part.without = true, map[string]world{}
			v = newStub(&part)
		}
	}
	return v, nil
}

// lookup takes down a lookup.
func (p *probe) lookup(x *exec, n *parse.IdentifierNode, args []value) value {
	l := &LookedUp{At: x.file.Place(n.Position()).String()}
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
	s := &stub{is: []origin{{lookup: l, use: x.use(n)}}}
	if n.Ident == "lookupCR" {
		s.without = map[string]world{s.is[0].name(): {s.is[0], value{input: true}}}
	}
	return newStub(s)
}

func (l *LookedUp) same(m *LookedUp) bool {
	return l.APIVersion == m.APIVersion && l.Kind == m.Kind && l.Namespace == m.Namespace && l.Name == m.Name &&
		l.At == m.At && slices.Equal(l.Computed, m.Computed)
}

// What names the CRs that are looked up.
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
		return "CRs of which these are computed: " + strings.Join(l.Computed, ", ")
	}
	words := []string{part("kind", l.Kind)}
	if l.Namespace != "" || slices.Contains(l.Computed, "namespace") {
		words = append(words, part("namespace", l.Namespace))
	}
	return strings.Join(append(words, part("name", l.Name)), "/") + " (" + part("apiVersion", l.APIVersion) + ")"
}

// note takes down what a call holds its arguments against, and for what type it takes them.
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
	list := ""
	switch f.Name {
	case "has", "mustHas":
		if l, ok := args[1].v.([]any); ok {
			against = l
		} else {
			list = "list"
		}
	case "maxListLength", "minListLength":
		list = "list"
		p.tested(args[1])
	case "kindIs":
		if args[0].v == "invalid" {
			return
		}
	case "eq", "ne", "lt", "le", "gt", "ge":
		subjects = 1
	default:
		if !strings.Contains(constraining, " "+f.Name+" ") {
			against = nil
		}
	}
	for i, a := range args {
		if subjects == 1 {
			p.held(a, f.Name, against)
		}
		if kind := f.Takes(i); f.Name != "hasKey" && (list == "" || i == 1) {
			p.typed(a, cmp.Or(list, kind))
		}
	}
}

// constraining are functions that hold an argument against what the others state, besides
// comparisons.
const constraining = " regexMatch mustRegexMatch regexFind mustRegexFind hasPrefix hasSuffix contains semverCompare " +
	"cpuSetsOverlap cpuSetsEqual quantityEqual quantityCompare "
