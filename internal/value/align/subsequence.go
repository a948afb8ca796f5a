package align

// common returns the pairs of a longest common subsequence of two sequences of strings, or of a
// shorter one if the steps do not suffice.
func common(a, b []string, steps int) []Pair {
	x := &Aligner{Equal: func(i, j int) bool { return a[i] == b[j] }}
	x.Inner = func(from, to Pair) {
		if cellsOf(from, to) == 1 {
			return // they differ: Stretch has paired the equal ones
		}
		left, right, indexesA, indexesB := commonElements(a[from.A:to.A], b[from.B:to.B])
		for _, p := range subsequence(left, right, steps) {
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

// subsequence returns the pairs of a longest common subsequence by the linear-space algorithm of E.
// W. Myers ("An O(ND) Difference Algorithm and Its Variations", 1986). Each search may use half of
// the remaining steps. If it fails, its range is split at the elements that occur exactly once on
// each side; if there are none, nothing in the range is paired.
func subsequence(a, b []rune, steps int) []Pair {
	x := &Aligner{Equal: func(i, j int) bool { return a[i] == b[j] }}
	x.Inner = func(from, to Pair) {
		left, right := a[from.A:to.A], b[from.B:to.B]
		if at, _, found := middle(left, right, len(left)+len(right), &steps); found {
			at = Pair{from.A + at.A, from.B + at.B}
			x.Stretch(from, at)
			x.Stretch(at, to)
		} else if size := len(left) + len(right); size <= steps {
			steps -= size
			x.Cut(from, to, longestIncreasing(UniquePairs(from, left, right)))
		}
	}
	x.Stretch(Pair{}, Pair{len(a), len(b)})
	return x.Pairs
}

// middle finds a point on a shortest path from a to b by searching from both ends at once, and the
// number of insertions and deletions of that path. Neither side may be empty, and they must differ
// at either end. found is false if more than most edits are needed or half of the steps are used
// up.
func middle(a, b []rune, most int, steps *int) (at Pair, edits int, found bool) {
	n, m := len(a), len(b)
	limit, spent := *steps/2, 0
	defer func() { *steps -= min(spent, limit) }()
	// Diagonal d holds the points with A-B = d. f[fZero+d] is the largest A reached from the start,
	// r[rZero+d] the smallest A reached from the end.
	delta, fZero := n-m, min(most, n+m)/2+3
	rZero := fZero - delta
	f, r := make([]int, 2*fZero+1), make([]int, 2*fZero+1)
	f[fZero], r[fZero] = 0, n
	fLow, fHigh, rLow, rHigh := 0, 0, delta, delta
	for edits < most && spent <= limit {
		edits++
		fLow, fHigh = widen(f, fZero, fLow, fHigh, -m, n, -1)
		for d := fHigh; d >= fLow; d -= 2 {
			x := max(f[fZero+d+1], f[fZero+d-1]+1)
			from := x
			for x < n && x-d < m && a[x] == b[x-d] {
				x++
			}
			f[fZero+d] = x
			spent += x - from + 1
			if delta&1 != 0 && rLow <= d && d <= rHigh && r[rZero+d] <= x {
				return Pair{x, x - d}, edits, true
			}
		}
		if edits++; edits > most {
			break
		}
		rLow, rHigh = widen(r, rZero, rLow, rHigh, -m, n, n+1)
		for d := rHigh; d >= rLow; d -= 2 {
			x := min(r[rZero+d-1], r[rZero+d+1]-1)
			from := x
			for x > 0 && x-d > 0 && a[x-1] == b[x-d-1] {
				x--
			}
			r[rZero+d] = x
			spent += from - x + 1
			if delta&1 == 0 && fLow <= d && d <= fHigh && x <= f[fZero+d] {
				return Pair{x, x - d}, edits, true
			}
		}
	}
	return Pair{}, 0, false
}

// widen adds a diagonal on each side, or removes one at the edge of the grid. outside is the value
// of a diagonal that was not reached.
func widen(reach []int, zero, low, high, lowest, highest, outside int) (newLow, newHigh int) {
	if low > lowest {
		low--
		reach[zero+low-1] = outside
	} else {
		low++
	}
	if high < highest {
		high++
		reach[zero+high+1] = outside
	} else {
		high--
	}
	return low, high
}
