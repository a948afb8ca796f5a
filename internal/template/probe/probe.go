package probe

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// A probe executes a template on an object about which nothing is known: a stub represents each of
// its fields. It executes both sides of a condition on a stub, one after the other, and two rounds
// of a loop over a stub. The first run finds the fields that the template reads. Then there is one
// run for each of these fields, in which only this field is absent. Such a run shows whether a CR
// needs the field, and what the template expects of a CR without it. Combinations of absent fields
// are not tried.

// Probed is the result of a probe.
type Probed struct {
	Fields     []Field // sorted by path
	Lookups    []LookedUp
	Nested     []Nested
	Checks     []Check
	Lacking    []refconfig.Problem // calls of named templates without an argument that they print
	Computed   []refconfig.Problem // calls of templates whose names are computed
	Doubts     []refconfig.Problem // calls whose arguments seem to be wrong
	Incomplete bool                // the template is too large to be executed to its end
}

// Field is a field of the object that a template reads. In its path, * means every element or key.
type Field struct {
	Path        string       `json:"path"`
	Need        Need         `json:"need"`
	When        []string     `json:"when,omitempty"` // conditions as written in the template
	Type        string       `json:"type,omitempty"`
	Default     *any         `json:"default,omitempty"` // the expected value if a CR lacks the field
	Always      bool         `json:"-"`                 // the default does not depend on other fields
	Constraints []Constraint `json:"constraints,omitempty"`
	Uses        []Use        `json:"uses"`
	Description string       `json:"description,omitempty"` // the comment above the first use that has one
}

// Need is how much a template needs a field.
type Need string

// The needs, from the strongest to the weakest.
const (
	Mandatory   Need = "mandatory"   // a CR without it has a finding
	Conditional Need = "conditional" // a CR without it has a finding if a condition of When holds
	Computed    Need = "computed"    // a computation uses it, whose result is unknown
	Optional    Need = "optional"
)

// Constraint is a comparison of a field with values that a template states.
type Constraint struct {
	By      string `json:"by"`                // the template function, or the inline diff function of the field
	Through string `json:"through,omitempty"` // functions applied to the field before, such as "len"
	Values  []any  `json:"values"`            // the values that the template states
	Always  bool   `json:"-"`                 // a CR with any other value has a finding
	Use     Use    `json:"-"`                 // the first comparison; the zero value for an inline diff function
}

// Use is a place where a template reads a field.
type Use struct {
	At  string   `json:"at"`            // file:line
	Via []string `json:"via,omitempty"` // the named templates around the use, the outermost first

	in   *Nested        // the call of the named template around the use; nil for none
	file *template.File // the file with the use
	pos  parse.Pos
}

// Place returns the place of the use with its column.
func (u Use) Place() refconfig.Place { return u.file.At(u.pos) }

// Check is a call of doNotMatch, fail or violation.
type Check struct {
	Text string   // the call as written in the template
	When []string // the conditions around the call
	At   string   // file:line
}

// LookedUp is a lookup of other CRs of the input. "" in a field means any value, or a computed one.
type LookedUp struct {
	APIVersion string   `json:"apiVersion,omitempty"`
	Kind       string   `json:"kind,omitempty"`
	Namespace  string   `json:"namespace,omitempty"`
	Name       string   `json:"name,omitempty"`
	Computed   []string `json:"computed,omitempty"` // names of the four fields above that are computed
	Reads      []string `json:"reads,omitempty"`    // fields of the found CRs that the template reads
	At         string   `json:"at"`

	Place refconfig.Place `json:"-"` // place of the call
}

// probe is the state of an execution on a stub.
type probe struct {
	asked       map[string]*askedField
	lookups     []*LookedUp
	nested      *[]Nested // calls in the template that is being executed
	checks      []Check
	lacking     []refconfig.Problem
	computed    []refconfig.Problem
	doubts      []refconfig.Problem
	calling     *Nested           // the call that is being executed; nil outside of named templates
	index       string            // the item of the innermost loop around the current node
	under       string            // the key behind which the text of the current include stands
	oneSide     bool              // calls with computed names are not followed
	given       any               // the values of the object that are known; nil for none
	via         []string          // named templates that are being executed, the outermost first
	here        Use               // the use that is being evaluated
	calledAt    refconfig.Place   // where the last template of via was called
	guards      []guard           // unknown conditions around the current node; its memory is used again
	conditioned int               // bytes of the texts of guards
	forks       int               // branches and loops that were executed both ways
	prints      *[]*effect        // effects of prints in the include that is being executed; nil outside of one
	included    []*effect         // effects of prints in all includes
	opened      bool              // a map of the template may have got unknown keys
	work        int               // the cost so far, up to mostWork
	cut         bool              // the execution is incomplete
	saved       []render.Variable // copies of variables, see save
	trail       string            // calls and rounds of loops that lead to the current node
	checked     map[spot]int      // smallest number of unknown conditions around each check
	failed      map[spot]bool     // pipelines that fail

	first *probe       // the first run; nil in the first run itself
	gone  *askedField  // the field that is absent in this run; nil in the first run
	value render.Value // the value of gone: absent, or one that no template states

	records  repeatable // the calls of the run that records them; nil in others
	recorded *recorded  // the call that is being recorded
	repeats  repeatable // calls that a run repeats
	key      []byte     // of the last call, see callKey

	shared map[parse.Node]*sharedCall // the calls of the template that other templates share; nil for none
}

// spot is a position of an execution: a node, and the calls and rounds that lead to it. It is the
// same in all runs.
type spot struct {
	trail string
	node  parse.Node
}

// Limits of a probe.
const (
	mostProbed    = 20_000  // nodes in one run
	deepestCall   = 30      // calls inside each other
	deepestField  = 100     // steps of a path
	mostCondition = 4 << 10 // bytes of the conditions around a node
	mostMade      = 2 << 20 // bytes that are printed, or made by a call
	mostWork      = 500_000 // nodes, arguments of calls and their origins in all runs
)

// newProbe returns a probe that has found nothing.
func newProbe() *probe {
	return &probe{
		asked:   map[string]*askedField{},
		nested:  &[]Nested{},
		checked: map[spot]int{},
		failed:  map[spot]bool{},
		guards:  make([]guard, 0, usualGuards),
	}
}

// usualGuards is the number of conditions around each other for which a probe has memory.
const usualGuards = 8

// Execute executes a template on an object about which nothing is known. It stops when the context
// ends.
func Execute(ctx context.Context, t *template.Template) *Probed { return newProbe().execute(ctx, t) }

// ExecuteWith executes a template on an object of which some values are known. Conditions and names
// of templates that depend only on these are followed as they are for this object.
func ExecuteWith(ctx context.Context, t *template.Template, given map[string]any) *Probed {
	p := newProbe()
	if given != nil {
		p.given = given
	}
	return p.execute(ctx, t)
}

// execute executes a template in the first run and in those without a field.
func (p *probe) execute(ctx context.Context, t *template.Template) *Probed {
	x, err := p.explore(ctx, t, p.hooks(), &render.Output{})
	p.cut = p.cut || err != nil
	p.executeWithoutEach(ctx, t, x.Steps)
	out := &Probed{
		Fields:     p.fields(),
		Nested:     *p.nested,
		Checks:     p.checks,
		Lacking:    p.lacking,
		Computed:   p.computed,
		Doubts:     p.doubts,
		Incomplete: p.cut,
	}
	for _, l := range p.lookups {
		out.Lookups = append(out.Lookups, *l)
	}
	return out
}

// executeWithoutEach executes the template once for each field that the first run has found, on a stub
// in which that field is absent. It does so for several fields at once; what is found does not depend
// on their number, because a run counts only if those of the fields before it leave work for it. steps
// are those of the first run.
func (first *probe) executeWithoutEach(ctx context.Context, t *template.Template, steps int) {
	type run struct {
		field *askedField // what is known after it
		work  int
		cut   bool
	}
	names := tree.Keys(first.asked)
	all := make([]run, len(names)) // a run that is late after an interrupt changes nothing else
	for i, name := range names {
		all[i].field = first.asked[name].clone()
	}
	var done atomic.Int64 // the work so far
	done.Store(int64(first.work))
	shared := *first
	if steps*len(names) > leastRepeated && !first.cut && len(*first.nested) > 0 {
		shared.recordCalls(ctx, t)
	}
	runs := workers.Each(ctx, 0, len(names), func(i int) *run {
		if done.Load() > mostWork { // all that was done is of fields before this one
			return nil
		}
		one := &all[i]
		one.work, one.cut = shared.executeWithout(ctx, t, one.field)
		done.Add(int64(one.work))
		return one
	})
	for i, name := range names {
		gone := first.asked[name]
		switch one := runs[i]; {
		case gone.isElement():
		case one == nil || one.cut || first.work > mostWork:
			first.cut = true
			instead(Computed)(gone)
		default:
			first.asked[name] = one.field
			first.work += one.work
		}
	}
}

// isElement reports whether the field is the CR itself, or an element of an existing list: these are
// never absent.
func (a *askedField) isElement() bool {
	last := len(a.path) - 1
	return last < 0 || a.path[last].Any
}

// executeWithout executes the template on a stub in which one field is absent. It returns the work, and
// whether the context ended.
func (first *probe) executeWithout(ctx context.Context, t *template.Template, gone *askedField) (work int, cut bool) {
	if gone.isElement() {
		return 0, false
	}
	work = first.executeWith(ctx, t, gone, render.AbsentAt(gone.path[len(gone.path)-1])).cost()
	if c := gone.Constraints; len(c) == 1 && c[0].Through == "" && t.Function(c[0].By).Unknown.Decides() {
		other := &askedField{Field: Field{Path: gone.Path, Need: Optional}, path: gone.path}
		work += first.executeWith(ctx, t, other, render.Value{V: unstated, Input: true}).cost()
		c[0].Always = other.Need == Mandatory
	}
	return work, ctx.Err() != nil
}

// unstated is a value that no template states.
const unstated = "\x00"

// again returns a further run of the template, in which a field has a value.
func (first *probe) again(field *askedField, v render.Value) *probe {
	p := newProbe()
	p.first, p.gone, p.value, p.given = first, field, v, first.given
	p.via, p.trail, p.shared = first.via, first.trail, first.shared
	p.saved = make([]render.Variable, 0, cap(first.saved))
	return p
}

// outcome is what a run with a value for a field has cost and printed.
type outcome struct {
	work    int // without the steps
	steps   int
	stretch render.Stretch
	whole   bool // no limit was reached
}

func (o outcome) cost() int { return o.work + o.steps }

// executeWith executes the template on a stub in which one field has a value. What it finds is added to the
// field.
func (first *probe) executeWith(
	ctx context.Context, t *template.Template, field *askedField, v render.Value,
) outcome {
	p := first.again(field, v)
	if p.repeats = first.repeats; p.repeats != nil {
		p.lookups = slices.Clone(first.lookups)
	}
	x, err := p.explore(ctx, t, p.hooks(), &render.Output{})
	whole := err == nil && !p.cut
	lost := func(one *effect) bool { return !one.shown && !one.below }
	if !whole && !first.cut || slices.ContainsFunc(p.included, lost) {
		instead(Computed)(field)
	}
	return outcome{work: p.work, steps: x.Steps, stretch: x.End(render.Stretch{}), whole: whole}
}

// hooks returns the hooks of a run that records what it finds.
func (p *probe) hooks() *render.Hooks {
	return &render.Hooks{
		Unknown: isStub,
		Call:    p.call,
		Below:   p.below,
		Fails:   p.fails,
		Print:   p.print,
		Branch:  p.branch,
		Loop:    p.loop,
		Rounds:  p.rounds,
		Enter:   p.enter,
		Include: p.include,
	}
}

// explore executes a template on a stub.
func (p *probe) explore(
	ctx context.Context, t *template.Template, hooks *render.Hooks, out *render.Output,
) (*render.Execution, error) {
	limits := render.Limits{Steps: mostProbed, Output: mostMade, Calls: deepestCall - len(p.via)}
	return render.Explore(ctx, t, limits, hooks, newStub(&stub{is: []origin{{text: WholeCR}}, given: p.given}), out)
}

// use returns the use of a field by a node. Only the first run records uses.
func (p *probe) use(x *render.Execution, n parse.Node) Use {
	if p.gone != nil {
		return Use{}
	}
	at := x.File.Place(n.Position()).String()
	return Use{At: at, Via: slices.Clip(p.via), in: p.calling, file: x.File, pos: n.Position()}
}

// guard is an unknown condition around the node that is being executed. It is assumed to hold.
type guard struct {
	text string
	at   string   // file:line
	loop bool     // it is a loop
	over []origin // for a loop: the fields that it loops over
}

// within executes something with a condition around it.
func (p *probe) within(g guard, execute func() error) error {
	guards := p.guards
	p.conditioned += len(g.text)
	if p.guards = append(p.guards, g); p.conditioned > mostCondition { // longer conditions would be unreadable
		p.guards, p.cut = guards, true
	}
	err := execute()
	p.guards = guards
	p.conditioned -= len(g.text)
	return err
}

// sides returns the two guards of a condition, of which text is the expression.
func sides(text, at string) (holds, fails guard) {
	return guard{text: text, at: at}, guard{text: "not (" + text + ")", at: at}
}

// branch executes both sides of a condition on a stub.
func (p *probe) branch(x *render.Execution, dot, val render.Value, b *parse.BranchNode, with bool) error {
	p.forks++
	p.here = p.use(x, b.Pipe)
	p.tested(val)
	before, drop := p.save(x.Vars)
	defer drop()
	inside := dot
	if with {
		inside = val
	}
	if v := given(val); v != nil {
		if function.Empty(v) {
			return all(x, dot, b.ElseList)
		}
		return all(x, inside, b.List)
	}
	first, start := len(x.Out.Prints), len(x.Out.Buf)
	holds, fails := sides(p.inPaths(x, dot, b.Pipe), p.here.At)
	err := p.within(holds, func() error { return all(x, inside, b.List) })
	then, _ := p.save(x.Vars[:len(before)])
	shown := x.Out.Prints[first:]
	x.Vars = append(x.Vars[:0], before...)
	if err != nil {
		return err
	}
	from := len(x.Out.Buf)
	err = p.within(fails, func() error { return all(x, dot, b.ElseList) })
	if len(x.Out.Prints) == first+len(shown) && len(bytes.TrimSpace(x.Out.Buf[start:from])) == 0 {
		p.otherwise(val, shown, strings.TrimSpace(string(x.Out.Buf[from:])))
	}
	p.join(x, then, x.Vars[:len(before)])
	return err
}

// save returns a copy of variables. It is valid until drop is called, which ends all copies made since.
func (p *probe) save(vars []render.Variable) (saved []render.Variable, drop func()) {
	mark := len(p.saved)
	p.saved = append(p.saved, vars...)
	return p.saved[mark:len(p.saved):len(p.saved)], func() { p.saved = p.saved[:mark] }
}

// all executes a list of nodes.
func all(x *render.Execution, dot render.Value, l *parse.ListNode) error {
	_, err := x.List(dot, l)
	return err
}

// join sets the variables to their values after a condition. then and otherwise are the variables
// after its true and its false side.
func (p *probe) join(x *render.Execution, then, otherwise []render.Variable) {
	for i := range then {
		if a, b := then[i].Val, otherwise[i].Val; !render.Same(a.V, b.V) && !p.tooMuch([]render.Value{a, b}) {
			x.Vars[i].Val = joined(a, b)
		}
	}
}

// otherwise records the text that a condition prints in place of a field if the field is absent.
// The text must be one value.
func (p *probe) otherwise(condition render.Value, shown []render.Printed, text string) {
	if len(shown) != 1 || text == "" || strings.Contains(text, "\n") {
		return
	}
	fields, shownFields := origins(condition), origins(shown[0].Val)
	if len(fields) == 1 && len(shownFields) == 1 && fields[0].name() == shownFields[0].name() &&
		condition.V.(*stub).is != nil {
		if a := p.field(shownFields[0]); a != nil {
			a.defaults(asYAML(text), len(p.guards) == 0)
		}
	}
}

// keyOf is the entry of stub.through for the first of two variables of a loop.
const keyOf = "key"

// rounds records the round of a loop over a known value in the trail.
func (p *probe) rounds(all iter.Seq2[render.Value, render.Value]) iter.Seq2[render.Value, render.Value] {
	return func(yield func(key, val render.Value) bool) {
		trail, index := p.trail, p.index
		defer func() { p.trail, p.index = trail, index }()
		for key, val := range all {
			p.trail, p.index = fmt.Sprint(trail, " ", key.V), fmt.Sprint(key.V)
			if !yield(key, val) {
				return
			}
		}
	}
}

// loop executes two rounds of a loop over a stub.
func (p *probe) loop(x *render.Execution, dot, val render.Value, r *parse.RangeNode) error {
	p.forks++
	p.here = p.use(x, r.Pipe)
	p.tested(val)
	before, drop := p.save(x.Vars)
	defer drop()
	kind := "list"
	if len(r.Pipe.Decl) == 2 {
		kind = "list or map"
	}
	p.typed(val, kind)
	if v := given(val); v != nil {
		return p.items(x, dot, val, r)
	}
	index := p.index
	p.index = anyItem
	each, none, execute := p.round(x, dot, val, r)
	err := p.within(each, func() (err error) {
		for range 2 {
			err = execute()
		}
		return err
	})
	p.index = index
	if err != nil {
		return err
	}
	then, _ := p.save(x.Vars)
	p.join(x, then, before)
	return p.within(none, func() error { return all(x, dot, r.ElseList) })
}

// round returns a function that executes a round of a loop over a stub, for all of its rounds, and the
// guards of such a round and of none.
func (p *probe) round(
	x *render.Execution, dot, val render.Value, r *parse.RangeNode,
) (each, none guard, execute func() error) {
	s, at, mark := val.V.(*stub), p.use(x, r.Pipe), len(x.Vars)
	element := p.element(s, at)
	key := newStub(&stub{of: origins(val), through: []string{keyOf}, open: true})
	text := p.inPaths(x, dot, r.Pipe)
	_, none = sides(text, at.At)
	each = guard{text: "range " + text, at: at.At, over: s.is, loop: true}
	return each, none, func() error {
		x.Declare(r.Pipe, key, element)
		err := all(x, element, r.List)
		x.Pop(mark)
		return err
	}
}

// items executes the rounds of a loop over a list or map that is given.
func (p *probe) items(x *render.Execution, dot, val render.Value, r *parse.RangeNode) error {
	s, use, mark, index := val.V.(*stub), p.use(x, r.Pipe), len(x.Vars), p.index
	defer func() { p.index = index }()
	round := func(key, item any) error {
		one := *s
		one.given = map[string]any{anyItem: item}
		element := p.child(&one, refconfig.Step{Index: -1, Any: true}, use)
		p.index = fmt.Sprint(key)
		x.Declare(r.Pipe, render.Value{V: key, Input: true}, element)
		err := all(x, element, r.List)
		x.Pop(mark)
		return err
	}
	switch v := s.given.(type) {
	case []any:
		for i, item := range v {
			if err := round(i, item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range tree.Keys(v) {
			if err := round(key, v[key]); err != nil {
				return err
			}
		}
	}
	if function.Empty(s.given) {
		return all(x, dot, r.ElseList)
	}
	return nil
}

// print records that a value is printed.
func (p *probe) print(x *render.Execution, val render.Value, n *parse.ActionNode) {
	if p.gone != nil {
		p.printedWithout(val, n)
	}
	if !undetermined(val) {
		if val.Lacks() && len(p.via) > 0 && !p.opened {
			what := p.calledAt.Problem(code.RefArguments, "%q is called without a value that it prints: {{%s}} at %s",
				p.via[len(p.via)-1], n.Pipe, x.File.Place(n.Position()))
			if !slices.Contains(p.lacking, what) {
				p.lacking = append(p.lacking, what)
			}
		}
		x.Print(val, n)
		return
	}
	p.here = p.use(x, n)
	if p.gone == nil {
		p.printed(val, n)
	}
	x.Out.PrintNothing(val)
}
