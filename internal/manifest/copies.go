package manifest

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Copies sorts the objects of one cluster by identity and place, objects inside others last, and
// yields the objects of each identity. The first of them is the one to use: if resource versions
// differ, the first with the highest, so that file names do not decide. If placeholders is set,
// objects with placeholders in their identity are not treated as copies.
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
		if o.Version() > same[best].Version() {
			best = i
		}
	}
	newest := same[best]
	copy(same[1:], same[:best])
	same[0] = newest
}

// Version returns the resource version as a number; 0 for none.
func (o *Object) Version() int64 {
	v, _ := strconv.ParseInt(o.ResourceVersion, 10, 64)
	return v
}
