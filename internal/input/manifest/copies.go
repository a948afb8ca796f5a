package manifest

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Copies sorts the objects of one cluster by identity and place, objects inside others last, and
// yields the objects of each identity. The first of them has the highest resource version, if they
// have any. If placeholders is set, objects with placeholders in their identity are not treated as
// copies.
func Copies(objects []*Object, placeholders bool) iter.Seq[[]*Object] {
	sorted := slices.Clone(objects)
	slices.SortStableFunc(sorted, func(a, b *Object) int {
		if c := Compare(a.ID, b.ID); c != 0 {
			return c
		}
		if (a.Wrapper == "") != (b.Wrapper == "") {
			return strings.Compare(a.Wrapper, b.Wrapper)
		}
		return a.Place.Compare(b.Place)
	})
	return func(yield func([]*Object) bool) {
		for start := 0; start < len(sorted); {
			end := start + 1
			for end < len(sorted) && sorted[end].ID == sorted[start].ID && !(placeholders && sorted[start].ID.Open()) {
				end++
			}
			same := sorted[start:end:end]
			newestFirst(same)
			if !yield(same) {
				return
			}
			start = end
		}
	}
}

func newestFirst(same []*Object) {
	best := 0
	for i, o := range same {
		if o.CompareVersions(same[best]) > 0 {
			best = i
		}
	}
	newest := same[best]
	copy(same[1:], same[:best])
	same[0] = newest
}

// Outdates reports whether the resource versions show that an object is newer than a copy of it.
func (o *Object) Outdates(older *Object) bool {
	return older.version() != "" && o.CompareVersions(older) > 0
}

// CompareVersions compares the resource versions of two objects as numbers of any length. An object
// without one comes first.
func (o *Object) CompareVersions(other *Object) int {
	a, b := o.version(), other.version()
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// version returns the digits of the resource version without leading zeros; "" if it is no number.
func (o *Object) version() string {
	digits := strings.TrimLeft(o.ResourceVersion, "0")
	if strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return digits
}
