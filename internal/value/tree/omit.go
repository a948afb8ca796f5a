package tree

import (
	"maps"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/refconfig"
)

// Omission says which parts of a value at one place of an object are omitted. The zero value omits
// nothing.
type Omission struct {
	entries []*refconfig.OmitEntry // the entries with paths through the place, or to it
	depth   int                    // the number of their steps that led to the place
}

// Omitting returns the omission of entries at the root of an object.
func Omitting(entries []refconfig.OmitEntry) Omission {
	o := Omission{entries: make([]*refconfig.OmitEntry, 0, len(entries))}
	for i := range entries {
		if len(entries[i].Path) > 0 {
			o.entries = append(o.entries, &entries[i])
		}
	}
	return o
}

// None reports whether nothing is omitted.
func (o Omission) None() bool { return len(o.entries) == 0 }

// Below goes to the value at a step, which is a key of a map or the index of an item. It returns
// the entry that omits this value, or nil, and the omission for its children.
func (o Omission) Below(step refconfig.Step) (gone *refconfig.OmitEntry, below Omission) {
	below.depth = o.depth + 1
	for i, e := range o.entries {
		s, last := e.Path[o.depth], len(e.Path) == below.depth
		switch {
		case s.Any:
		case step.Index >= 0 && s.Index != step.Index:
			continue
		case step.Index < 0 && s.Key != step.Key && !(last && e.Prefix && strings.HasPrefix(step.Key, s.Key)):
			continue
		}
		switch {
		case !last && below.entries == nil:
			below.entries = append(make([]*refconfig.OmitEntry, 0, len(o.entries)-i), e)
		case !last:
			below.entries = append(below.entries, e)
		case gone == nil:
			gone = e
		}
	}
	return gone, below
}

// Keeps reports whether the value at a step stays, and returns the omission for its children. A map
// that loses all its keys does not stay; a map without keys has none to lose.
func (o Omission) Keeps(step refconfig.Step, v any) (keeps bool, below Omission) {
	if o.None() {
		return true, Omission{}
	}
	gone, below := o.Below(step)
	m, _ := v.(map[string]any)
	return gone == nil && !(len(m) > 0 && !below.None() && below.empties(m)), below
}

// empties reports whether a map loses all its keys.
func (o Omission) empties(m map[string]any) bool {
	for k, x := range m {
		if keeps, _ := o.Keeps(refconfig.Key(k), x); keeps {
			return false
		}
	}
	return true
}

// Names reports whether a key may be omitted, here or further below.
func (o Omission) Names(key string) bool {
	for _, e := range o.entries {
		for _, s := range e.Path[o.depth:] {
			if s.Key == key || e.Prefix && strings.HasPrefix(key, s.Key) {
				return true
			}
		}
	}
	return false
}

// Omit returns v without the fields that entries name, and without maps that lose all their keys,
// except the root. The entries count elements as they are in v. The result shares memory with v,
// which is not changed.
func Omit(v any, entries []refconfig.OmitEntry) any { return Omitting(entries).Rest(v, nil, nil) }

// Rest does the same as Omit for the value at the place of the omission. It calls gone for each
// field that an entry omits, in the order of keys, but not for the fields in it. The path leads to
// the value; gone may be nil.
func (o Omission) Rest(v any, path refconfig.FieldPath, gone func(refconfig.FieldPath, *refconfig.OmitEntry)) any {
	rest, _ := o.rest(v, path, gone)
	return rest
}

// rest does the work of Rest, and reports whether anything is omitted.
func (o Omission) rest(
	v any, path refconfig.FieldPath, gone func(refconfig.FieldPath, *refconfig.OmitEntry),
) (rest any, changed bool) {
	if o.None() {
		return v, false
	}
	switch c := v.(type) {
	case map[string]any:
		own := c
		for _, k := range Keys(c) {
			x, stays, changes := o.further(refconfig.Key(k), c[k], path, gone)
			if changes && !changed {
				own, changed = maps.Clone(c), true
			}
			if !stays {
				delete(own, k)
			} else if changes {
				own[k] = x
			}
		}
		return own, changed
	case []any:
		own := make([]any, 0, len(c))
		for i, x := range c {
			x, stays, changes := o.further(refconfig.Step{Index: i}, x, path, gone)
			changed = changed || changes
			if stays {
				own = append(own, x)
			}
		}
		if changed {
			return own, true
		}
	}
	return v, false
}

// further does the same as rest for the value at a step, and reports whether the value stays.
func (o Omission) further(
	step refconfig.Step, v any, path refconfig.FieldPath, gone func(refconfig.FieldPath, *refconfig.OmitEntry),
) (rest any, stays, changed bool) {
	by, below := o.Below(step)
	if by == nil && below.None() {
		return v, true, false
	}
	if gone != nil {
		path = path.Below(step)
	}
	if by == nil {
		rest, changed = below.rest(v, path, gone)
		m, isMap := rest.(map[string]any)
		stays = !isMap || !changed || len(m) > 0 || step.Index >= 0
		return rest, stays, changed || !stays
	}
	if gone != nil {
		gone(path, by)
	}
	return nil, false, true
}

// Omits reports whether an entry names the field at path or a parent of it.
func Omits(entries []refconfig.OmitEntry, path refconfig.FieldPath) bool {
	return slices.ContainsFunc(entries, func(e refconfig.OmitEntry) bool {
		for n := range path {
			if e.Match(path[:n+1]) {
				return true
			}
		}
		return false
	})
}
