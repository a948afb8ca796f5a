package slice

import (
	"slices"
	"testing"
)

func TestFilter(t *testing.T) {
	isEven := func(n int) bool { return n%2 == 0 }
	for _, c := range []struct{ all, even, odd []int }{
		{nil, nil, nil},
		{[]int{}, []int{}, []int{}},
		{[]int{1, 2, 3, 4}, []int{2, 4}, []int{1, 3}},
		{[]int{1}, []int{}, []int{1}}, // not nil, which JSON would print as null
	} {
		before := slices.Clone(c.all)
		even, odd := Filter(c.all, isEven), Without(c.all, isEven)
		if !slices.Equal(even, c.even) || !slices.Equal(odd, c.odd) || (even == nil) != (c.even == nil) || (odd == nil) != (c.odd == nil) {
			t.Errorf("%v: even %v, odd %v", c.all, even, odd)
		}
		if !slices.Equal(c.all, before) {
			t.Errorf("%v became %v", before, c.all)
		}
	}
}
