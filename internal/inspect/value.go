package inspect

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/refconfig"
)

// origin is a field that a value comes from, with the place where it was read.
type origin struct {
	lookup *Lookup // of which the field is one of the results; nil for the CR itself
	path   refconfig.FieldPath
	use    Use
}

// key is the same for two origins if they are the same field, read in the same place.
func (o origin) key() originKey {
	return originKey{o.lookup, o.path.String(), o.use.At, strings.Join(o.use.Via, "\n")}
}

type originKey struct {
	lookup        *Lookup
	path, at, via string
}

// alike reports whether two origins are the same field, wherever it was read.
func (o origin) alike(p origin) bool {
	return o.lookup == p.lookup && o.path.String() == p.path.String()
}

// value is what is known of what an expression evaluates to.
type value struct {
	is      []origin // it is one of these fields, unchanged
	of      []origin // it was made of these fields
	through []string // how it was made of the only one of them
	mixed   bool     // it was made of others besides
	known   []any    // or it is one of these, which the template states
	untold  bool     // or it is something else
	present []origin // fields that are surely there where the value counts as true

	list   []value // its elements, where the template built it
	dict   map[string]value
	listed bool // list or dict is set

	// What it is for a CR that sets nothing, or, inside a loop, for an element that sets nothing. That is known where sure is set.
	blank any
	sure  bool
	gone  bool // it is missing then
	each  bool // it is an element of a loop, of which there are none then
}

// stated is a value that the template states.
func stated(v any) value { return value{known: []any{v}, blank: v, sure: true} }

// unknown is a value that was made of others in a way that is not followed.
func unknown(from ...value) value {
	all := make([][]origin, len(from))
	for i, f := range from {
		all[i] = f.origins()
	}
	return value{untold: true, of: union(all...)}
}

// origins are all fields that a value depends on.
func (v value) origins() []origin {
	all := [][]origin{v.is, v.of}
	for _, e := range v.list {
		all = append(all, e.origins())
	}
	for _, e := range v.dict {
		all = append(all, e.origins())
	}
	return union(all...)
}

// union has every origin once.
func union(lists ...[]origin) []origin {
	all := slices.Concat(lists...)
	if len(all) < 2 {
		return all
	}
	known := make(map[originKey]bool, len(all))
	return slices.DeleteFunc(all, func(o origin) bool {
		k := o.key()
		again := known[k]
		known[k] = true
		return again
	})
}

// either is a value that is one of two.
func either(a, b value) value {
	if a.isNone() || b.isNone() { // a variable that begins as an empty list, or list in place of nothing
		v := a
		if a.isNone() {
			v = b
		}
		v.sure, v.present, v.untold = false, nil, v.untold || v.listed
		return v
	}
	v := value{mixed: a.mixed || b.mixed, is: union(a.is, b.is), of: union(a.of, b.of), known: slices.Clone(a.known), untold: a.untold || b.untold}
	for _, k := range b.known {
		if !slices.ContainsFunc(v.known, func(have any) bool { return sameConstant(have, k) }) {
			v.known = append(v.known, k)
		}
	}
	v.through = a.through
	if len(a.origins()) == 0 {
		v.through = b.through
	}
	v.mixed = v.mixed || !slices.Equal(a.through, b.through) && len(a.origins()) > 0 && len(b.origins()) > 0
	if a.listed || b.listed {
		v.of, v.untold, v.mixed = union(a.origins(), b.origins()), true, true
	}
	return v
}

// isNone reports whether a value is an empty list or dict that the template builds.
func (v value) isNone() bool { return v.listed && len(v.list)+len(v.dict) == 0 }

// sameConstant compares scalars; others are taken to differ.
func sameConstant(a, b any) bool {
	switch a.(type) {
	case nil, string, bool, int, float64:
		return a == b
	}
	return false
}

// constant returns the only value that this can be, where the template states it.
func (v value) constant() (any, bool) {
	if len(v.known) != 1 || len(v.is)+len(v.of) > 0 || v.untold {
		return nil, false
	}
	return v.known[0], true
}

// step returns what lies below a value at a step of a path.
func (v value) step(s refconfig.Step, use Use) value {
	if part, ok := v.built(s); ok {
		return part
	}
	if len(v.through) >= deepestField || len(v.is) > 0 && len(v.is[0].path) >= deepestField {
		return unknown(v)
	}
	part := value{of: v.of, mixed: v.mixed || v.listed, untold: v.untold || len(v.known) > 0}
	for _, o := range v.is {
		part.is = append(part.is, origin{o.lookup, o.path.Below(s), use})
	}
	if len(v.of) == 1 {
		part.through = append(slices.Clip(v.through), "."+refconfig.FieldPath{s}.String())
	}
	m, _ := v.blank.(map[string]any)
	below, there := m[s.Key]
	part.blank, part.gone, part.sure = below, !there, v.sure || v.each
	part.present = part.is
	return part
}

// built looks into a list or dict that the template built.
func (v value) built(s refconfig.Step) (value, bool) {
	if !v.listed {
		return value{}, false
	}
	if v.dict != nil {
		part, ok := v.dict[s.Key]
		return part, ok && !s.Any
	}
	if s.Any || s.Index < 0 || s.Index >= len(v.list) {
		return value{}, false
	}
	return v.list[s.Index], true
}

// element is any element of a value, as a loop over it has them.
func (v value) element(use Use) value {
	if v.listed {
		all := v.list
		for _, e := range v.dict {
			all = append(all, e)
		}
		out := value{}
		for i, e := range all {
			if out = either(out, e); i == 0 {
				out = e
			}
		}
		return out
	}
	e := v.step(refconfig.Step{Index: -1, Any: true}, use)
	for _, k := range v.known {
		if l, ok := k.([]any); ok {
			e.known = append(e.known, l...)
		}
	}
	e.blank, e.sure, e.gone, e.each = nil, false, false, len(e.is) > 0
	return e
}

// readAt is a value that is read as it is: the CR itself has no place until then.
func (v value) readAt(use Use) value {
	if slices.ContainsFunc(v.is, func(o origin) bool { return o.use.At == "" }) {
		v.is = slices.Clone(v.is)
		for i := range v.is {
			if v.is[i].use.At == "" {
				v.is[i].use = use
			}
		}
	}
	return v
}

// isElement reports whether a value can only be an element of a loop itself.
func (o origin) isElement() bool { return len(o.path) > 0 && o.path[len(o.path)-1].Any }

// without returns what a function makes of its arguments for a CR that sets nothing, and whether it is missing then. sure is false where
// the function cannot be called for that.
func without(f *function.Function, args []value) (blank any, gone, sure bool) {
	plain := make([]any, len(args))
	for i, a := range args {
		if !a.sure {
			return nil, false, false
		}
		if n, isNumber := function.Whole(a.blank); isNumber && n > mostRepeated || tooLong(a.blank) {
			return nil, false, false
		}
		plain[i] = a.blank
		gone = gone || a.gone
	}
	if !slices.Contains(strings.Fields(calledBlank), f.Name) {
		return nil, false, false
	}
	in, ok, err := f.Arguments(plain, func(int) string { return "" })
	if err != nil {
		return nil, false, false
	}
	if !ok {
		return nil, gone, true
	}
	result, err := f.Call(in)
	if err != nil || tooLong(result) {
		return nil, false, false
	}
	return result, gone && (result == nil || result == "") && !f.Copes, true
}

// calledBlank are functions that are called with what their arguments are for a CR that sets nothing: they are cheap and have no effect.
const calledBlank = "quote squote toString toYaml toJson fromJson trim trimAll trimSuffix trimPrefix upper lower int int64 float64 indent nindent " +
	"b64enc b64dec empty hasKey not"

// mostRepeated is the largest number that a function is called with: indent makes as many blanks.
const mostRepeated = 100

// tooLong reports whether a value is a text that functions are not called with: each quote of a quote is twice as long.
func tooLong(v any) bool {
	text, _ := v.(string)
	return len(text) > 4096
}
