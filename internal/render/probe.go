package render

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// A probe executes a template on an object of which nothing is determined: a stub stands for each
// of its fields. Both sides of a condition on a stub are executed, one after the other, and a loop
// over one goes round twice. Each stub knows besides what it is in the world in which one of the
// fields that it depends on is absent, which says whether a field has to be there, and what is
// expected without it. Combinations of absent fields are not looked at.

// Probed is what a template asks of an object.
type Probed struct {
	Fields     []Field // sorted by path
	Lookups    []LookedUp
	Nested     []Nested
	Checks     []Check
	Lacking    []refconfig.Problem // what named templates print and are not called with
	Incomplete bool                // the template is too large to be executed to its end

	executed []executed // for Actions
}

// Field is a field of the object that a template reads. In a path, * stands for every element or
// key.
type Field struct {
	Path        string       `json:"path"`
	Need        Need         `json:"need"`
	When        []string     `json:"when,omitempty"` // conditions, as the template has them
	Type        string       `json:"type,omitempty"`
	Default     *any         `json:"default,omitempty"` // what the template expects of a CR that has no such field
	Always      bool         `json:"-"`                 // it expects that whatever else the CR has
	Constraints []Constraint `json:"constraints,omitempty"`
	Uses        []Use        `json:"uses"`
}

// Need says whether a CR has to have a field.
type Need string

// The needs, from the strongest to the weakest.
const (
	Mandatory   Need = "mandatory"   // a CR without it has a finding
	Conditional Need = "conditional" // the same where the conditions of When hold
	Computed    Need = "computed"    // it goes into what is computed, and cannot be followed
	Optional    Need = "optional"
)

// Constraint is what a template holds a field against.
type Constraint struct {
	By      string `json:"by"`                // the function, or the inline diff function
	Through string `json:"through,omitempty"` // what was made of the field before, such as "len"
	Values  []any  `json:"values"`            // that the template states
}

// Use is a place where a template reads a field.
type Use struct {
	At  string   `json:"at"`            // file:line
	Via []string `json:"via,omitempty"` // nested templates that it is read in, the outermost first

	Place refconfig.Place `json:"-"` // with the column
}

// Check is a call that refuses a CR, or says that it violates a rule.
type Check struct {
	Text string   // as the template has it
	When []string // all of these have to hold
	At   string   // file:line
}

// LookedUp is a question for other CRs of the input. What the template states of it in no place is
// "".
type LookedUp struct {
	APIVersion string   `json:"apiVersion,omitempty"`
	Kind       string   `json:"kind,omitempty"`
	Namespace  string   `json:"namespace,omitempty"`
	Name       string   `json:"name,omitempty"`
	Computed   []string `json:"computed,omitempty"` // which of the four are computed
	Reads      []string `json:"reads,omitempty"`    // fields of the CRs that were found
	At         string   `json:"at"`
}

// Nested is a call of a named template.
type Nested struct {
	Name    string     `json:"name"`
	About   string     `json:"about,omitempty"` // the comment above the named template
	At      string     `json:"at"`              // of the call
	Defined string     `json:"defined"`         // where the named template stands; "" where there is none of that name
	Takes   []Argument `json:"takes,omitempty"`
	Nested  []Nested   `json:"nested,omitempty"`
}

// Argument is a part of what a named template is called with.
type Argument struct {
	As       string   `json:"as"`                 // how the named template asks for it
	Fields   []string `json:"fields,omitempty"`   // of the CR: it is one of them, or made of them
	Values   []any    `json:"values,omitempty"`   // that the calling template states
	Computed bool     `json:"computed,omitempty"` // it is made of these, or of what cannot be followed
}

// probe is what an execution on a stub finds out.
type probe struct {
	asked       map[string]*askedField
	above       []askedField // fields below which one is needed under conditions, with these
	lookups     []*LookedUp
	nested      *[]Nested // of the template that is being executed
	checks      []Check
	lacking     []refconfig.Problem
	executed    []executed
	known       map[executed]bool // the same
	via         []string          // nested templates that are being executed
	here        Use               // where the execution is
	calledAt    refconfig.Place   // where the last of them was called
	guards      []guard           // undetermined conditions around what is executed
	conditioned int               // how many bytes they take
	forks       int               // branches and loops that were executed both ways
	prints      *[]*printedField  // of the include that is being executed; nil outside of one
	pending     []*printedField   // by all includes
	opened      bool              // a map of the template got keys that are not known
	work        int               // what calls with stubs have cost, see tooMuch
	cut         bool              // not all was executed
	printing    *printing         // only one side of each condition is executed, to see what is printed; else nil
}

// What is executed in a probe: so many nodes; so many calls inside each other; fields so deep;
// rounds of a loop that is determined; and conditions around a field that take so many bytes
// together, all of which are told of each field.
const (
	mostProbed    = 20_000
	deepestCall   = 30
	deepestField  = 100
	mostRounds    = 100
	mostCondition = 4 << 10
	mostMade      = 2 << 20   // bytes that are printed, or made by a call
	mostWork      = 2_000_000 // arguments and origins of calls, each in each world
)

// Probe executes the template on an object of which nothing is determined, until the context ends.
func (t *Template) Probe(ctx context.Context) *Probed {
	nested := []Nested{}
	p := &probe{asked: map[string]*askedField{}, nested: &nested}
	_, err := t.probe(ctx, p, &output{})
	for _, f := range p.pending {
		if !f.shown {
			p.consume([]origin{f.field}, Computed, nil)
			p.noDefault(f.field)
		}
	}
	out := &Probed{
		Fields:     p.fields(),
		Nested:     nested,
		Checks:     p.checks,
		Lacking:    p.lacking,
		Incomplete: p.cut || err != nil,
		executed:   p.executed,
	}
	for _, l := range p.lookups {
		out.Lookups = append(out.Lookups, *l)
	}
	return out
}

// probe executes the template on a stub.
func (t *Template) probe(ctx context.Context, p *probe, out *output) (*exec, error) {
	limits := Limits{Steps: mostProbed, Output: mostMade, Calls: deepestCall}
	x := Options{Context: ctx, Limits: limits, ShowSecrets: true}.exec(t.Template, out)
	x.tolerant, x.probe = true, p
	return x, x.run(newStub(&stub{is: []origin{{}}}))
}

func (x *exec) use(n parse.Node) Use {
	at := x.file.At(n.Position())
	return Use{At: lineOf(at), Via: slices.Clone(x.probe.via), Place: at}
}

// guard is an undetermined condition that holds for what is executed.
type guard struct {
	text     string
	at       string   // file:line
	excludes []origin // fields without which it does not hold
	implied  []origin // fields without which it does
	loop     bool     // it is a loop over these fields
}

// below executes what a condition is around.
func (p *probe) below(g guard, execute func() error) error {
	guards := p.guards
	p.conditioned += len(g.text)
	if p.guards = append(p.guards, g); p.conditioned > mostCondition { // nobody could read them
		p.guards, p.cut = guards, true
	}
	if p.printing != nil {
		p.printing.within(p.guards)
	}
	err := execute()
	p.guards = guards
	if p.printing != nil {
		p.printing.within(p.guards)
	}
	p.conditioned -= len(g.text)
	return err
}

// branch executes both sides of a condition on a stub.
func (p *probe) branch(x *exec, dot, val value, b *parse.BranchNode, with bool) error {
	p.forks++
	p.here = x.use(b.Pipe)
	p.tested(val)
	before := slices.Clone(x.vars)
	inside := dot
	if with {
		inside = val
	}
	first, start := len(x.out.prints), len(x.out.buf)
	holds := guard{text: b.Pipe.String(), at: p.here.At, excludes: val.decided(false), implied: val.decided(true)}
	fails := guard{text: "not (" + holds.text + ")", at: holds.at, excludes: holds.implied, implied: holds.excludes}
	if p.printing != nil {
		side, executed, from := holds, b.List, inside
		if !p.met(b, fails) {
			side, executed, from = fails, b.ElseList, dot
		}
		err := p.below(side, func() error { return x.all(from, executed) })
		x.join(val, slices.Clone(x.vars[:len(before)]), before)
		return err
	}
	err := p.below(holds, func() error { return x.all(inside, b.List) })
	then, shown := slices.Clone(x.vars[:len(before)]), x.out.prints[first:]
	x.vars = append(x.vars[:0], before...)
	if err != nil {
		return err
	}
	from := len(x.out.buf)
	err = p.below(fails, func() error { return x.all(dot, b.ElseList) })
	if len(x.out.prints) == first+len(shown) && len(bytes.TrimSpace(x.out.buf[start:from])) == 0 {
		p.otherwise(val, shown, strings.TrimSpace(string(x.out.buf[from:])))
	}
	x.join(val, then, x.vars[:len(before)])
	return err
}

// met reports whether a condition is met where only one side of it is executed.
func (p *probe) met(b *parse.BranchNode, fails guard) bool {
	if r := p.printing; slices.Contains(r.fails, b) {
		if r.fails[len(r.fails)-1] == b {
			r.failed = Around{fails.text, fails.at}
		}
		return false
	}
	if b.ElseList != nil {
		p.printing.others = append(p.printing.others, b)
	}
	return true
}

// all executes a list of nodes, of which it is not known whether they are executed.
func (x *exec) all(dot value, l *parse.ListNode) error {
	_, err := x.list(dot, l)
	return err
}

// join gives the variables what they are after a condition whose sides left these.
func (x *exec) join(condition value, then, otherwise []variable) {
	for i := range then {
		if a, b := then[i].val, otherwise[i].val; !same(a.v, b.v) {
			x.vars[i].val = joined(condition, a, b)
		}
	}
}

// sameVariables reports whether nothing was set anew.
func sameVariables(all, before []variable) bool {
	return slices.EqualFunc(all, before, func(a, b variable) bool { return same(a.val.v, b.val.v) })
}

// otherwise notes what a condition prints in place of a field, where that is absent: a text that is
// one value.
func (p *probe) otherwise(condition value, shown []printed, text string) {
	if len(shown) != 1 || text == "" || strings.Contains(text, "\n") {
		return
	}
	fields, shownFields := condition.origins(), shown[0].val.origins()
	if len(fields) == 1 && len(shownFields) == 1 && fields[0].name() == shownFields[0].name() &&
		condition.v.(*stub).is != nil {
		p.defaults(shownFields[0], asYAML(text), len(p.guards) == 0)
	}
}

// keyOf stands for what a loop makes of a map for its first variable.
const keyOf = "key"

// loop executes a loop over a stub.
func (p *probe) loop(x *exec, dot, val value, r *parse.RangeNode) error {
	p.forks++
	p.here = x.use(r.Pipe)
	p.tested(val)
	before := slices.Clone(x.vars)
	s := val.v.(*stub)
	element := s.element(x.use(r.Pipe))
	key := newStub(&stub{of: val.origins(), through: []string{keyOf}, open: true})
	none := guard{text: "not (" + r.Pipe.String() + ")", at: p.here.At}
	otherwise := func() error { return p.below(none, func() error { return x.all(dot, r.ElseList) }) }
	if p.printing != nil && !p.met(&r.BranchNode, none) {
		return otherwise()
	}
	round := guard{text: "range " + r.Pipe.String(), at: none.at, excludes: s.is, loop: true}
	err := p.below(round, func() (err error) {
		for range 2 {
			x.declare(r.Pipe, key, element)
			err = x.all(element, r.List)
			x.pop(len(before))
			if p.printing != nil && sameVariables(x.vars, before) {
				break // it would print the same again
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	x.join(val, slices.Clone(x.vars), before)
	if p.printing != nil {
		return nil
	}
	return otherwise()
}

// print takes down that a value is printed.
func (p *probe) print(x *exec, val value, n *parse.ActionNode) {
	if !val.undetermined() {
		if (val.absent || val.lost != nil) && len(p.via) > 0 && !p.opened {
			what := p.calledAt.Problem(code.RefArguments, "%q is called without what it prints: {{%s}} at %s",
				p.via[len(p.via)-1], n.Pipe, x.file.Place(n.Position()))
			if !slices.Contains(p.lacking, what) {
				p.lacking = append(p.lacking, what)
			}
		}
		text, _ := val.v.(string)
		switch r := p.printing; {
		case r == nil:
		case text != "" && (stands(text) || val.input) && !strings.ContainsAny(text, ":\n"):
			p.printToken(x, n) // the name of what it is made of says more
			return
		case val.input: // parts of the text hang on conditions
			some := guard{text: unindented(n.Pipe), at: x.file.Place(n.Pos).String()}
			r.within(append(slices.Clip(p.guards), some))
			defer func() { r.within(p.guards) }()
			fallthrough
		default:
			x.out.texts = append(x.out.texts, literal{start: len(x.out.buf), file: x.file, pos: n.Pos, action: true})
		}
		x.out.print(val, false, x.file, n.Pos)
		return
	}
	p.here = x.use(n)
	if p.printing != nil {
		p.printToken(x, n)
		return
	}
	p.printed(val)
	x.out.prints = append(x.out.prints, printed{start: len(x.out.buf), end: len(x.out.buf), val: val})
}

// enter takes down a call of a named template, and reports whether it is to be executed.
func (p *probe) enter(x *exec, name string, arg value, n parse.Node) (leave func(), ok bool) {
	p.here = x.use(n)
	one := Nested{Name: name, At: x.file.Place(n.Position()).String(), Takes: takes(arg)}
	d, all := x.t.Find(name), p.nested
	add := func() {
		p.nested = all
		if !slices.ContainsFunc(*all, one.alike) {
			*all = append(*all, one)
		}
	}
	if d != nil {
		one.Defined, one.About = d.Place().String(), d.Comment()
	}
	if d == nil || arg.undetermined() && slices.Contains(p.via, name) {
		p.consume(arg.origins(), Computed, nil)
		add()
		return func() {}, false
	}
	via, called := p.via, p.calledAt
	p.via, p.nested, p.calledAt = append(slices.Clone(via), name), &one.Nested, x.file.At(n.Position())
	return func() { p.via, p.calledAt = via, called; add() }, true
}

func (n Nested) alike(m Nested) bool {
	return n.Name == m.Name && n.At == m.At && slices.EqualFunc(n.Takes, m.Takes, Argument.alike)
}

func (a Argument) alike(b Argument) bool {
	return a.As == b.As && slices.Equal(a.Fields, b.Fields) && a.Computed == b.Computed &&
		Constraint{Values: a.Values}.Same(Constraint{Values: b.Values})
}

// include executes a named template for its text.
func (p *probe) include(x *exec, name string, dot value, n parse.Node) (value, error) {
	forks, before := p.forks, p.prints
	prints := []*printedField{}
	p.prints = &prints
	err := x.enter(name, dot, n)
	p.prints = before
	var of [][]origin
	for _, one := range x.out.prints {
		of = append(of, one.val.origins())
	}
	if p.printing != nil || forks == p.forks && union(of...) == nil {
		return value{v: string(x.out.buf), input: forks != p.forks}, err
	}
	return newStub(&stub{of: union(of...), open: true, prints: prints}), err
}

// takes says what a named template is called with.
func takes(arg value) (all []Argument) {
	switch v := arg.v.(type) {
	case nil:
		return nil
	case []any:
		for i, e := range v {
			all = append(all, argument(fmt.Sprintf("index . %d", i), value{v: e}))
		}
		return all
	case map[string]any:
		for _, k := range tree.Keys(v) {
			all = append(all, argument("."+refconfig.Key(k).String(), value{v: v[k]}))
		}
		return all
	}
	one := argument(".", arg)
	if slices.Contains(one.Fields, WholeCR) {
		one = Argument{As: ".", Fields: []string{WholeCR}}
	}
	return []Argument{one}
}

func argument(as string, v value) Argument {
	a := Argument{As: as}
	for _, o := range v.origins() {
		if p := o.name(); !slices.Contains(a.Fields, p) {
			a.Fields = append(a.Fields, p)
		}
	}
	switch s, isStub := v.v.(*stub); {
	case isStub:
		a.Values, a.Computed = s.known, s.open || len(s.of) > 0
	case v.undetermined():
		a.Computed = true
	default:
		a.Values = []any{v.v}
	}
	return a
}
