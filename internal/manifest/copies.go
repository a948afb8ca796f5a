package manifest

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Copies sorts the objects of one cluster by identity and place, those that are in others last, and
// yields those of each identity. The first of them is the one to go by: where they tell different
// resource versions, the first of the highest, so that it does not hang on the names of the files.
// Those whose identity has placeholders are no copies, where there are such.
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

// Version is the number that the resource version is; 0 where there is none.
func (o *Object) Version() int64 {
	v, _ := strconv.ParseInt(o.ResourceVersion, 10, 64)
	return v
}
