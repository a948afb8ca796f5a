package align

import (
	"cmp"
	"slices"
)

// ByName pairs the items of two lists by name, regardless of their order: the first item of a name
// with the first of that name in the other list, the second with the second. rest pairs the items
// that remain; it gets their indexes in increasing order, and may be nil. In the result, B
// increases; an item of the first list without a partner follows its predecessor in that list.
func ByName(left, right []string, rest func(as, bs []int) []Pair) []Pair {
	named := map[string][]int{}
	for b, name := range right {
		named[name] = append(named[name], b)
	}
	partner, taken := make([]int, len(left)), make([]bool, len(right))
	var as, bs []int
	for a, name := range left {
		partner[a] = -1
		if all := named[name]; len(all) > 0 {
			partner[a], named[name], taken[all[0]] = all[0], all[1:], true
			continue
		}
		as = append(as, a)
	}
	for b := range right {
		if !taken[b] {
			bs = append(bs, b)
		}
	}
	if rest != nil && len(as) > 0 && len(bs) > 0 {
		for _, p := range rest(as, bs) {
			partner[p.A] = p.B
		}
	}
	return inOrder(partner, len(right))
}

// inOrder turns the partners of the first list's items into pairs in the order of the second list.
func inOrder(partner []int, right int) []Pair {
	of := make([]int, right)
	for b := range of {
		of[b] = -1
	}
	var pairs []Pair
	following := map[int][]Pair{} // by index in the second list
	before := -1
	for a, b := range partner {
		if b >= 0 {
			of[b], before = a, b
			continue
		}
		following[before] = append(following[before], Pair{a, -1})
	}
	pairs = append(pairs, following[-1]...)
	for b, a := range of {
		pairs = append(append(pairs, Pair{a, b}), following[b]...)
	}
	return pairs
}

// BySimilarity pairs items of two lists, given by their indexes, regardless of their order. The
// pairs that are most alike are formed first. Items that are too different stay without a partner.
func BySimilarity(left, right []any, as, bs []int) []Pair {
	if tooMany(pick(left, as), pick(right, bs)) {
		return nil
	}
	type candidate struct {
		Pair
		like int
	}
	var all []candidate
	textsLeft, textsRight := scalarTexts(left), scalarTexts(right)
	for _, a := range as {
		for _, b := range bs {
			if like := itemLikeness(left[a], right[b], textsLeft[a], textsRight[b]); like != apart {
				all = append(all, candidate{Pair{a, b}, like})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y candidate) int { return cmp.Compare(y.like, x.like) })
	var pairs []Pair
	pairedA, pairedB := map[int]bool{}, map[int]bool{}
	for _, c := range all {
		if !pairedA[c.A] && !pairedB[c.B] {
			pairedA[c.A], pairedB[c.B] = true, true
			pairs = append(pairs, c.Pair)
		}
	}
	return pairs
}

func pick(items []any, indexes []int) (some []any) {
	for _, i := range indexes {
		some = append(some, items[i])
	}
	return some
}
