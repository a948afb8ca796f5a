package compare

import (
	"encoding/json"
	"slices"

	"github.com/validationtool/validationtool/internal/tree"
)

// aligned says which item of the left list stands beside which of the right one; -1 where one side has none.
type aligned struct{ left, right int }

// Bounds of the exact alignment of a stretch; a longer stretch is paired item by item.
const maxAligned = 250 * 250

// align lays two lists over each other so that an inserted or removed item moves none of the others. Both orders are
// kept: the left indexes of the result ascend, and so do the right ones.
//
// Equal items at both ends pair up, then items that occur once on each side and in the same order (patience diff, as Bram
// Cohen described it), then what lies between by the cheapest alignment (Needleman–Wunsch), where beside an unequal item
// costs the less the more the two share.
func align(left, right []any) []aligned {
	var out []aligned
	head := 0
	for head < len(left) && head < len(right) && tree.Equal(left[head], right[head]) {
		out = append(out, aligned{head, head})
		head++
	}
	tail := 0
	for tail < len(left)-head && tail < len(right)-head && tree.Equal(left[len(left)-1-tail], right[len(right)-1-tail]) {
		tail++
	}
	l, r := head, head
	for _, a := range anchors(left[head:len(left)-tail], right[head:len(right)-tail]) {
		out = append(out, gap(left, right, l, head+a.left, r, head+a.right)...)
		out = append(out, aligned{head + a.left, head + a.right})
		l, r = head+a.left+1, head+a.right+1
	}
	out = append(out, gap(left, right, l, len(left)-tail, r, len(right)-tail)...)
	for i := tail; i > 0; i-- {
		out = append(out, aligned{len(left) - i, len(right) - i})
	}
	return out
}

// anchors returns the longest ascending run of items that are unique on both sides and equal.
func anchors(left, right []any) []aligned {
	if len(left) == 0 || len(right) == 0 {
		return nil
	}
	type seen struct{ count, at int }
	index := func(list []any) map[string]seen {
		m := make(map[string]seen, len(list))
		for i, x := range list {
			k := canonical(x)
			m[k] = seen{m[k].count + 1, i}
		}
		return m
	}
	l, r := index(left), index(right)
	var pairs []aligned
	for k, a := range l {
		if b := r[k]; a.count == 1 && b.count == 1 {
			pairs = append(pairs, aligned{a.at, b.at})
		}
	}
	slices.SortFunc(pairs, func(a, b aligned) int { return a.left - b.left })
	return ascending(pairs)
}

// ascending returns the longest subsequence whose right indexes ascend (patience sorting).
func ascending(pairs []aligned) []aligned {
	var piles []int // index of the top card of each pile
	back := make([]int, len(pairs))
	for i, p := range pairs {
		at, _ := slices.BinarySearchFunc(piles, p.right, func(top, right int) int { return pairs[top].right - right })
		back[i] = -1
		if at > 0 {
			back[i] = piles[at-1]
		}
		if at == len(piles) {
			piles = append(piles, i)
		} else {
			piles[at] = i
		}
	}
	if len(piles) == 0 {
		return nil
	}
	out := make([]aligned, len(piles))
	for i, k := len(piles)-1, piles[len(piles)-1]; k >= 0; i, k = i-1, back[k] {
		out[i] = pairs[k]
	}
	return out
}

// canonical returns a text that two values share exactly when they are equal.
func canonical(v any) string {
	text, err := json.Marshal(tree.Plain(v))
	if err != nil {
		return ""
	}
	return string(text)
}

// Costs of the alignment, in thousandths: leaving one item alone, and setting two unequal ones side by side.
const (
	costAlone    = 1000
	costUnlike   = 2001 // dearer than leaving both alone
	costScalars  = 1200
	costSameName = 200
)

// gap aligns left[l0:l1] with right[r0:r1].
func gap(left, right []any, l0, l1, r0, r1 int) []aligned {
	n, m := l1-l0, r1-r0
	var out []aligned
	if n*m > maxAligned || n == 0 || m == 0 {
		for i := range max(n, m) {
			a := aligned{-1, -1}
			if i < n {
				a.left = l0 + i
			}
			if i < m {
				a.right = r0 + i
			}
			out = append(out, a)
		}
		return out
	}
	// cost[i][j] is the least cost of aligning what is left from i and j on
	cost := make([][]int, n+1)
	beside := make([][]int, n)
	for i := range cost {
		cost[i] = make([]int, m+1)
		cost[i][m] = (n - i) * costAlone
	}
	for j := range m {
		cost[n][j] = (m - j) * costAlone
	}
	for i := n - 1; i >= 0; i-- {
		beside[i] = make([]int, m)
		for j := m - 1; j >= 0; j-- {
			beside[i][j] = dissimilarity(left[l0+i], right[r0+j])
			cost[i][j] = min(cost[i+1][j+1]+beside[i][j], cost[i+1][j]+costAlone, cost[i][j+1]+costAlone)
		}
	}
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && cost[i][j] == cost[i+1][j+1]+beside[i][j]:
			out = append(out, aligned{l0 + i, r0 + j})
			i, j = i+1, j+1
		case i < n && (j == m || cost[i][j] == cost[i+1][j]+costAlone):
			out = append(out, aligned{l0 + i, -1})
			i++
		default:
			out = append(out, aligned{-1, r0 + j})
			j++
		}
	}
	return out
}

// dissimilarity returns the cost of setting two items side by side, from 0 for equal ones.
func dissimilarity(a, b any) int {
	if tree.Equal(a, b) {
		return 0
	}
	am, aok := a.(map[string]any)
	bm, bok := b.(map[string]any)
	if aok && bok {
		return unlikeMaps(am, bm)
	}
	_, al := a.([]any)
	_, bl := b.([]any)
	switch {
	case aok || bok || al != bl:
		return costUnlike
	case al:
		return costSameName + 1800*unshared(a, b)/1000
	}
	return costScalars + 700*unlikeText(a, b)/1000
}

// unlikeMaps returns the cost of setting two unequal maps side by side. Maps that differ in one scalar only always stand
// side by side; maps with different names only where they have at least half of the rest in common.
func unlikeMaps(a, b map[string]any) int {
	same, total := shared(a, b)
	unlike := 1000 - 1000*same/max(total, 1)
	named, sameNamed := sameName(a, b)
	switch {
	case named && sameNamed:
		return costSameName + 700*unlike/1000
	case unlike <= 500 || total <= 2:
		return costScalars + 700*unlike/1000
	case !named && unlike <= 800:
		return costSameName + 1800*unlike/1000
	}
	return costUnlike
}

// sameName compares the fields by which Kubernetes tells list items apart.
func sameName(a, b map[string]any) (named, same bool) {
	for _, k := range []string{"name", "key", "type", "id"} {
		x, ok1 := a[k].(string)
		y, ok2 := b[k].(string)
		if ok1 && ok2 && (k == "name" || x != y || k == "key") {
			return true, x == y
		}
	}
	return false, false
}

// unshared returns how much of two values is not the same, in thousandths of their leaves.
func unshared(a, b any) int {
	same, total := shared(a, b)
	if total == 0 {
		return 0
	}
	return 1000 - 1000*same/total
}

// shared counts the leaves that two values have in common and the leaves of both together.
func shared(a, b any) (same, total int) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			return 0, 2
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok {
				total++
				continue
			}
			s, t := shared(v, w)
			same, total = same+s, total+t
		}
		for k := range y {
			if _, ok := x[k]; !ok {
				total++
			}
		}
		return same, total
	case []any:
		y, ok := b.([]any)
		if !ok {
			return 0, 2
		}
		return sharedItems(x, y)
	}
	if tree.Equal(a, b) {
		return 1, 1
	}
	return 0, 1
}

// sharedItems counts for lists. Equal items at both ends stand beside each other, so that an item more in front of others
// is just that; what lies between is compared item by item.
func sharedItems(x, y []any) (same, total int) {
	for len(x) > 0 && len(y) > 0 && tree.Equal(x[0], y[0]) {
		n, _ := shared(x[0], y[0])
		same, x, y = same+n, x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && tree.Equal(x[len(x)-1], y[len(y)-1]) {
		n, _ := shared(x[len(x)-1], y[len(y)-1])
		same, x, y = same+n, x[:len(x)-1], y[:len(y)-1]
	}
	total = same
	for i := range min(len(x), len(y)) {
		s, t := shared(x[i], y[i])
		same, total = same+s, total+t
	}
	return same, total + max(len(x), len(y)) - min(len(x), len(y))
}

// unlikeText returns how much two scalars differ in text, in thousandths, by their common head and tail.
func unlikeText(a, b any) int {
	x, y := tree.ScalarOf(a), tree.ScalarOf(b)
	most := max(len(x), len(y))
	head := 0
	for head < min(len(x), len(y)) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < min(len(x), len(y))-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	if most == 0 {
		return 0
	}
	return 1000 - 1000*(head+tail)/most
}
