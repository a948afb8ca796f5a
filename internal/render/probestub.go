package render

import (
	"fmt"
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// stub is a value that is not determined, in a probe.
type stub struct {
	is      []origin // it is one of these fields, unchanged
	of      []origin // it was made of these fields
	through []string // how it was made of the only one of them
	mixed   bool     // it was made of others besides
	known   []any    // or it is one of these, which the template states
	open    bool     // or it is something else
	joined  bool     // which of these, or what it was made of, hangs on a condition
	// what it is in the world in which only one of these fields is absent, by its name
	without map[string]world
	prints  []*printedField // in the text of an include, which this is
}

// world is what a stub is where a field is absent.
type world struct {
	field origin
	val   value
}

// origin is a field that a value comes from, with the place where it was read.
type origin struct {
	lookup *LookedUp // of which the field is one of the results; nil for the CR itself
	path   refconfig.FieldPath
	use    Use
}

// WholeCR stands for the path of the CR itself.
const WholeCR = "the whole CR"

// name is how a field is called: with the CR that was looked up, if it is of one.
func (o origin) name() string {
	path := o.path.String()
	if len(o.path) == 0 {
		path = WholeCR
	}
	if o.lookup != nil {
		return path + " of " + o.lookup.What()
	}
	return path
}

// isElement reports whether a value can only be an element of a loop itself.
func (o origin) isElement() bool { return len(o.path) > 0 && o.path[len(o.path)-1].Any }

// union has every origin once: each field in each place.
func union(lists ...[]origin) []origin {
	all := slices.Concat(lists...)
	if len(all) < 2 {
		return all
	}
	known := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(o origin) bool {
		key := fmt.Sprintf("%p %s %s %q", o.lookup, o.path, o.use.At, o.use.Via)
		again := known[key]
		known[key] = true
		return again
	})
}

// newStub is a value that is a stub. One that is a field of the object is absent in the world
// without that.
func newStub(s *stub) value {
	if s.without == nil && len(s.is) == 1 && len(s.is[0].path) > 0 {
		s.without = map[string]world{s.is[0].name(): {s.is[0], value{absent: true, input: true}}}
	}
	return value{v: s, input: true}
}

// madeOf is what was made of some values in a way that is not known.
func madeOf(args ...value) value {
	all := make([][]origin, len(args))
	for i, a := range args {
		all[i] = a.origins()
	}
	return newStub(&stub{of: union(all...), open: true})
}

// deepestStub is how deep stubs are sought in maps and lists, which may hold themselves.
const deepestStub = 20

// eachStub calls visit for a stub, or those in a map or list.
func eachStub(v any, depth int, visit func(*stub)) {
	switch v := v.(type) {
	case *stub:
		visit(v)
	case map[string]any:
		for _, k := range tree.Keys(v) {
			if depth < deepestStub {
				eachStub(v[k], depth+1, visit)
			}
		}
	case []any:
		for _, e := range v {
			if depth < deepestStub {
				eachStub(e, depth+1, visit)
			}
		}
	}
}

// undetermined reports whether a value is a stub, or holds one.
func (x value) undetermined() bool {
	found := false
	eachStub(x.v, 0, func(*stub) { found = true })
	return found
}

// origins are all fields that a value depends on.
func (x value) origins() []origin {
	var all [][]origin
	eachStub(x.v, 0, func(s *stub) { all = append(all, s.is, s.of) })
	return union(all...)
}

// worlds are those in which it is known what some values are, by the field that is absent.
func worlds(args []value) map[string]origin {
	all := map[string]origin{}
	for _, a := range args {
		eachStub(a.v, 0, func(s *stub) {
			for name, w := range s.without {
				all[name] = w.field
			}
		})
	}
	return all
}

// in is a value in the world without a field.
func (x value) in(name string) value {
	if s, ok := x.v.(*stub); ok {
		if w, known := s.without[name]; known {
			return w.val
		}
		return x
	}
	if !x.undetermined() {
		return x
	}
	return value{v: inside(x.v, name, 0), input: true}
}

// inside is a map or list in the world without a field.
func inside(v any, name string, depth int) any {
	switch v := v.(type) {
	case *stub:
		return value{v: v}.in(name).v
	case map[string]any:
		out := maps.Clone(v)
		for k, e := range v {
			if depth < deepestStub {
				out[k] = inside(e, name, depth+1)
			}
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i, e := range v {
			if depth < deepestStub {
				out[i] = inside(e, name, depth+1)
			}
		}
		return out
	}
	return v
}

// decided are the fields without which a condition surely comes to a result.
func (x value) decided(result bool) (all []origin) {
	s := x.v.(*stub)
	for _, name := range tree.Keys(s.without) {
		if w := s.without[name]; !w.val.undetermined() && function.Empty(w.val.v) != result {
			all = append(all, w.field)
		}
	}
	return all
}

// child is what lies below a stub at a step of a path.
func (s *stub) child(step refconfig.Step, use Use) value {
	if len(s.through) >= deepestField || len(s.is) > 0 && len(s.is[0].path) >= deepestField {
		return madeOf(value{v: s})
	}
	part := &stub{of: s.of, mixed: s.mixed, open: s.open || len(s.known) > 0}
	for _, o := range s.is {
		part.is = append(part.is, origin{o.lookup, o.path.Below(step), use})
	}
	if len(s.of) == 1 {
		part.through = append(slices.Clip(s.through), "."+refconfig.FieldPath{step}.String())
	}
	if len(s.is) == 1 && !step.Any {
		return newStub(part)
	}
	part.without = map[string]world{}
	for name, w := range s.without {
		if m, isMap := w.val.v.(map[string]any); w.val.v == nil || isMap && m[step.Key] == nil {
			part.without[name] = world{w.field, value{absent: true, input: true}}
		}
	}
	return newStub(part)
}

// element is any element of a stub, as a loop over it has them.
func (s *stub) element(use Use) value {
	e := s.child(refconfig.Step{Index: -1, Any: true}, use).v.(*stub)
	e.without = map[string]world{}
	for _, k := range s.known {
		if l, ok := k.([]any); ok {
			e.known = append(e.known, l...)
		}
	}
	return newStub(e)
}

// asStub is a value as a stub.
func asStub(v value) *stub {
	if s, ok := v.v.(*stub); ok {
		return s
	}
	if v.absent || v.undetermined() {
		return madeOf(v).v.(*stub)
	}
	return &stub{known: []any{v.v}}
}

// isNone reports whether a value is an empty list or map.
func (x value) isNone() bool {
	switch v := x.v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// either is a value that is one of two. An empty list or map that a variable begins with says
// nothing.
func either(a, b value) value {
	if a.isNone() {
		a = b
	}
	if b.isNone() {
		b = a
	}
	if same(a.v, b.v) {
		return a
	}
	s, t := asStub(a), asStub(b)
	u := &stub{
		is:      union(s.is, t.is),
		of:      union(s.of, t.of),
		through: s.through,
		known:   slices.Clone(s.known),
		open:    s.open || t.open,
		joined:  s.joined || t.joined,
		prints:  slices.Concat(s.prints, t.prints),
		without: map[string]world{},
	}
	for _, k := range t.known {
		if !slices.ContainsFunc(u.known, func(have any) bool { return same(have, k) }) {
			u.known = append(u.known, k)
		}
	}
	ofS, ofT := len(s.is)+len(s.of) > 0, len(t.is)+len(t.of) > 0
	if !ofS {
		u.through = t.through
	}
	u.mixed = s.mixed || t.mixed || ofS && ofT && !slices.Equal(s.through, t.through)
	return newStub(u)
}

// joined is what a value is after a condition that leaves one of two.
func joined(condition, then, otherwise value) value {
	both := either(then, otherwise)
	s, ok := both.v.(*stub)
	if !ok || len(s.is)+len(s.of)+len(s.known) > mostRounds {
		return both
	}
	out := *s
	out.joined, out.without = true, map[string]world{}
	for name, field := range worlds([]value{condition, then, otherwise}) {
		val := either(then.in(name), otherwise.in(name))
		if c := condition.in(name); !c.undetermined() {
			val = then.in(name)
			if function.Empty(c.v) {
				val = otherwise.in(name)
			}
		}
		out.without[name] = world{field, val}
	}
	return newStub(&out)
}
