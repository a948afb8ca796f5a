package probe

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// stub is an unknown value in a probe.
type stub struct {
	is      []origin  // it may be one of these fields, unchanged
	of      []origin  // it may be made from these fields
	through []string  // the functions and keys that lead to it, if it was made from one field
	known   []any     // it may be one of these values, which the template states
	mixed   bool      // it may be made from other values too
	open    bool      // it may be any other value
	joined  bool      // a condition decides which of these values it is
	prints  []*effect // if it is the text of an include: the effects of the prints in it
	given   any       // its known value, a list or map whose other fields are unknown; nil if it is unknown
	prefix  string    // the text that it begins with, if the template states it
}

// origin is a field that a value comes from, with the place where it was read.
type origin struct {
	lookup *LookedUp // the lookup that found the CR with the field; nil for the CR itself
	path   refconfig.FieldPath
	text   string // the path as text; WholeCR for an empty path
	use    Use
}

// WholeCR is the text of the path of the CR itself.
const WholeCR = "the whole CR"

// name returns the name of a field. If the CR was looked up, the name includes the CR.
func (o origin) name() string {
	if o.lookup != nil {
		return o.text + " of " + o.lookup.What()
	}
	return o.text
}

// isElement reports whether the field is an element of a list or map.
func (o origin) isElement() bool { return len(o.path) > 0 && o.path[len(o.path)-1].Any }

// union returns the origins of all lists, without duplicates. An origin is a field in a place.
func union(lists ...[]origin) []origin {
	count := 0
	for _, l := range lists {
		count += len(l)
	}
	if count <= fewOrigins {
		return unionOfFew(lists)
	}
	all := slices.Concat(lists...)
	type one struct {
		lookup        *LookedUp
		path, at, via string
	}
	known := make(map[one]bool, len(all))
	return slices.DeleteFunc(all, func(o origin) bool {
		key := one{o.lookup, o.text, o.use.At, strings.Join(o.use.Via, " ")}
		again := known[key]
		known[key] = true
		return again
	})
}

// fewOrigins is the number of origins up to which comparing each two is faster than a map.
const fewOrigins = 16

// unionOfFew does the same as union. It makes no list if the first one has all.
func unionOfFew(lists [][]origin) (all []origin) {
	for _, l := range lists {
		for i := range l {
			switch {
			case isIn(all, &l[i]):
			case i == len(all) && (i == 0 || &all[0] == &l[0]):
				all = l[: i+1 : i+1]
			default:
				all = append(all, l[i])
			}
		}
	}
	return all
}

// isIn reports whether an origin is in a list: the same field in the same place.
func isIn(all []origin, o *origin) bool {
	for i := range all {
		p := &all[i]
		if o.lookup == p.lookup && o.text == p.text && o.use.At == p.use.At && slices.Equal(o.use.Via, p.use.Via) {
			return true
		}
	}
	return false
}

// newStub returns a stub as a value.
func newStub(s *stub) render.Value { return render.Value{V: s, Input: true} }

// madeOf returns a value that was made from others in an unknown way.
func madeOf(args ...render.Value) render.Value {
	var all [][]origin
	for _, a := range args {
		if more := origins(a); len(more) > 0 {
			all = append(all, more)
		}
	}
	return newStub(&stub{of: union(all...), open: true})
}

// deepestStub limits the depth of the search for stubs in maps and lists, which may contain
// themselves.
const deepestStub = 20

// eachStub calls visit for a stub, or for each stub in a map or list.
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

// undetermined reports whether a value is a stub or contains one.
func undetermined(x render.Value) bool {
	found := false
	eachStub(x.V, 0, func(*stub) { found = true })
	return found
}

// origins returns the fields that a value depends on.
func origins(x render.Value) []origin {
	switch v := x.V.(type) {
	case *stub:
		return union(v.is, v.of)
	case map[string]any, []any:
	default:
		return nil
	}
	var all [][]origin
	eachStub(x.V, 0, func(s *stub) { all = append(all, s.is, s.of) })
	return union(all...)
}

// child returns the value below a stub at a step of a path.
func (p *probe) child(s *stub, step refconfig.Step, use Use) render.Value {
	if len(s.through) >= deepestField || len(s.is) > 0 && len(s.is[0].path) >= deepestField {
		return madeOf(render.Value{V: s})
	}
	part := &stub{of: s.of, mixed: s.mixed, open: s.open || len(s.known) > 0}
	for _, o := range s.is {
		path := o.path.Below(step)
		below := origin{lookup: o.lookup, path: path, text: path.String(), use: use}
		if o.lookup == nil {
			p.reads(below.text)
		}
		switch {
		case p.gone == nil || o.lookup != nil || below.text != p.gone.Path:
			part.is = append(part.is, below)
		case len(s.is) == 1:
			return p.value
		default:
			part.open = true
		}
	}
	switch v := below(s.given, step).(type) {
	case nil:
	case map[string]any, []any:
		part.given = v
	default:
		p.tested(newStub(part))
		return render.Value{V: v, Input: true}
	}
	if len(s.of) == 1 {
		part.through = append(slices.Clip(s.through), "."+refconfig.FieldPath{step}.String())
	}
	return newStub(part)
}

// anyItem is the key of a given value below a step to any element, and the index of such an item.
const anyItem = "*"

// below returns the known value below a given one; nil for none.
func below(given any, step refconfig.Step) any {
	switch v := given.(type) {
	case map[string]any:
		if step.Any {
			return v[anyItem]
		}
		return v[step.Key]
	case []any:
		if step.Index >= 0 && step.Index < len(v) && !step.Any {
			return v[step.Index]
		}
	}
	return nil
}

// given returns the known value of a stub; nil for none.
func given(v render.Value) any {
	if s, ok := v.V.(*stub); ok {
		return s.given
	}
	return nil
}

// element returns a value for every element of a stub, such as a loop over the stub needs.
func (p *probe) element(s *stub, use Use) render.Value {
	v := p.child(s, refconfig.Step{Index: -1, Any: true}, use)
	e := v.V.(*stub)
	for _, k := range s.known {
		if l, ok := k.([]any); ok {
			e.known = append(e.known, l...)
		}
	}
	return v
}

// asStub returns a value as a stub. A known value becomes a stub with this value.
func asStub(v render.Value) *stub {
	if s, ok := v.V.(*stub); ok {
		return s
	}
	if v.Absent || undetermined(v) {
		return madeOf(v).V.(*stub)
	}
	return &stub{known: []any{v.V}}
}

// isNone reports whether a value is an empty list or map.
func isNone(x render.Value) bool {
	switch v := x.V.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// either returns a value that is one of two. It ignores the empty list or map that variables start
// with.
func either(a, b render.Value) render.Value {
	if isNone(a) {
		a = b
	}
	if isNone(b) {
		b = a
	}
	if render.Same(a.V, b.V) {
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
	}
	for _, k := range t.known {
		if !slices.ContainsFunc(u.known, func(have any) bool { return render.Same(have, k) }) {
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

// joined returns the value of a variable after a condition, which is one of two values.
func joined(then, otherwise render.Value) render.Value {
	both := either(then, otherwise)
	if s, ok := both.V.(*stub); ok {
		out := *s
		out.joined = true
		return newStub(&out)
	}
	return both
}
