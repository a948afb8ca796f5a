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
	"github.com/validationtool/validationtool/internal/template"
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
	untried   int
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

// checked returns the values that are known to be checked, by template and path.
func (m *Mutations) checked() map[[2]string]bool {
	all := map[[2]string]bool{}
	for name, t := range m.templates {
		for path, v := range t.byPath {
			all[[2]string{name, path}] = v.Checked
		}
	}
	return all
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
	workers.Each(ctx, opt.Workers, len(r.compared), func(i int) bool {
		if v := r.compared[i]; v.found.Result == finding.Clean {
			x.change(v)
		}
		return true
	})
	if !opt.Given {
		x.takeAway()
	}
	return r.result, ctx.Err()
}

// mutator changes the CRs of a run.
type mutator struct {
	*run
	to       *Mutations
	known    map[[2]string]bool // what was checked before this run, so that no order of its CRs counts
	listing  *comparer          // lists what is not compared
	lookers  []int              // the compared CRs whose templates look up others
	asked    sync.Map           // the values with which templates compare fields, by template
	evidence *cluster.Evidence
}

// mostMutated is the number of values of one CR that are changed.
const mostMutated = 2000

// newMutator returns a mutator. Its comparers record nothing in the run.
func newMutator(r *run, to *Mutations) *mutator {
	x := &mutator{run: r, to: to, known: to.checked(), evidence: cluster.NewEvidence(&r.in)}
	x.listing = x.over(r.store)
	x.listing.opt.Suppressed, x.listing.opt.Show.Secrets = Listed, true
	for i, v := range r.compared {
		t := r.templates.byRef(v.template)
		if slices.ContainsFunc(t.Calls(), func(c template.Call) bool { return c.Is("lookupCR", "lookupCRs") }) {
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

// change changes the values of an object, of which v is the verdict.
func (x *mutator) change(v *verdict) {
	one := x.listing.weigh(x.listing.subject(v.stored, x.assigned[v.stored]))
	if len(one.ranked) == 0 || one.ranked[0].err != nil {
		return
	}
	a, name := one.ranked[0], v.found.Template.Path
	gone := map[string]bool{"apiVersion": true, "kind": true}
	for _, f := range a.suppressed {
		gone[f.Path] = true
	}
	tried := 0
	var visit func(value any, path refconfig.FieldPath)
	visit = func(value any, path refconfig.FieldPath) {
		if gone[path.String()] || x.ctx.Err() != nil {
			return
		}
		isMany := len(path) > 0
		switch value := value.(type) {
		case map[string]any:
			for _, key := range tree.Keys(value) {
				visit(value[key], path.Below(refconfig.Key(key)))
			}
			isMany = isMany && len(value) > 0
		case []any:
			for i, item := range value {
				visit(item, path.Below(refconfig.Step{Index: i}))
			}
			isMany = isMany && len(value) > 0
		default:
			isMany = false
		}
		if len(path) == 0 || x.known[[2]string{name, path.String()}] {
			return
		}
		if tried++; tried > mostMutated {
			x.to.skip()
			return
		}
		checked, done := x.isChecked(v, a, path, value)
		switch {
		case !done && isMany: // of a document, to which nothing can be added
			return
		case !done:
			x.to.skip()
			return
		}
		x.to.record(name, MutatedValue{Path: path, Checked: checked, Many: isMany})
	}
	visit(a.input, nil)
}

func (m *Mutations) skip() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.untried++
}

// isChecked reports whether a comparison finds another value at a path. done is false if the value
// cannot be changed.
func (x *mutator) isChecked(v *verdict, a *attempt, path refconfig.FieldPath, value any) (checked, done bool) {
	for _, other := range slices.Concat(otherValues(value), x.stated(a.template, path)) {
		if tree.Equal(value, other) {
			continue
		}
		by := x.with(v.stored, a, path, other)
		if by == nil {
			continue
		}
		if done = true; x.finds(v, by) {
			return true, true
		}
	}
	return false, done
}

// finds reports whether a comparison finds that another object is in the place of one.
func (x *mutator) finds(v *verdict, by *stored) bool {
	c, lookers := x.listing, []int(nil)
	if x.templates.keeps(v.stored.object.ID) {
		c, lookers = x.over(x.store.with(v.stored, by)), x.lookers
	}
	if outcomeOf(c.safely(by, x.assigned[v.stored])) != outcomeOf(v) {
		return true
	}
	return slices.ContainsFunc(lookers, func(i int) bool {
		other := x.compared[i]
		return other != v && outcomeOf(c.safely(other.stored, x.assigned[other.stored])) != outcomeOf(other)
	})
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
			return x.templates.byRef(v.template) == without
		}))
		isPresent := func(t *refconfig.Template) bool { return len(there[x.templates.byRef(t)]) > 0 }
		return x.ref.Evaluate(isPresent, x.opt.Keep)
	}
	before := evaluate(nil)
	for _, v := range x.compared {
		t := x.templates.byRef(v.template)
		of := x.to.of(v.found.Template.Path)
		of.Required = of.Required || !reflect.DeepEqual(before, evaluate(t))
	}
}
