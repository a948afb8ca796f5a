package textdiff

import "slices"

const (
	// anchorLeast is the size of a stretch, in items of both sides, below which it is not worth cutting.
	anchorLeast = 64
	// anchorDepth bounds how often a stretch that was too much work is cut at its unique items.
	anchorDepth = 8
)

// matcher looks for a longest common subsequence with the linear-space algorithm of E. W. Myers ("An O(ND) Difference
// Algorithm and Its Variations", 1986), after taking out what cannot be part of one: items that the other side lacks.
//
// Invariants: partner only ever gets pairs of equal items, and they rise on both sides.
// Guarantee: the result is a longest common subsequence as long as steps last. A search may take half of the steps that
// are left; when it fails, its stretch is cut at the items that stand exactly once on either side (as in patience
// diff), and where there are none the whole stretch counts as replaced.
type matcher struct {
	partner           []int
	count             []occurrence // by item; all zero between two uses
	steps             int
	forward, backward []int
}

// occurrence says how often an item stands on either side, and where on the second it stood last.
type occurrence struct{ inA, inB, y int }

// sequence is a stretch of items with their places in the whole.
type sequence struct {
	id []int32
	at []int
}

func (s sequence) cut(from, to int) sequence {
	return sequence{id: s.id[from:to], at: s.at[from:to]}
}

// match returns for each item of a, which is a number below kinds as each of b is, the index of its partner in b, or -1.
func match(a, b []int32, kinds, steps int) []int {
	m := &matcher{partner: make([]int, len(a)), count: make([]occurrence, kinds), steps: steps}
	for i := range m.partner {
		m.partner[i] = -1
	}
	m.solve(whole(a), whole(b), anchorDepth)
	return m.partner
}

func whole(ids []int32) sequence {
	s := sequence{id: ids, at: make([]int, len(ids))}
	for i := range s.at {
		s.at[i] = i
	}
	return s
}

// solve matches a stretch from scratch; depth says how many more times it may be cut at anchors.
func (m *matcher) solve(a, b sequence, depth int) {
	a, b = m.trim(a, b)
	if len(a.id) == 0 || len(b.id) == 0 {
		return
	}
	a, b = m.keepCommon(a, b.id), m.keepCommon(b, a.id)
	if size := len(a.id) + len(b.id) + 3; len(m.forward) < size {
		m.forward, m.backward = make([]int, size), make([]int, size)
	}
	m.search(a, b, depth)
}

// search matches a stretch by dividing it at a point that a shortest edit path goes through.
func (m *matcher) search(a, b sequence, depth int) {
	a, b = m.trim(a, b)
	if len(a.id) == 0 || len(b.id) == 0 {
		return
	}
	x, y, found := m.middle(a.id, b.id)
	if !found {
		m.anchors(a, b, depth)
		return
	}
	m.search(a.cut(0, x), b.cut(0, y), depth)
	m.search(a.cut(x, len(a.id)), b.cut(y, len(b.id)), depth)
}

// trim matches equal items at both ends and returns what is between.
func (m *matcher) trim(a, b sequence) (sequence, sequence) {
	from := 0
	for from < len(a.id) && from < len(b.id) && a.id[from] == b.id[from] {
		m.partner[a.at[from]] = b.at[from]
		from++
	}
	a, b = a.cut(from, len(a.id)), b.cut(from, len(b.id))
	i, j := len(a.id), len(b.id)
	for i > 0 && j > 0 && a.id[i-1] == b.id[j-1] {
		i, j = i-1, j-1
		m.partner[a.at[i]] = b.at[j]
	}
	return a.cut(0, i), b.cut(0, j)
}

// middle finds a point on a shortest edit path by searching from both ends at once. It needs both sides not empty and
// different at either end. found is false when the steps ran out.
func (m *matcher) middle(a, b []int32) (x, y int, found bool) {
	n, k := len(a), len(b)
	// Diagonal d holds the points with x-y = d. f[d] is the furthest x reached from the start, r[d] the furthest from the end.
	f, r, zero := m.forward, m.backward, k+1
	delta := n - k
	f[zero], r[zero+delta] = 0, n
	fLow, fHigh, rLow, rHigh := 0, 0, delta, delta
	limit := m.steps / 2
	for spent := 0; ; {
		fLow, fHigh = widen(f, zero, fLow, fHigh, -k, n, -1)
		for d := fHigh; d >= fLow; d -= 2 {
			x = max(f[zero+d+1], f[zero+d-1]+1)
			from := x
			for x < n && x-d < k && a[x] == b[x-d] {
				x++
			}
			f[zero+d] = x
			spent += x - from + 1
			if delta&1 != 0 && rLow <= d && d <= rHigh && r[zero+d] <= x {
				m.steps -= spent
				return x, x - d, true
			}
		}
		rLow, rHigh = widen(r, zero, rLow, rHigh, -k, n, n+1)
		for d := rHigh; d >= rLow; d -= 2 {
			x = min(r[zero+d-1], r[zero+d+1]-1)
			from := x
			for x > 0 && x-d > 0 && a[x-1] == b[x-d-1] {
				x--
			}
			r[zero+d] = x
			spent += from - x + 1
			if delta&1 == 0 && fLow <= d && d <= fHigh && x <= f[zero+d] {
				m.steps -= spent
				return x, x - d, true
			}
		}
		if spent > limit {
			m.steps -= limit
			return 0, 0, false
		}
	}
}

// widen makes room for one more diagonal on either side, or takes one away at the edge of the grid. outside is what a
// diagonal that was not reached counts as.
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

// anchors cuts a stretch at the longest rising run of items that stand once on either side.
func (m *matcher) anchors(a, b sequence, depth int) {
	if depth == 0 || len(a.id)+len(b.id) < anchorLeast {
		return
	}
	x, y := 0, 0
	for _, p := range rising(m.unique(a.id, b.id)) {
		m.solve(a.cut(x, p.x), b.cut(y, p.y), depth-1)
		m.partner[a.at[p.x]] = b.at[p.y]
		x, y = p.x+1, p.y+1
	}
	if x > 0 {
		m.solve(a.cut(x, len(a.id)), b.cut(y, len(b.id)), depth-1)
	}
}

type point struct{ x, y int }

// unique returns the places of the items that stand exactly once in a and once in b, in the order of a.
func (m *matcher) unique(a, b []int32) []point {
	for _, id := range a {
		m.count[id].inA++
	}
	for y, id := range b {
		m.count[id].inB++
		m.count[id].y = y
	}
	var points []point
	for x, id := range a {
		if c := m.count[id]; c.inA == 1 && c.inB == 1 {
			points = append(points, point{x, c.y})
		}
	}
	m.clear(a)
	m.clear(b)
	return points
}

// rising returns a longest subsequence of points whose y rises (patience sorting).
func rising(points []point) []point {
	var piles []int // index of the last point of the best run of each length
	before := make([]int, len(points))
	for i, p := range points {
		pile, _ := slices.BinarySearchFunc(piles, p.y, func(at, y int) int { return points[at].y - y })
		before[i] = -1
		if pile > 0 {
			before[i] = piles[pile-1]
		}
		if pile == len(piles) {
			piles = append(piles, i)
		} else {
			piles[pile] = i
		}
	}
	run := make([]point, len(piles))
	if len(piles) == 0 {
		return run
	}
	for i, at := len(piles)-1, piles[len(piles)-1]; i >= 0; i, at = i-1, before[at] {
		run[i] = points[at]
	}
	return run
}

// keepCommon drops the items that other lacks: no common subsequence holds them.
func (m *matcher) keepCommon(s sequence, other []int32) sequence {
	for _, id := range other {
		m.count[id].inB++
	}
	var kept sequence
	for i, id := range s.id {
		if m.count[id].inB > 0 {
			kept.id = append(kept.id, id)
			kept.at = append(kept.at, s.at[i])
		}
	}
	m.clear(other)
	return kept
}

func (m *matcher) clear(ids []int32) {
	for _, id := range ids {
		m.count[id] = occurrence{}
	}
}
