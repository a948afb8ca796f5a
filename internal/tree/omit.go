package tree

import (
	"maps"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/refconfig"
)

// Omission is what entries leave out at and below one place of a value. The zero value leaves
// nothing out.
type Omission struct {
	entries []*refconfig.OmitEntry // those whose paths lead through the place, or end at it
	depth   int                    // how many of their steps led to the place
}

// Omitting is what entries leave out of a value, seen from its root.
func Omitting(entries []refconfig.OmitEntry) Omission {
	o := Omission{entries: make([]*refconfig.OmitEntry, 0, len(entries))}
	for i := range entries {
		if len(entries[i].Path) > 0 {
			o.entries = append(o.entries, &entries[i])
		}
	}
	return o
}

// None reports whether nothing is left out.
func (o Omission) None() bool { return len(o.entries) == 0 }

// Below returns the entry that leaves out what is a step further, which is nil for none, and what
// is left out below that. The step is a key of a map, or the index of an item.
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

// Keeps reports whether a value that is a step further stays, and what is left out below it. A map
// of which nothing stays goes as a whole.
func (o Omission) Keeps(step refconfig.Step, v any) (keeps bool, below Omission) {
	if o.None() {
		return true, Omission{}
	}
	gone, below := o.Below(step)
	m, isMap := v.(map[string]any)
	return gone == nil && !(isMap && !below.None() && below.empties(m)), below
}

// empties reports whether nothing of a map stays.
func (o Omission) empties(m map[string]any) bool {
	for k, x := range m {
		if keeps, _ := o.Keeps(refconfig.Key(k), x); keeps {
			return false
		}
	}
	return true
}

// Each calls f for each field of a value that an entry leaves out, and not for the fields in it. The
// path leads to the value.
func (o Omission) Each(v any, path refconfig.FieldPath, f func(refconfig.FieldPath, *refconfig.OmitEntry)) {
	if o.None() {
		return
	}
	visit := func(step refconfig.Step, x any) {
		at := path.Below(step)
		if gone, below := o.Below(step); gone != nil {
			f(at, gone)
		} else {
			below.Each(x, at, f)
		}
	}
	switch c := v.(type) {
	case map[string]any:
		for _, k := range Keys(c) {
			visit(refconfig.Key(k), c[k])
		}
	case []any:
		for i, x := range c {
			visit(refconfig.Step{Index: i}, x)
		}
	}
}

// Names reports whether a key may be left out, here or further below.
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

// Omit returns v without the fields that entries name. A map on the way that is empty afterwards
// goes with them; the root never does. Indexes of elements are those before anything was left out.
// What stays is shared with v, which is not changed.
func Omit(v any, entries []refconfig.OmitEntry) any { return Omitting(entries).From(v) }

// From is Omit for what is left out of a value.
func (o Omission) From(v any) any {
	left, _ := o.omit(v)
	return left
}

// omit returns what is left of a value, and whether that is anything but the value as it was.
func (o Omission) omit(v any) (left any, changed bool) {
	if o.None() {
		return v, false
	}
	switch c := v.(type) {
	case map[string]any:
		own := c
		for k, x := range c {
			gone, below := o.Below(refconfig.Key(k))
			if gone == nil && below.None() {
				continue
			}
			rest, changes := below.omit(x)
			m, isMap := rest.(map[string]any)
			goes := gone != nil || isMap && len(m) == 0
			if !goes && !changes {
				continue
			}
			if !changed {
				own, changed = maps.Clone(c), true
			}
			if own[k] = rest; goes {
				delete(own, k)
			}
		}
		return own, changed
	case []any:
		var own []any
		for i, x := range c {
			gone, below := o.Below(refconfig.Step{Index: i})
			rest, changes := below.omit(x)
			if (changes || gone != nil) && !changed {
				own, changed = append(make([]any, 0, len(c)), c[:i]...), true
			}
			if changed && gone == nil {
				own = append(own, rest)
			}
		}
		if changed {
			return own, true
		}
	}
	return v, false
}

// Omits reports whether Omit leaves out the field at path, if there is one: an entry names that
// field, or one around it.
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
