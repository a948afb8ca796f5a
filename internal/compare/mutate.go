package compare

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Mutations records, for each value of CRs that agree with their templates, whether a comparison
// finds a change of it. The zero value is empty. It is for several runs with one reference.
type Mutations struct {
	mu        sync.Mutex
	templates map[string]*MutatedTemplate // by path
	untried   int                         // values
}

// MutatedTemplate is a template with a CR whose values were changed.
type MutatedTemplate struct {
	Values   []MutatedValue // sorted by path
	Required bool           // a rule needs its CRs
	byPath   map[string]*MutatedValue
}

// MutatedValue is a value of a CR, or a map or list to which something was added.
type MutatedValue struct {
	Path    refconfig.FieldPath
	Checked bool // a comparison finds a change
	Many    bool // it is a map or a list
}

// Template returns what is known of a template, nil if no CR of it was changed.
func (m *Mutations) Template(path string) *MutatedTemplate {
	t := m.templates[path]
	if t == nil {
		return nil
	}
	t.Values = nil
	for _, name := range tree.Keys(t.byPath) {
		t.Values = append(t.Values, *t.byPath[name])
	}
	return t
}

// Untried returns the number of values that could not be changed, or were too many.
func (m *Mutations) Untried() int { return m.untried }

// isChecked reports whether a value is known to be checked.
func (m *Mutations) isChecked(template string, path refconfig.FieldPath) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.templates[template]
	return t != nil && t.byPath[path.String()] != nil && t.byPath[path.String()].Checked
}

// record records a value.
func (m *Mutations) record(template string, v MutatedValue) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.of(template)
	v.Path = slices.Clone(v.Path)
	name := v.Path.String()
	if before := t.byPath[name]; before != nil {
		v.Checked = v.Checked || before.Checked
		v.Many = v.Many || before.Many
	}
	t.byPath[name] = &v
}

func (m *Mutations) of(template string) *MutatedTemplate {
	if m.templates == nil {
		m.templates = map[string]*MutatedTemplate{}
	}
	if m.templates[template] == nil {
		m.templates[template] = &MutatedTemplate{byPath: map[string]*MutatedValue{}}
	}
	return m.templates[template]
}

// Run does the same as the function Run. Then it changes each value that is compared of each CR
// without a finding, one by one, and compares again what the change may concern: the CR, and CRs
// whose templates look it up. It also takes away all CRs of a template, and evaluates the rules.
func (m *Mutations) Run(
	ctx context.Context, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options,
) (*finding.Run, error) {
	r := newRun(ctx, ref, engine, in, opt)
	if err := r.complete(r.compareAll()); err != nil || r.result.Interrupted {
		return r.result, err
	}
	x := newMutator(r, m)
	all := x.byTemplate()
	workers.Each(ctx, opt.Workers, len(all), func(i int) bool {
		x.changeAll(all[i])
		return true
	})
	if !opt.Given {
		x.takeAway()
	}
	r.result.Interrupted = ctx.Err() != nil
	return r.result, ctx.Err()
}

// mutator changes the CRs of a run.
type mutator struct {
	*run
	to       *Mutations
	listing  *comparer // lists what is not compared
	lookers  []int     // the compared CRs whose templates look up others
	asked    sync.Map  // the values with which templates compare fields, by template
	evidence *cluster.Evidence
}

// mostWork limits the comparisons for the CRs of one template. The work of one is the number of values of
// the CR and, if it looks up others, the number of these.
const mostWork = 500_000

// newMutator returns a mutator. Its comparers record nothing in the run.
func newMutator(r *run, to *Mutations) *mutator {
	x := &mutator{run: r, to: to, evidence: cluster.NewEvidence(&r.in)}
	x.listing = x.over(r.store)
	x.listing.opt.Suppressed, x.listing.opt.Show.Secrets = Listed, true
	for i, v := range r.compared {
		if v.template == nil {
			continue // its comparison ended with a panic
		}
		t := r.templates.byRef(v.template)
		if t.MayCall("lookupCR", "lookupCRs") {
			x.lookers = append(x.lookers, i)
		}
	}
	return x
}

// over returns a comparer like that of the run for other objects.
func (x *mutator) over(objects *store) *comparer {
	c := *x.comparer
	c.opt.Reached, c.opt.Progress, c.opt.Accept, c.opt.Fix, c.opt.Suppressed = nil, nil, nil, false, Untold
	c.store, c.evidence = objects, x.evidence
	return &c
}

// outcome is what is found about an object.
type outcome struct {
	template string // "" if it is not compared
	failed   bool
	counts   finding.Counts // without what is expected
	notes    int
}

func outcomeOf(v *verdict) (o outcome) {
	if v == nil || v.found == nil {
		return o
	}
	o = outcome{v.found.Template.Path, v.found.Error != nil, v.found.Counts, len(v.found.Notes)}
	o.counts.Expected, o.counts.Placeholders = 0, 0
	return o
}

// byTemplate returns the CRs without a finding, by their templates.
func (x *mutator) byTemplate() (all [][]*verdict) {
	at := map[string]int{}
	for _, v := range x.compared {
		if v.found.Result != finding.Clean {
			continue
		}
		i, known := at[v.found.Template.Path]
		if !known {
			i = len(all)
			at[v.found.Template.Path], all = i, append(all, nil)
		}
		all[i] = append(all[i], v)
	}
	return all
}

// changeAll changes the values of the CRs of a template. What is checked in one of them is not tried in
// the next one.
func (x *mutator) changeAll(of []*verdict) {
	left := mostWork
	for _, v := range of {
		one := x.listing.weigh(x.listing.subject(v.stored, x.assigned[v.stored]))
		if len(one.ranked) == 0 || one.ranked[0].err != nil {
			continue
		}
		a := one.ranked[0]
		c := &changing{mutator: x, of: v, as: a, gone: map[string]bool{"apiVersion": true, "kind": true}, left: &left}
		c.work = tree.SizeOf(a.input).Nodes + 1
		for _, f := range a.suppressed {
			c.gone[f.Path] = true
		}
		c.visit(a.input, nil)
	}
}

// changing changes the values of one CR.
type changing struct {
	*mutator
	of   *verdict
	as   *attempt
	gone map[string]bool // fields that are not compared
	work int             // the work of comparing it
	left *int            // the work that may still be done
}

// visit changes a value and then those below it.
func (c *changing) visit(value any, path refconfig.FieldPath) {
	if c.gone[path.String()] || c.ctx.Err() != nil {
		return
	}
	m, _ := value.(map[string]any)
	l, _ := value.([]any)
	isMany, name := len(m)+len(l) > 0, c.of.found.Template.Path
	if len(path) > 0 && !c.to.isChecked(name, path) {
		checked, done := c.isChecked(path, value)
		switch {
		case done:
			c.to.record(name, MutatedValue{Path: path, Checked: checked, Many: isMany})
		case !isMany: // to a map or list in a document, nothing can be added
			c.to.skip()
		}
	}
	for _, key := range tree.Keys(m) {
		c.visit(m[key], path.Below(refconfig.Key(key)))
	}
	for i, item := range l {
		c.visit(item, path.Below(refconfig.Step{Index: i}))
	}
}

func (m *Mutations) skip() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.untried++
}

// isChecked reports whether a comparison finds another value at a path. done is false if the value
// cannot be changed, or not often enough.
func (c *changing) isChecked(path refconfig.FieldPath, value any) (checked, done bool) {
	var tried []*stored
	for _, other := range slices.Concat(otherValues(value), c.stated(c.as.template, path)) {
		if tree.Equal(value, other) {
			continue
		}
		by := c.with(c.of.stored, c.as, path, other)
		if by == nil {
			continue
		}
		if *c.left -= c.work; *c.left < 0 {
			return false, false
		}
		if c.finds(c.of, c.instead(by), c.of.stored, by) {
			return true, true
		}
		tried = append(tried, by)
	}
	if !c.templates.keeps(c.of.stored.object.ID) {
		return false, len(tried) > 0
	}
	for _, by := range tried { // CRs that look the object up
		instead := c.instead(by)
		for _, i := range c.lookers {
			if *c.left -= c.work + len(c.store.distinct); *c.left < 0 {
				return false, false
			}
			if other := c.compared[i]; other != c.of && c.finds(other, instead, other.stored, other.stored) {
				return true, true
			}
		}
	}
	return false, len(tried) > 0
}

// instead returns a comparer of a run with another object in the place of the one that is changed.
func (c *changing) instead(by *stored) *comparer {
	if !c.templates.keeps(c.of.stored.object.ID) {
		return c.listing
	}
	return c.over(c.store.with(c.of.stored, by))
}

// finds reports whether another comparer finds something else about an object, or about another one in
// its place.
func (x *mutator) finds(v *verdict, c *comparer, e, by *stored) bool {
	return outcomeOf(c.safely(by, x.assigned[e])) != outcomeOf(v)
}

// with returns an object with another value at a path, nil if it cannot be written there.
func (x *mutator) with(e *stored, a *attempt, path refconfig.FieldPath, value any) *stored {
	before, err := e.decode()
	if err != nil {
		return nil
	}
	for i, step := range path {
		around, isInside := step.Around()
		if !isInside || i == len(path)-1 {
			continue
		}
		text := path[:i].Below(around)
		at := slices.IndexFunc(a.template.Ref.Config.Fields(refconfig.Embedded), func(f refconfig.FieldFunction) bool {
			return refconfig.OmitEntry{Path: f.Path}.Match(text)
		})
		was, _ := tree.At(before, text)
		is, isScalar := diff.Text(value)
		wasText, isText := was.(string)
		if at < 0 || !isText || !isScalar {
			return nil
		}
		value, isScalar = diff.WithValue(wasText, a.template.Ref.Config.Fields(refconfig.Embedded)[at], path[i+1:], is)
		if path = text; !isScalar {
			return nil
		}
		break
	}
	changed, ok := tree.Set(before, path, value)
	if !ok {
		return nil
	}
	other := &stored{object: e.object, value: changed.(map[string]any)}
	other.once.Do(func() {})
	if x.schemas == nil && path[0].Key != "metadata" {
		return other
	}
	text, err := tree.JSON(changed)
	if err != nil {
		return nil
	}
	read := manifest.Read("changed.json", "", []byte(text), manifest.Hints{Asked: true})
	if len(read.Objects) != 1 {
		return other
	}
	return &stored{object: read.Objects[0]}
}

// with returns a store that has another object in the place of one.
func (s *store) with(e, by *stored) *store {
	put := func(all []*stored, add bool) []*stored {
		all = slices.DeleteFunc(slices.Clone(all), func(one *stored) bool { return one == e })
		if add {
			all = append(all, by)
		}
		slices.SortStableFunc(all, func(a, b *stored) int { return manifest.Compare(a.object.ID, b.object.ID) })
		return all
	}
	before, after := e.object.ID, by.object.ID
	out := &store{read: s.read, distinct: put(s.distinct, true), copies: s.copies, byKind: maps.Clone(s.byKind)}
	was, is := [2]string{before.APIVersion, before.Kind}, [2]string{after.APIVersion, after.Kind}
	out.byKind[was] = put(out.byKind[was], false)
	out.byKind[is] = put(out.byKind[is], true)
	return out
}

// otherText is in the place of a text, and in what is added to maps and lists.
const otherText = "vtChanged"

const digits = "0123456789"

// otherValues returns other values of the type of a value. To a map or list, something is added.
func otherValues(v any) []any {
	switch v := v.(type) {
	case string:
		all := []any{otherText, v + otherText}
		if is, err := strconv.ParseBool(v); err == nil {
			all = append(all, strconv.FormatBool(!is))
		}
		if at := strings.IndexAny(v, digits); at >= 0 {
			rest := strings.TrimLeft(v[at:], digits)
			for _, n := range []string{"0", "1", "99999"} {
				all = append(all, v[:at]+n+rest)
			}
		}
		return all
	case bool:
		return []any{!v}
	case int64:
		return []any{v + 1, int64(0), int64(-1), int64(99999)}
	case float64:
		return []any{v + 1, float64(0), float64(-1)}
	case map[string]any:
		more := maps.Clone(v)
		more[otherText] = otherText
		return []any{more}
	case []any:
		more := []any{any(otherText)}
		if len(v) > 0 {
			more = append(more, v[0])
		}
		return []any{append(slices.Clip(v), more[len(more)-1])}
	}
	return []any{otherText}
}

// stated returns the values with which a template compares a field.
func (x *mutator) stated(t *render.Template, path refconfig.FieldPath) []any {
	known, _ := x.asked.LoadOrStore(t, sync.OnceValue(func() map[string][]any {
		values := map[string][]any{}
		for _, f := range probe.Execute(x.ctx, t.Template).Fields {
			for _, c := range f.Constraints {
				values[f.Path] = append(values[f.Path], c.Values...)
			}
		}
		return values
	}))
	values := known.(func() map[string][]any)()
	return slices.Concat(values[path.String()], values[path.Starred().String()])
}

// takeAway records for each template whether anything is found if all of its CRs are absent.
func (x *mutator) takeAway() {
	evaluate := func(without *render.Template) []refconfig.Violation {
		there := presentOf(x.templates, slice.Without(x.compared, func(v *verdict) bool {
			return v.template != nil && x.templates.byRef(v.template) == without
		}))
		isPresent := func(t *refconfig.Template) bool { return len(there[x.templates.byRef(t)]) > 0 }
		return x.ref.Evaluate(isPresent, x.opt.Keep)
	}
	before, known := evaluate(nil), map[string]bool{}
	for _, v := range x.compared {
		name := v.found.Template.Path
		if v.template == nil || known[name] {
			continue
		}
		known[name] = true
		t, of := x.templates.byRef(v.template), x.to.of(name)
		of.Required = of.Required || !reflect.DeepEqual(before, evaluate(t))
	}
}
