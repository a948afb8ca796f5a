// Package align finds which elements of two sequences correspond: lines (Lines), words (Words),
// characters (Characters), list items (Items), and elements that a caller compares itself, such as
// the parts of a pattern and those of a text (Aligner).
//
// All kinds of sequences share three steps. Equal elements at both ends are paired
// (Aligner.Stretch). The elements between them are paired so that the sum of the likenesses is as
// large as possible (MostSimilar). A range that is too large for that is split at the elements that
// occur exactly once on each side (UniquePairs, longestIncreasing).
//
// Every function is pure. Work is bounded by counting steps, never by a clock, so that the result
// is the same on every machine. If a bound is reached, the result is a valid alignment, but perhaps
// not the best one.
package align

import (
	"math"
	"slices"
)

// Pair says that element A of the first sequence corresponds to element B of the second; -1 means
// that there is no such element. In a list of pairs, A and B increase.
type Pair struct{ A, B int }

func (p Pair) next() Pair { return Pair{p.A + 1, p.B + 1} }

// cellsOf counts the comparisons of all elements of [from, to) with each other.
func cellsOf(from, to Pair) int { return product(to.A-from.A, to.B-from.B) }

// product multiplies two lengths and returns the largest int if the product overflows (32-bit
// machines).
func product(a, b int) int { return int(min(int64(a)*int64(b), math.MaxInt)) }

// Aligner collects the pairs of two sequences. It knows only their indexes.
type Aligner struct {
	Pairs []Pair
	Equal func(a, b int) bool
	// Inner adds the pairs of the range [from, to). Both sides of the range have elements, and the
	// elements at either end differ.
	Inner func(from, to Pair)
}

// Stretch adds the pairs of [from, to): the equal elements at both ends, and what Inner finds
// between them.
func (x *Aligner) Stretch(from, to Pair) {
	head, tail := ends(to.A-from.A, to.B-from.B, func(a, b int) bool { return x.Equal(from.A+a, from.B+b) })
	for range head {
		x.Pairs = append(x.Pairs, from)
		from = from.next()
	}
	end := Pair{to.A - tail, to.B - tail}
	if cellsOf(from, end) > 0 {
		x.Inner(from, end)
	}
	for ; end.A < to.A; end = end.next() {
		x.Pairs = append(x.Pairs, end)
	}
}

// Cut adds the certain pairs of a range and aligns the ranges between them.
func (x *Aligner) Cut(from, to Pair, certain []Pair) {
	for _, p := range certain {
		x.Stretch(from, p)
		x.Pairs = append(x.Pairs, p)
		from = p.next()
	}
	if certain != nil {
		x.Stretch(from, to)
	}
}

// ends counts the equal elements at the start of two sequences, and at the end of the rest.
func ends(n, m int, equal func(a, b int) bool) (head, tail int) {
	for head < min(n, m) && equal(head, head) {
		head++
	}
	for tail < min(n, m)-head && equal(n-1-tail, m-1-tail) {
		tail++
	}
	return head, tail
}

// MostSimilar returns the pairs of [from, to) whose likenesses have the largest sum (Needleman and
// Wunsch, 1970). A negative likeness forbids a pair. On a tie, the earlier element of the first
// sequence gets the partner.
func MostSimilar(from, to Pair, likeness func(a, b int) int) []Pair {
	n, m := to.A-from.A, to.B-from.B
	width := m + 1
	most := make([]int32, (n+1)*width) // largest sum of likenesses from here to the end
	for a := n - 1; a >= 0; a-- {
		for b := m - 1; b >= 0; b-- {
			best := max(most[(a+1)*width+b], most[a*width+b+1])
			if like := likeness(from.A+a, from.B+b); like >= 0 {
				best = max(best, int32(like)+most[(a+1)*width+b+1])
			}
			most[a*width+b] = best
		}
	}
	var pairs []Pair
	for a, b := 0, 0; a < n && b < m; {
		like := int32(likeness(from.A+a, from.B+b))
		switch best := most[a*width+b]; {
		case like >= 0 && best == like+most[(a+1)*width+b+1]:
			pairs = append(pairs, Pair{from.A + a, from.B + b})
			a, b = a+1, b+1
		case best == most[(a+1)*width+b]:
			a++
		default:
			b++
		}
	}
	return pairs
}

// UniquePairs returns the pairs of equal elements that occur exactly once in each sequence, in the
// order of the first sequence. The sequences start at from.
func UniquePairs[K comparable](from Pair, a, b []K) []Pair {
	type count struct{ inA, inB, at int }
	counts := make(map[K]count, len(b))
	for at, key := range b {
		counts[key] = count{inB: counts[key].inB + 1, at: at}
	}
	for _, key := range a {
		if c, common := counts[key]; common {
			c.inA++
			counts[key] = c
		}
	}
	var pairs []Pair
	for at, key := range a {
		if c := counts[key]; c.inA == 1 && c.inB == 1 {
			pairs = append(pairs, Pair{from.A + at, from.B + c.at})
		}
	}
	return pairs
}

// longestIncreasing returns a longest selection of the pairs in which B increases; A increases
// already (patience sorting).
func longestIncreasing(pairs []Pair) []Pair {
	if len(pairs) == 0 {
		return nil
	}
	var ends []int // index of the pair that ends the best selection of each length
	before := make([]int, len(pairs))
	for n, p := range pairs {
		length, _ := slices.BinarySearchFunc(ends, p.B, func(end, b int) int { return pairs[end].B - b })
		before[n] = -1
		if length > 0 {
			before[n] = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, n)
		} else {
			ends[length] = n
		}
	}
	run := make([]Pair, len(ends))
	for k, n := len(ends)-1, ends[len(ends)-1]; k >= 0; k, n = k-1, before[n] {
		run[k] = pairs[n]
	}
	return run
}

// fill returns the pairs of [from, to) and adds what more returns for each range between them.
func fill(from, to Pair, pairs []Pair, more func(from, to Pair) []Pair) []Pair {
	out := make([]Pair, 0, max(to.A-from.A, to.B-from.B))
	for _, p := range pairs {
		if from != p {
			out = append(out, more(from, p)...)
		}
		out = append(out, p)
		from = p.next()
	}
	if from != to {
		out = append(out, more(from, to)...)
	}
	return out
}

// oneByOne pairs the elements of a range in order until one side has none left.
func oneByOne(from, to Pair) []Pair {
	var pairs []Pair
	for ; from.A < to.A && from.B < to.B; from = from.next() {
		pairs = append(pairs, from)
	}
	return pairs
}

// unpaired returns each element of a range without a partner.
func unpaired(from, to Pair) []Pair {
	var pairs []Pair
	for ; from.A < to.A; from.A++ {
		pairs = append(pairs, Pair{from.A, -1})
	}
	for ; from.B < to.B; from.B++ {
		pairs = append(pairs, Pair{-1, from.B})
	}
	return pairs
}
