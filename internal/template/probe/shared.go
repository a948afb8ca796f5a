package probe

import (
	"context"
	"maps"
	"slices"
	"sync"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
)

// Templates share checks: a function file defines them, and each template calls them with the whole CR,
// outside of conditions. Such a call does the same in all of them. So it is executed by itself, as if it
// were a template, and the runs of the templates adopt what was found.

// Prober executes templates of one set as Execute does, but the calls that they share only once. The zero
// value is ready for use. Several goroutines may use it, with the same context.
type Prober struct {
	calls sync.Map // by *template.Definition: func() *sharedCall
}

// Execute executes a template on an object about which nothing is known. It stops when the context ends.
func (r *Prober) Execute(ctx context.Context, t *template.Template) *Probed {
	p := newProbe()
	p.shared = map[parse.Node]*sharedCall{}
	for n, called := range t.WholeCalls() {
		once := sync.OnceValue(func() *sharedCall { return newSharedCall(ctx, called) })
		known, _ := r.calls.LoadOrStore(called.Body, once)
		if one := known.(func() *sharedCall)(); one != nil {
			p.shared[n] = one
		}
	}
	return p.execute(ctx, t)
}

// sharedCall is what is known of a call that templates share.
type sharedCall struct {
	template *template.Template // its body is the called definition
	first    *probe             // the first run
	found    render.Stretch     // what the first run printed
	further  *probe             // the first run too, with the recorded calls for the runs with a value
	plain    *recorded          // the run in which no field has a value
	valued   sync.Map           // by valued: func() conclusion
}

// valued is a field that has a value in a run: it is absent, or has one that no template states.
type valued struct {
	path     string
	isAbsent bool
}

// conclusion is what a run finds about the field that has a value.
type conclusion struct {
	outcome
	about *askedField // nil for nothing
}

// newSharedCall executes a call. It returns nil if the call must be executed in each template, because it
// prints something, reaches a limit, or has a problem that is reported where it is called.
func newSharedCall(ctx context.Context, t *template.Template) *sharedCall {
	p, calling := newProbe(), &Nested{}
	p.via, p.trail, p.calling, p.nested = []string{t.Body.Name}, " "+t.Body.Name, calling, &calling.Nested
	x, err := p.explore(ctx, t, p.hooks(), &render.Output{})
	further := *p
	c := &sharedCall{template: t, first: p, found: x.End(render.Stretch{}), further: &further}
	if err != nil || p.cut || len(p.lacking) > 0 || !c.found.IsBlank() {
		return nil
	}
	if c.plain = further.recordCalls(ctx, t); c.plain == nil || !c.plain.stretch.IsBlank() {
		return nil
	}
	return c
}

// sharedOf returns what is known of the call of a named template; nil if each template executes it.
func (p *probe) sharedOf(n parse.Node) *sharedCall {
	if len(p.via) > 0 { // a named template may call the body
		return nil
	}
	return p.shared[n]
}

// adopt adds what the call finds to the first run of a template. It adds nothing and returns false if
// executing the call there may find something else.
func (c *sharedCall) adopt(p *probe, x *render.Execution) bool {
	f := c.first
	if under(x.Out) != "" || p.opened && len(f.doubts) > 0 || p.work+f.work > mostWork || !x.Repeat(c.found) {
		return false
	}
	for name, b := range f.asked {
		p.recordOf(name, b.path).adopt(b)
	}
	for _, l := range f.lookups {
		p.adoptLookup(l)
	}
	p.calling.Nested, p.calling.Reads = copied(*f.nested), slices.Clone(f.calling.Reads)
	for _, one := range f.checks {
		p.addCheck(one)
	}
	for _, one := range f.doubts {
		p.doubt(one)
	}
	maps.Copy(p.checked, f.checked)
	maps.Copy(p.failed, f.failed)
	p.opened = p.opened || f.opened
	p.work += f.work
	return true
}

// adopt adds what the first run of a call has found about the field.
func (a *askedField) adopt(b *askedField) {
	a.conclude(b)
	a.kinds = append(a.kinds, b.kinds...)
	for _, c := range b.Constraints {
		a.constrain(c)
	}
	for _, u := range b.Uses {
		a.addUse(u)
	}
	maps.Copy(a.prints, b.prints)
}

// conclude adds what a run of a call has found about the need and the default of the field.
func (a *askedField) conclude(b *askedField) {
	a.require(b.Need, b.When...)
	if b.Default != nil {
		a.defaults(*b.Default, b.Always)
	}
	a.noDefault = a.noDefault || b.noDefault
}

// adoptLookup adds a lookup, and the fields that are read of its CRs.
func (p *probe) adoptLookup(l *LookedUp) {
	i := slices.IndexFunc(p.lookups, l.same)
	if i < 0 {
		own := *l
		own.Reads = slices.Clone(l.Reads)
		p.lookups = append(p.lookups, &own)
		return
	}
	for _, path := range l.Reads {
		p.lookups[i].read(path)
	}
}

// copied returns a copy of calls that may be changed.
func copied(all []Nested) []Nested {
	all = slices.Clone(all)
	for i := range all {
		all[i].Nested, all[i].Reads = copied(all[i].Nested), slices.Clone(all[i].Reads)
	}
	return all
}

// repeat adds what the call does to a run of a template in which a field has a value. It adds nothing and
// returns false if executing the call there may do something else.
func (c *sharedCall) repeat(p *probe, x *render.Execution) bool {
	one := conclusion{outcome: outcome{work: c.plain.work, stretch: c.plain.stretch, whole: true}}
	if isRecording := p.records != nil; !isRecording && (c.plain.concludes || c.plain.reads[p.gone.Path]) {
		one = c.concludes(x.Context, p.gone, p.value)
	}
	if !one.whole || !one.stretch.IsBlank() || p.work+one.work > mostWork || !x.Repeat(one.stretch) {
		return false
	}
	p.work += one.work
	if one.about != nil {
		p.gone.conclude(one.about)
	}
	return true
}

// concludes returns what the run of the call in which a field has a value finds about the field.
func (c *sharedCall) concludes(ctx context.Context, gone *askedField, v render.Value) conclusion {
	once := sync.OnceValue(func() conclusion {
		about := &askedField{Field: Field{Path: gone.Path, Need: Optional}, path: gone.path}
		if read := c.first.asked[gone.Path]; read != nil && v.Absent {
			about.prints = read.prints
		}
		return conclusion{c.further.executeWith(ctx, c.template, about, v), about}
	})
	known, _ := c.valued.LoadOrStore(valued{gone.Path, v.Absent}, once)
	return known.(func() conclusion)()
}
