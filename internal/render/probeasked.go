package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// askedField is what was found out about a field.
type askedField struct {
	path        refconfig.FieldPath
	need        Need
	defaultsTo  any
	hasDefault  bool
	always      bool // the default is expected under no condition
	noDefault   bool // another use has another default, or none
	when        []string
	types       []string
	constraints []Constraint
	uses        []Use
}

func (n Need) rank() int { return slices.Index([]Need{Mandatory, Conditional, Computed, Optional}, n) }

// field returns what is known of a field, nil for what is no field of the CR.
func (p *probe) field(o origin) *askedField {
	if o.lookup != nil {
		if len(o.path) > 0 && o.path[0].Any { // one of several CRs
			o.path = o.path[1:]
		}
		if text := o.path.String(); len(o.path) > 0 && !slices.Contains(o.lookup.Reads, text) {
			o.lookup.Reads = append(o.lookup.Reads, text)
		}
		return nil
	}
	if o.use.At == "" {
		o.use = p.here // the CR itself
	}
	name := o.name()
	a := p.asked[name]
	if a == nil {
		a = &askedField{path: o.path, need: Optional}
		p.asked[name] = a
	}
	if !slices.ContainsFunc(a.uses, func(u Use) bool { return u.At == o.use.At && slices.Equal(u.Via, o.use.Via) }) {
		a.uses = append(a.uses, o.use)
	}
	return a
}

// consume notes that fields are needed.
func (p *probe) consume(fields []origin, need Need, when []string) {
	for _, o := range fields {
		if a := p.field(o); a != nil {
			a.require(need, when)
		}
	}
}

// require notes that the field is needed, under any of some conditions.
func (a *askedField) require(need Need, when []string) {
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
func (p *probe) tested(v value) { p.consume(v.origins(), Optional, nil) }

// printedField is a field of which a value is printed that depends on it.
type printedField struct {
	field  origin
	missed bool // without it there is a finding
	known  bool // else, whether something is known to be printed without it
	single bool // which is always the same
	blank  any  // namely this
	// what is around it
	conditions []string
	above      []askedField // the fields above it, which are needed where it is
	shown      bool         // it is printed in the end
}

// printed notes that a value is printed.
func (p *probe) printed(v value) {
	s, isStub := v.v.(*stub)
	if !isStub {
		s = madeOf(v).v.(*stub)
	}
	covered := map[string]bool{}
	for _, one := range s.prints {
		covered[one.field.name()] = true
		p.settle(one)
	}
	all := v.origins()
	for _, o := range all {
		_, guarded := p.conditions(o)
		w, known := s.without[o.name()]
		switch {
		case covered[o.name()]:
		case o.isElement() && len(s.is) > 0, guarded, slices.Equal(s.through, []string{keyOf}):
			p.consume([]origin{o}, Optional, nil)
		default:
			one := printedField{field: o, known: known && !w.val.undetermined()}
			one.missed = one.known && (w.val.absent || w.val.lost != nil)
			if other, undetermined := w.val.v.(*stub); undetermined {
				one.known = !other.open && len(other.of) == 0
			} else if text, isText := w.val.v.(string); isText {
				one.blank = asYAML(text)
				one.single = len(s.of) > 0 || tree.Equal(one.blank, text) // else it may stand in quotes
			} else {
				one.blank, one.single = w.val.v, true
			}
			one.single = one.single && len(all) == 1 && !s.joined
			p.settle(&one)
		}
	}
}

// settle notes what it means that a field is printed: now, or inside an include once the text of
// that is printed.
func (p *probe) settle(one *printedField) {
	if one.conditions == nil {
		p.around(one)
	}
	if p.prints != nil {
		*p.prints = append(*p.prints, one)
		p.pending = append(p.pending, one)
		return
	}
	one.shown = true
	fields := []origin{one.field}
	switch {
	case one.missed:
		p.above = append(p.above, one.above...)
		when := []string{strings.Join(one.conditions, " and ")}
		if len(one.conditions) == 0 {
			p.consume(fields, Mandatory, nil)
		} else {
			p.consume(fields, Conditional, when)
		}
	case one.known:
		p.consume(fields, Optional, nil)
		if one.single {
			p.defaults(one.field, one.blank, len(one.conditions) == 0)
			return
		}
	default:
		p.consume(fields, Computed, nil)
	}
	p.noDefault(one.field)
}

// around notes the conditions around a field that is missed, and the fields above it that no
// condition is about.
func (p *probe) around(one *printedField) {
	o := one.field
	one.conditions, _ = p.conditions(o)
	inItems := slices.ContainsFunc(o.path, func(s refconfig.Step) bool { return s.Any })
	// no loop is over elements that the fields above belong to
	for i := len(o.path) - 1; o.lookup == nil && !inItems && i > 0 && len(one.conditions) > 0; i-- {
		above := o.path[:i]
		if slices.ContainsFunc(p.guards, func(g guard) bool { return g.has(origin{path: above}) }) {
			break // which goes for those above it too
		}
		one.above = append(one.above, askedField{path: above, when: []string{strings.Join(one.conditions, " and ")}})
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
func (p *probe) defaults(o origin, blank any, always bool) {
	if n, isInt := blank.(int); isInt { // as YAML has it
		blank = int64(n)
	}
	if a := p.field(o); a != nil {
		a.always = a.always || always
		if a.hasDefault && !tree.Equal(a.defaultsTo, blank) {
			a.noDefault = true
		}
		a.defaultsTo, a.hasDefault = blank, true
	}
}

// noDefault notes that a use of a field has no default.
func (p *probe) noDefault(o origin) {
	if a := p.field(o); a != nil {
		a.noDefault = true
	}
}

// conditions are those under which a field is needed. guarded says that one of them is that it is
// there. A loop over elements that the field belongs to is none.
func (p *probe) conditions(o origin) (all []string, guarded bool) {
	for _, g := range p.guards {
		guarded = guarded || g.has(o)
		if !g.around(o) && !slices.Contains(all, g.text) {
			all = append(all, g.text)
		}
	}
	return all, guarded
}

// around reports whether it is a loop over elements that a field belongs to.
func (g guard) around(o origin) bool {
	return g.loop && slices.ContainsFunc(g.excludes, func(p origin) bool {
		return p.lookup == o.lookup && len(p.path) < len(o.path) && isPrefix(p.path, o.path) && o.path[len(p.path)].Any
	})
}

// has reports whether a condition says that a field is there.
func (g guard) has(o origin) bool {
	return !g.loop &&
		slices.ContainsFunc(g.excludes, func(p origin) bool { return p.lookup == o.lookup && isPrefix(o.path, p.path) })
}

// isPrefix reports whether a path leads to, or above, the field of another.
func isPrefix(short, long refconfig.FieldPath) bool {
	return len(short) <= len(long) && slices.EqualFunc(short, long[:len(short)], func(a, b refconfig.Step) bool {
		return a == b || refconfig.FieldPath{a}.String() == refconfig.FieldPath{b}.String()
	})
}

// typed notes what a function takes a value for.
func (p *probe) typed(v value, kind string) {
	s, ok := v.v.(*stub)
	if kind == "" || !ok {
		return
	}
	for _, o := range s.is {
		if a := p.field(o); a != nil && !slices.Contains(a.types, kind) {
			a.types = append(a.types, kind)
		}
	}
}

// held notes what a value is held against.
func (p *probe) held(v value, by string, against []any) {
	s, ok := v.v.(*stub)
	if len(against) == 0 || !ok || s.mixed {
		return
	}
	fields := s.is
	if len(s.of) == 1 && len(s.is) == 0 {
		fields = s.of
	}
	c := Constraint{By: by, Through: strings.Join(s.through, " "), Values: against}
	for _, o := range fields {
		if a := p.field(o); a != nil && !slices.ContainsFunc(a.constraints, c.Same) {
			a.constraints = append(a.constraints, c)
		}
	}
}

// Same reports whether two constraints ask for the same.
func (c Constraint) Same(d Constraint) bool {
	return c.By == d.By && c.Through == d.Through && fmt.Sprint(c.Values...) == fmt.Sprint(d.Values...)
}

// raise makes the fields mandatory below which a mandatory one lies, under the same conditions.
func (p *probe) raise() {
	for _, a := range p.above {
		if above := p.asked[origin{path: a.path}.name()]; above != nil {
			above.require(Conditional, a.when)
		}
	}
	for _, name := range tree.Keys(p.asked) {
		for i := range p.asked[name].path {
			if p.asked[name].need != Mandatory || p.asked[name].path[i].Any {
				break
			}
			if above := p.asked[origin{path: p.asked[name].path[:i]}.name()]; above != nil && i > 0 {
				above.need = Mandatory
			}
		}
	}
}

// fields are the fields in the order of their paths.
func (p *probe) fields() []Field {
	all := []Field{}
	p.raise()
	for name, a := range p.asked {
		f := Field{Path: name, Need: a.need, Type: strings.Join(a.types, " or "), Constraints: a.constraints, Uses: a.uses}
		if a.need == Conditional {
			f.When = a.when
		}
		if a.hasDefault && !a.noDefault && a.need == Optional {
			f.Default, f.Always = &a.defaultsTo, a.always
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b Field) int { return cmp.Compare(a.Path, b.Path) })
	return all
}
