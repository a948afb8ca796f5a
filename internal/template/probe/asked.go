package probe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// askedField is a field that a template reads, with what the runs have found out about it.
type askedField struct {
	Field
	path      refconfig.FieldPath
	prints    map[spot]printedAs
	kinds     []string // the types that its uses take, one after the other
	noDefault bool     // some use has no default or a different one
}

// clone returns a copy that a run without the field may change.
func (a *askedField) clone() *askedField {
	other := *a
	other.Constraints = slices.Clone(a.Constraints)
	other.When = slices.Clone(a.When)
	return &other
}

// printedAs is how an action prints a field.
type printedAs struct {
	single   bool // it prints nothing else, and no condition decides what it prints
	made     bool // it prints a value that a function made from the field
	included bool // it prints the text of a named template
}

func (n Need) rank() int { return slices.Index([]Need{Mandatory, Conditional, Computed, Optional}, n) }

// Over reports whether a need is stronger than another one.
func (n Need) Over(other Need) bool { return n.rank() < other.rank() }

// field returns the record of a field and adds its use; nil if it is not a field of the CR.
func (p *probe) field(o origin) *askedField {
	if p.gone != nil {
		return nil // only the first run tells what is read
	}
	if o.lookup != nil {
		if len(o.path) > 0 && o.path[0].Any { // the step to one of several CRs
			o.path = o.path[1:]
		}
		if len(o.path) > 0 {
			o.lookup.read(o.path.String())
		}
		return nil
	}
	if o.use.At == "" {
		o.use = p.here // the CR itself is read where it is used
	}
	name := o.name()
	a := p.recordOf(name, o.path)
	if in := o.use.in; in != nil && !slices.Contains(in.Reads, name) {
		in.Reads = append(in.Reads, name)
	}
	a.addUse(o.use)
	return a
}

// recordOf returns the record of a field, a new one if the field is not known yet.
func (p *probe) recordOf(name string, path refconfig.FieldPath) *askedField {
	a := p.asked[name]
	if a == nil {
		a = &askedField{Field: Field{Path: name, Need: Optional}, path: path, prints: map[spot]printedAs{}}
		p.asked[name] = a
	}
	return a
}

// read records that a template reads a field of the CRs.
func (l *LookedUp) read(path string) {
	if !slices.Contains(l.Reads, path) {
		l.Reads = append(l.Reads, path)
	}
}

// addUse adds a use, unless it is known.
func (a *askedField) addUse(one Use) {
	if !slices.ContainsFunc(a.Uses, func(u Use) bool { return u.At == one.At && slices.Equal(u.Via, one.Via) }) {
		a.Uses = append(a.Uses, one)
	}
}

// consume records that the template needs fields.
func (p *probe) consume(fields []origin, need Need) {
	for _, o := range fields {
		if a := p.field(o); a != nil {
			a.require(need)
		}
	}
}

// require records that the template needs the field. If the need is Conditional, any of the
// conditions is enough.
func (a *askedField) require(need Need, when ...string) {
	if need.Over(a.Need) {
		a.Need, a.When = need, nil
	}
	for _, c := range when {
		if a.Need == Conditional && !slices.Contains(a.When, c) {
			a.When = append(a.When, c)
		}
	}
}

// tested records that a condition or a loop depends on a value, so its fields may be absent. Only the
// first run records that.
func (p *probe) tested(v render.Value) {
	if p.gone == nil {
		p.consume(origins(v), Optional)
	}
}

// printed records that the first run prints a value.
func (p *probe) printed(v render.Value, n parse.Node) {
	s := asStub(v)
	all := origins(v)
	how := printedAs{
		single:   len(all) == 1 && !s.joined,
		made:     len(s.of) > 0,
		included: len(s.of) > 0 && s.open,
	}
	isKey := slices.Equal(s.through, []string{keyOf})
	for _, o := range all {
		a := p.field(o)
		if a == nil {
			continue
		}
		a.prints[spot{p.trail, n}] = how
		if !isKey && (len(o.path) == 0 || o.isElement() && len(s.is) == 0) { // no run lacks this field
			a.require(Computed)
		}
	}
}

// effect is the conclusion about the absent field from a print in a run without the field. It
// counts if the print gets into the output: the text of an include may be lost.
type effect struct {
	take  func(a *askedField) // applies the conclusion to the field
	below bool                // a field below the absent one is printed
	shown bool                // the print got into the output
}

// apply applies an effect at once or, in an include, when the text of the include is printed.
func (p *probe) apply(one *effect) {
	p.concluded()
	if p.prints != nil {
		*p.prints = append(*p.prints, one)
		p.included = append(p.included, one)
		return
	}
	one.shown = true
	one.take(p.gone)
}

// printedWithout records what a run prints in place of the absent field, which the first run
// prints there.
func (p *probe) printedWithout(v render.Value, n parse.Node) {
	s, isStub := v.V.(*stub)
	if isStub && len(s.prints) > 0 {
		for _, one := range s.prints {
			p.apply(one)
		}
		return
	}
	how, printed := p.gone.prints[spot{p.trail, n}]
	switch {
	case (v.Absent || v.Lacks() && !isNull(v.V)) && (printed || v.IsBelow(p.value)):
		p.apply(&effect{take: p.missed(), below: !printed})
	case !printed:
	case isStub && !s.open && len(s.of) == 0:
		p.apply(&effect{take: instead(Optional)})
	case undetermined(v), how.included:
		p.apply(&effect{take: instead(Computed)})
	default:
		blank, single, always := v.V, how.single, len(p.conditions()) == 0
		if text, isText := v.V.(string); isText {
			blank = asYAML(text)
			single = single && (how.made || tree.Equal(blank, text)) // else it may be in quotes
		}
		p.apply(&effect{take: func(a *askedField) {
			a.defaults(blank, always)
			a.noDefault = a.noDefault || !single
		}})
	}
}

// isNull reports whether a value is printed as null.
func isNull(v any) bool {
	text, isText := v.(string)
	return v == nil || isText && asYAML(text) == nil
}

// instead returns the effect of printing something unknown in place of the absent field.
func instead(need Need) func(*askedField) {
	return func(a *askedField) {
		a.require(need)
		a.noDefault = true
	}
}

// missed returns the effect of an execution that needs the absent field: the field is mandatory,
// or conditional if there are unknown conditions around the execution.
func (p *probe) missed() func(*askedField) {
	p.concluded()
	when := p.conditions()
	return func(a *askedField) {
		a.noDefault = true
		if len(when) == 0 {
			a.require(Mandatory)
		} else {
			a.require(Conditional, strings.Join(when, " and "))
		}
	}
}

// asYAML returns the value that a text in a CR has in YAML, or the text itself if it is not one
// value.
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

// defaults records the value that is printed if the field is absent.
func (a *askedField) defaults(blank any, always bool) {
	if n, isInt := blank.(int); isInt { // the type of integers in YAML
		blank = int64(n)
	}
	a.Always = a.Always || always
	a.noDefault = a.noDefault || a.Default != nil && !tree.Equal(*a.Default, blank)
	a.Default = &blank
}

// conditions returns the unknown conditions and loops around the current action. It omits a loop over
// a list or map if the absent field is in an element of it.
func (p *probe) conditions() (all []string) {
	for _, g := range p.guards {
		around := slices.ContainsFunc(g.over, func(o origin) bool {
			at := len(o.path)
			return o.lookup == nil && at < len(p.gone.path) && isPrefix(o.path, p.gone.path) && p.gone.path[at].Any
		})
		if !around && !slices.Contains(all, g.text) {
			all = append(all, g.text)
		}
	}
	return all
}

// isPrefix reports whether the path short leads to the field of the path long, or to a field above
// it.
func isPrefix(short, long refconfig.FieldPath) bool {
	return len(short) <= len(long) && slices.EqualFunc(short, long[:len(short)], func(a, b refconfig.Step) bool {
		return a == b || refconfig.FieldPath{a}.String() == refconfig.FieldPath{b}.String()
	})
}

// typed records that a function takes a value as some type. Only the first run records that.
func (p *probe) typed(v render.Value, kind string) {
	s, ok := v.V.(*stub)
	if kind == "" || !ok || p.gone != nil {
		return
	}
	for _, o := range s.is {
		if a := p.field(o); a != nil {
			a.kinds = append(a.kinds, kind)
		}
	}
}

// narrow reduces the types of the field to those that all uses take. If a use takes none of them,
// narrow adds the types of that use. A "string of YAML" is a string too.
func (f *Field) narrow(kind string) {
	const or = " or "
	var have, both []string
	if f.Type != "" {
		have = strings.Split(f.Type, or)
	}
	types := strings.Split(kind, or)
	for _, one := range have {
		for _, other := range types {
			switch {
			case strings.HasPrefix(one+" ", other+" "):
				both = append(both, one)
			case strings.HasPrefix(other, one+" "):
				both = append(both, other)
			}
		}
	}
	if both == nil {
		both = append(have, types...)
	}
	f.Type = strings.Join(both, or)
}

// held records a comparison of a value with the values in against.
func (p *probe) held(v render.Value, by string, against []any) {
	s, ok := v.V.(*stub)
	if len(against) == 0 || !ok || s.mixed {
		return
	}
	fields := s.is
	if len(s.of) == 1 && len(s.is) == 0 {
		fields = s.of
	}
	c := Constraint{By: by, Through: strings.Join(s.through, " "), Values: against, Use: p.here}
	for _, o := range fields {
		if a := p.field(o); a != nil {
			a.constrain(c)
		}
	}
}

// constrain adds a comparison, unless it is known.
func (a *askedField) constrain(c Constraint) {
	if !slices.ContainsFunc(a.Constraints, c.Same) {
		a.Constraints = append(a.Constraints, c)
	}
}

// Same reports whether two constraints are the same comparison.
func (c Constraint) Same(d Constraint) bool {
	return c.By == d.By && c.Through == d.Through && fmt.Sprint(c.Values...) == fmt.Sprint(d.Values...)
}

// fields returns the fields, sorted by path.
func (p *probe) fields() []Field {
	all := []Field{}
	for _, name := range tree.Keys(p.asked) {
		f := p.asked[name].Field
		for _, kind := range p.asked[name].kinds {
			f.narrow(kind)
		}
		if p.asked[name].noDefault || f.Need != Optional {
			f.Default, f.Always = nil, false
		}
		for _, u := range f.Uses {
			f.Description = cmp.Or(f.Description, u.file.Above(u.pos))
		}
		all = append(all, f)
	}
	return all
}
