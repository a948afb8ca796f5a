package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Every item must occur once and in order, and equal lists must be aligned one to one.
func TestItemsKeepBothOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		left, right := randomList(r), randomList(r)
		l, n := 0, 0
		for _, a := range Items(left, right) {
			if a.A >= 0 {
				if a.A != l {
					t.Fatalf("left item %d comes where %d is due: %v %v", a.A, l, left, right)
				}
				l++
			}
			if a.B >= 0 {
				if a.B != n {
					t.Fatalf("right item %d comes where %d is due: %v %v", a.B, n, left, right)
				}
				n++
			}
		}
		if l != len(left) || n != len(right) {
			t.Fatalf("%d of %d and %d of %d items stand in the alignment", l, len(left), n, len(right))
		}
	}
}

func randomList(r *rand.Rand) []any {
	l := make([]any, r.IntN(9))
	for i := range l {
		switch r.IntN(3) {
		case 0:
			l[i] = int64(r.IntN(4))
		case 1:
			l[i] = map[string]any{"name": string(rune('a' + r.IntN(3))), "v": int64(r.IntN(2))}
		case 2:
			l[i] = []any{int64(r.IntN(2)), "x"}
		}
	}
	return l
}

// Each item must be printed once, not once for each pair.
func TestItemsArePrintedOnce(t *testing.T) {
	list := func(n int, tail string) (all []any) {
		for i := range n {
			all = append(all, strings.Repeat("a: ", i+1)+tail)
		}
		return all
	}
	allocations := func(n int) float64 {
		left, right := list(n, "left"), list(n, "right")
		return testing.AllocsPerRun(3, func() { Items(left, right) })
	}
	if few, many := allocations(10), allocations(100); many > 15*few {
		t.Errorf("ten times the items take %v allocations rather than %v", many, few)
	}
}

// Many large items must not all be compared with each other. Fewer or smaller items must find their
// best partner at any index.
func TestLargeItemsArePairedOneByOne(t *testing.T) {
	list := func(items, values, shift int) (all []any) {
		for i := range items {
			item := map[string]any{"changed": shift}
			for v := range values {
				item[fmt.Sprint("k", v)] = fmt.Sprint(i+shift, v)
			}
			all = append(all, item)
		}
		return all
	}
	for _, c := range []struct {
		items, values int
		shifted       bool
	}{{30, 2000, true}, {100, 10, true}, {100, 100, false}, {251, 2, false}} {
		pairs := Items(list(c.items, c.values, 0), list(c.items, c.values, 1))
		if shifted := slices.Contains(pairs, Pair{5, 4}); shifted != c.shifted {
			t.Errorf("%d items of %d values: their likes are found: %v", c.items, c.values, shifted)
		}
		loose := BySimilarity(list(c.items, c.values, 0), list(c.items, c.values, 1), []int{4, 5}, []int{3, 4})
		if !slices.Contains(loose, Pair{5, 4}) {
			t.Errorf("two items of %d values are not paired: %v", c.values, loose)
		}
	}
}

// TestLongListsArePairedByName changes every item of a list, so that no two are equal, and removes, adds
// and moves some. Each name that both lists have must be in one pair, whatever their length.
func TestLongListsArePairedByName(t *testing.T) {
	list := func(v int, names ...int) (all []any) {
		for _, name := range names {
			all = append(all, map[string]any{"name": fmt.Sprint("n", name), "v": int64(v), "w": int64(name * v)})
		}
		return all
	}
	for _, n := range []int{5, 249, 260, 1500} {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		added := slices.Insert(slices.Clone(all[:n-1]), n/2, n, n+1)
		for name, other := range map[string][]int{"the first is gone": all[1:], "some are new": added} {
			left, right := list(1, all...), list(2, other...)
			paired := 0
			for _, p := range Items(left, right) {
				if p.A >= 0 && p.B >= 0 && SameItem(left[p.A], right[p.B]) {
					paired++
				}
			}
			if paired != n-1 {
				t.Errorf("%d items, %s: %d are paired by name, want %d", n, name, paired, n-1)
			}
		}
	}
}
