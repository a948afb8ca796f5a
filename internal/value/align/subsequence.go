package align

// common returns the pairs of a longest common subsequence of two sequences of strings, or of a
// shorter one if cells does not suffice.
func common(a, b []string, cells int) []Pair {
	x := &Aligner{Equal: func(i, j int) bool { return a[i] == b[j] }}
	x.Inner = func(from, to Pair) {
		if cellsOf(from, to) == 1 {
			return // they differ: Stretch has paired the equal ones
		}
		left, right, indexesA, indexesB := commonElements(a[from.A:to.A], b[from.B:to.B])
		for _, p := range subsequence(left, right, cells) {
			x.Pairs = append(x.Pairs, Pair{from.A + indexesA[p.A], from.B + indexesB[p.B]})
		}
	}
	x.Stretch(Pair{}, Pair{len(a), len(b)})
	return x.Pairs
}

// commonElements numbers the strings that occur on both sides and returns their indexes. No common
// subsequence contains any other string.
func commonElements(a, b []string) (left, right []rune, indexesA, indexesB []int) {
	if len(b) < len(a) {
		right, left, indexesB, indexesA = commonElements(b, a)
		return left, right, indexesA, indexesB
	}
	ids := make(map[string]rune, len(a))
	for _, s := range a {
		ids[s] = -1
	}
	for at, s := range b {
		if id, known := ids[s]; known {
			if id < 0 {
				id = rune(len(indexesB))
				ids[s] = id
			}
			right, indexesB = append(right, id), append(indexesB, at)
		}
	}
	for at, s := range a {
		if id := ids[s]; id >= 0 {
			left, indexesA = append(left, id), append(indexesA, at)
		}
	}
	return left, right, indexesA, indexesB
}

// subsequence returns the pairs of a longest common subsequence. A range for which cells does not
// suffice is cut at the elements that occur exactly once on each side; if there are none, nothing in the
// range is paired.
func subsequence(a, b []rune, cells int) []Pair {
	x := &Aligner{Equal: func(i, j int) bool { return a[i] == b[j] }}
	x.Inner = func(from, to Pair) {
		left, right := a[from.A:to.A], b[from.B:to.B]
		pairs, found := longest(left, right, &cells)
		if !found {
			x.Cut(from, to, longestIncreasing(UniquePairs(from, left, right)))
			return
		}
		for _, p := range pairs {
			x.Pairs = append(x.Pairs, Pair{from.A + p.A, from.B + p.B})
		}
	}
	x.Stretch(Pair{}, Pair{len(a), len(b)})
	return x.Pairs
}

// longest returns the pairs of a longest common subsequence, and takes from cells what that cost: few
// for sequences that differ little. found is false if cells has less than all pairs of elements.
func longest(a, b []rune, cells *int) (pairs []Pair, found bool) {
	if product(len(a), len(b)) > *cells {
		return nil, false
	}
	pairs = Characters(a, b)
	changed := len(a) + len(b) - 2*len(pairs)
	*cells -= product(changed, len(a)+len(b)) / 4
	return pairs, true
}
