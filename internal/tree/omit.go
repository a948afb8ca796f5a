package tree

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/refconfig"
)

// Omit returns v without the fields that entries name. A map on the way that is empty afterwards
// goes with them; the root never does. Indexes of elements are those before anything was left out.
// What stays is shared with v, which is not changed.
func Omit(v any, entries []refconfig.OmitEntry) any {
	var o omitter
	for _, e := range entries {
		if len(e.Path) > 0 {
			v, _ = o.omit(v, e.Path, e.Prefix)
		}
	}
	if o.gaps {
		return o.closed(v)
	}
	return v
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

// Omitted returns the paths, without wildcards, of the fields that Omit removes from v for an
// entry, in the order of keys and indexes.
func Omitted(v any, e refconfig.OmitEntry) []refconfig.FieldPath {
	if len(e.Path) == 0 {
		return nil
	}
	above, last := e.Path[:len(e.Path)-1], e.Path[len(e.Path)-1]
	var found []refconfig.FieldPath
	for _, path := range Expand(v, above) {
		at := func(step refconfig.Step) { found = append(found, path.Below(step)) }
		switch c, _ := At(v, path); c := c.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(slices.Values(omittedKeys(c, last, e.Prefix))) {
				at(refconfig.Key(k))
			}
		case []any:
			for i := range c {
				if last.Any || last.Index == i {
					at(refconfig.Step{Index: i})
				}
			}
		}
	}
	return found
}

// omitter leaves fields out of a value.
type omitter struct {
	made map[uintptr]bool // the addresses of the maps and lists that are no part of the value, and so can be changed
	gaps bool             // there are some in lists
}

// gap stands for an element that was removed from a list, so that the others keep their indexes for
// a while.
type gap struct{}

// omit returns v without the fields at path, and whether that is anything but v as it was.
func (o *omitter) omit(v any, path refconfig.FieldPath, prefix bool) (left any, changed bool) {
	step, last := path[0], len(path) == 1
	switch c := v.(type) {
	case map[string]any:
		for _, k := range omittedKeys(c, step, last && prefix) {
			var below any
			goes, changes := last, last
			if !last {
				below, changes = o.omit(c[k], path[1:], prefix)
				m, ok := below.(map[string]any)
				goes = ok && len(m) == 0
			}
			switch {
			case goes:
				c, changed = o.ownMap(c), true
				delete(c, k)
			case changes:
				c, changed = o.ownMap(c), true
				c[k] = below
			}
		}
		return c, changed
	case []any:
		for i, x := range c {
			var below any = gap{}
			changes := step.Any || step.Index == i
			if changes && !last {
				below, changes = o.omit(x, path[1:], prefix)
			}
			if changes {
				c, changed = o.ownList(c), true
				c[i], o.gaps = below, o.gaps || last
			}
		}
		return c, changed
	}
	return v, false
}

// ownMap returns a map that can be changed, in the place of one that perhaps cannot.
func (o *omitter) ownMap(m map[string]any) map[string]any {
	if o.owns(m) {
		return m
	}
	own := maps.Clone(m)
	o.made[address(own)] = true
	return own
}

// ownList is ownMap for a list with elements.
func (o *omitter) ownList(l []any) []any {
	if o.owns(l) {
		return l
	}
	own := slices.Clone(l)
	o.made[address(own)] = true
	return own
}

// owns reports whether a map or list can be changed.
func (o *omitter) owns(v any) bool {
	if o.made == nil {
		o.made = map[uintptr]bool{}
	}
	return o.made[address(v)]
}

func address(v any) uintptr { return reflect.ValueOf(v).Pointer() }

// closed returns a value without the gaps in its lists.
func (o *omitter) closed(v any) any {
	switch c := v.(type) {
	case map[string]any:
		if o.owns(c) {
			for k, x := range c {
				c[k] = o.closed(x)
			}
		}
	case []any:
		if o.owns(c) {
			kept := c[:0]
			for _, x := range c {
				if _, ok := x.(gap); !ok {
					kept = append(kept, o.closed(x))
				}
			}
			return kept
		}
	}
	return v
}

// omittedKeys returns the keys of m that a step means.
func omittedKeys(m map[string]any, step refconfig.Step, prefix bool) []string {
	if !step.Any && !prefix {
		if _, ok := m[step.Key]; ok {
			return []string{step.Key}
		}
		return nil
	}
	var keys []string
	for k := range m {
		if step.Any || strings.HasPrefix(k, step.Key) {
			keys = append(keys, k)
		}
	}
	return keys
}
