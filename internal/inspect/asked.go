package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// asked is what was found out about a field.
type asked struct {
	path        refconfig.FieldPath
	need        Need
	defaultsTo  any
	hasDefault  bool
	noDefault   bool // another use has another default, or none
	when        []string
	types       []string
	constraints []Constraint
	uses        []Use
}

func (n Need) rank() int { return slices.Index([]Need{Mandatory, Conditional, Computed, Optional}, n) }

// of returns what is known of a field, nil for what is no field of the CR.
func (w *walker) of(o origin) *asked {
	if o.lookup != nil {
		if len(o.path) > 0 && o.path[0].Any { // one of several CRs
			o.path = o.path[1:]
		}
		if p := o.path.String(); len(o.path) > 0 && !slices.Contains(o.lookup.Reads, p) {
			o.lookup.Reads = append(o.lookup.Reads, p)
		}
		return nil
	}
	name := o.name()
	a := w.asked[name]
	if a == nil {
		a = &asked{path: o.path, need: Optional}
		w.asked[name] = a
	}
	if !slices.ContainsFunc(a.uses, func(u Use) bool { return u.At == o.use.At && slices.Equal(u.Via, o.use.Via) }) {
		a.uses = append(a.uses, o.use)
	}
	return a
}

// consume notes that fields are needed.
func (w *walker) consume(fields []origin, need Need, when []string) {
	for _, o := range fields {
		if a := w.of(o); a != nil {
			a.require(need, when)
		}
	}
}

// require notes that the field is needed, under any of some conditions.
func (a *asked) require(need Need, when []string) {
	switch {
	case need.rank() < a.need.rank():
		a.need, a.when = need, when
	case need == Conditional && a.need == Conditional:
		for _, c := range when {
			if !slices.Contains(a.when, c) {
				a.when = append(a.when, c)
			}
		}
	}
}

// tested notes that a condition or a loop depends on a value: then its fields may be absent.
func (w *walker) tested(v value) { w.consume(v.origins(), Optional, nil) }

// printed notes that a value is printed.
func (w *walker) printed(v value) {
	all := v.origins()
	single := len(all) == 1 && len(v.known) == 0 && v.sure
	for _, o := range all {
		_, guarded := w.conditions(o)
		switch {
		case o.isElement() && len(v.is) > 0, guarded, slices.Equal(v.through, []string{keyOf}):
			w.consume([]origin{o}, Optional, nil)
			continue
		case single && v.gone && !w.vague:
			w.missed(o)
		case v.sure && !v.gone && !w.vague:
			w.consume([]origin{o}, Optional, nil)
			if len(all) > 1 { // what is expected depends on the others
				w.noDefault(o)
				continue
			}
			blank, read := v.blank, v.blank
			if text, isText := blank.(string); isText {
				read = asYAML(text)
			}
			if len(v.of) > 0 || tree.Equal(read, blank) { // else it may stand in quotes
				w.defaults(o, read)
				continue
			}
		default:
			w.consume([]origin{o}, Computed, nil)
		}
		w.noDefault(o)
	}
}

// missed notes that a CR without a field has a finding where the walk is.
func (w *walker) missed(o origin) {
	conditions, guarded := w.conditions(o)
	when := []string{strings.Join(conditions, " and ")}
	switch {
	case guarded:
	case conditions == nil:
		w.consume([]origin{o}, Mandatory, nil)
	default:
		w.consume([]origin{o}, Conditional, when)
	}
	inItems := slices.ContainsFunc(o.path, func(s refconfig.Step) bool { return s.Any })
	for i := len(o.path) - 1; o.lookup == nil && !inItems && i > 0; i-- { // no loop is over elements that the fields above belong to
		above := o.path[:i]
		if conditions == nil || slices.ContainsFunc(w.guards, func(g guard) bool { return g.has(origin{path: above}) }) {
			break // which goes for those above it too
		}
		w.above = append(w.above, asked{path: above, when: when})
	}
}

// asYAML is what a text stands for in a CR; the text itself where it is not one value.
func asYAML(text string) any {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	docs, err := kubeyaml.Parse([]byte(text))
	if err != nil || len(docs) != 1 {
		return text
	}
	return docs[0].Value()
}

// defaults notes what is printed where a field is absent.
func (w *walker) defaults(o origin, blank any) {
	if a := w.of(o); a != nil {
		if a.hasDefault && !tree.Equal(a.defaultsTo, blank) {
			a.noDefault = true
		}
		a.defaultsTo, a.hasDefault = blank, true
	}
}

// noDefault notes that a use of a field has no default.
func (w *walker) noDefault(o origin) {
	if a := w.of(o); a != nil {
		a.noDefault = true
	}
}

// conditions are those under which a field is needed where the walk is. guarded says that one of them is that it is there. A loop over
// elements that the field belongs to is none.
func (w *walker) conditions(o origin) (all []string, guarded bool) {
	told := make(map[string]bool, len(w.guards))
	for _, g := range w.guards {
		guarded = guarded || g.has(o)
		within := g.loop && slices.ContainsFunc(g.present, func(p origin) bool {
			return p.lookup == o.lookup && len(p.path) < len(o.path) && isPrefix(p.path, o.path) && o.path[len(p.path)].Any
		})
		if !within && !told[g.text] {
			told[g.text] = true
			all = append(all, g.text)
		}
	}
	return all, guarded
}

// has reports whether a condition says that a field is there.
func (g guard) has(o origin) bool {
	return !g.loop && slices.ContainsFunc(g.present, func(p origin) bool { return p.lookup == o.lookup && isPrefix(o.path, p.path) })
}

// isPrefix reports whether a path leads to, or above, the field of another.
func isPrefix(short, long refconfig.FieldPath) bool {
	return len(short) <= len(long) && slices.EqualFunc(short, long[:len(short)], func(a, b refconfig.Step) bool {
		return a == b || refconfig.FieldPath{a}.String() == refconfig.FieldPath{b}.String()
	})
}

// typed notes what a function takes a value for.
func (w *walker) typed(v value, kind string) {
	if kind == "" {
		return
	}
	for _, o := range v.is {
		if a := w.of(o); a != nil && !slices.Contains(a.types, kind) {
			a.types = append(a.types, kind)
		}
	}
}

// held notes what a value is held against.
func (w *walker) held(v value, by string, against []any) {
	if len(against) == 0 || v.mixed {
		return
	}
	fields := v.is
	if len(v.of) == 1 && len(v.is) == 0 {
		fields = v.of
	}
	c := Constraint{By: by, Through: strings.Join(v.through, " "), Values: against}
	for _, o := range fields {
		if a := w.of(o); a != nil && !slices.ContainsFunc(a.constraints, c.Same) {
			a.constraints = append(a.constraints, c)
		}
	}
}

// Same reports whether two constraints ask for the same.
func (c Constraint) Same(d Constraint) bool {
	return c.By == d.By && c.Through == d.Through && fmt.Sprint(c.Values...) == fmt.Sprint(d.Values...)
}

// raise makes the fields mandatory below which a mandatory one lies, under the same conditions.
func (w *walker) raise() {
	for _, a := range w.above {
		if above := w.asked[origin{path: a.path}.name()]; above != nil {
			above.require(Conditional, a.when)
		}
	}
	for _, name := range tree.Keys(w.asked) {
		for i := range w.asked[name].path {
			if w.asked[name].need != Mandatory || w.asked[name].path[i].Any {
				break
			}
			if above := w.asked[origin{path: w.asked[name].path[:i]}.name()]; above != nil && i > 0 {
				above.need = Mandatory
			}
		}
	}
}

// parameters are the fields in the order of their paths.
func (w *walker) parameters() []Parameter {
	all := []Parameter{}
	w.raise()
	for _, name := range tree.Keys(w.asked) {
		a := w.asked[name]
		p := Parameter{Path: name, Need: a.need, Type: strings.Join(a.types, " or "), Constraints: a.constraints, Uses: a.uses}
		if a.need == Conditional {
			p.When = a.when
		}
		if a.hasDefault && !a.noDefault && a.need == Optional {
			p.Default = &a.defaultsTo
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b Parameter) int { return cmp.Compare(a.Path, b.Path) })
	return all
}
