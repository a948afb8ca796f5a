package inline

import (
	"slices"
	"strings"
	"unicode"
)

// Where a value as a whole does not match, its groups get their places by alignment, from the coarse to the fine: lines
// that match keep the rest in its place, what remains between them is tried in one piece, then line by line where lines
// are alike (alike.go). What belongs to a line at last is tried with a single part of it left open (fault.go), then aligned
// by characters (chars.go); a line too long for that is cut into words first.

// alignCells bounds one table of units against units.
const alignCells = 1 << 18

// The likeness of a unit of the template and one of the input. Only that which says something, a letter or a digit, counts
// in full: an empty line, or a group alone, goes with too much.
const (
	sameText  = 6
	sameBlank = 2
	likeText  = 3
	likeStart = 1
)

// pair says that unit t of the template and unit i of the input belong together.
type pair struct{ t, i int }

// aligner pairs units so that their likenesses add up to the most; both indexes rise. In stretches too large for that it
// first pairs the texts that stand once on either side.
type aligner struct {
	m        *matcher
	template []*stretch
	input    []string
	tid, iid []int // of equal texts; -1 for a unit with groups
	words    bool  // the units are words: groups can stand for any number of them, and are not paired
	pairs    []pair
	likeness func(t, i int) int // how much speaks for a pair; 0 is no pair
}

func (m *matcher) align(template []*stretch, input []string, by level) []pair {
	a := &aligner{m: m, template: template, input: input, words: by == byWord}
	a.likeness = a.likenessOf
	ids := make(map[string]int)
	id := func(text string) int {
		n, known := ids[text]
		if !known {
			n = len(ids)
			ids[text] = n
		}
		return n
	}
	for _, s := range template {
		if s.groups > 0 {
			a.tid = append(a.tid, -1)
		} else {
			a.tid = append(a.tid, id(s.text))
		}
	}
	for _, text := range input {
		a.iid = append(a.iid, id(text))
	}
	a.solve(pair{}, pair{len(template), len(input)})
	return a.pairs
}

// solve pairs the units in [from, to).
func (a *aligner) solve(from, to pair) {
	for from.t < to.t && from.i < to.i && a.tid[from.t] == a.iid[from.i] {
		a.pairs = append(a.pairs, from)
		from = pair{from.t + 1, from.i + 1}
	}
	end := to
	for from.t < end.t && from.i < end.i && a.tid[end.t-1] == a.iid[end.i-1] {
		end = pair{end.t - 1, end.i - 1}
	}
	if cells := (end.t - from.t) * (end.i - from.i); cells <= min(alignCells, a.m.cells) {
		a.m.cells -= cells
		a.table(from, end)
	} else {
		anchors := a.anchors(from, end)
		for _, p := range anchors {
			a.solve(from, p)
			a.pairs = append(a.pairs, p)
			from = pair{p.t + 1, p.i + 1}
		}
		if anchors != nil {
			a.solve(from, end)
		}
	}
	for p := end; p.t < to.t; p = (pair{p.t + 1, p.i + 1}) {
		a.pairs = append(a.pairs, p)
	}
}

// table pairs units by the table of what is the most that can be reached from each pair on.
func (a *aligner) table(from, to pair) {
	rows, columns := to.t-from.t, to.i-from.i
	width := columns + 1
	best := make([]int32, (rows+1)*width)
	like := make([]int8, rows*columns)
	for t := rows - 1; t >= 0; t-- {
		for i := columns - 1; i >= 0; i-- {
			l := a.likeness(from.t+t, from.i+i)
			like[t*columns+i] = int8(l)
			most := max(best[(t+1)*width+i], best[t*width+i+1])
			if l > 0 {
				most = max(most, int32(l)+best[(t+1)*width+i+1])
			}
			best[t*width+i] = most
		}
	}
	for t, i := 0, 0; t < rows && i < columns; {
		l := int32(like[t*columns+i])
		switch most := best[t*width+i]; {
		case l > 0 && most == l+best[(t+1)*width+i+1]:
			a.pairs = append(a.pairs, pair{from.t + t, from.i + i})
			t, i = t+1, i+1
		case most == best[(t+1)*width+i]:
			t++
		default:
			i++
		}
	}
}

// likenessOf goes by what is equal, by what is accepted, and by how the units begin and end.
func (a *aligner) likenessOf(t, i int) int {
	s, text := a.template[t], a.input[i]
	prefix, suffix, all := s.prefix, s.suffix, len(s.prefix)+len(s.suffix)
	switch {
	case s.groups == 0 && a.tid[t] == a.iid[i]:
		if says(text) {
			return sameText
		}
		return sameBlank
	case a.words:
		return 0
	case s.groups == 0:
		prefix, suffix, all = s.text, s.text, 1+max(len(s.text), len(text))
	}
	if _, ok := a.m.accepts(s, text); ok && s.groups > 0 {
		if slices.ContainsFunc(s.pieces, func(p piece) bool { return p.group == nil && says(p.text) }) {
			return sameText
		}
		return sameBlank
	}
	before := commonPrefix(prefix, text)
	behind := commonSuffix(suffix, text[before:])
	switch {
	case !says(text[:before]) && !says(text[len(text)-behind:]), 2*(before+behind) < all:
		return 0
	case before+behind == all:
		return likeText
	}
	return likeStart
}

// says reports whether a text has a letter or a digit.
func says(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// anchors returns the most pairs of units that are the only ones with their text, or with their key where the template has a
// group behind it, on either side, and whose indexes rise on both.
func (a *aligner) anchors(from, to pair) []pair {
	var once []pair
	texts := single(from.i, to.i, func(i int) string { return a.input[i] })
	keys := single(from.i, to.i, func(i int) string { return keyOf(a.input[i]) })
	own := single(from.t, to.t, func(t int) string { return a.template[t].text })
	ownKeys := single(from.t, to.t, func(t int) string { return keyOf(a.template[t].text) })
	for t := from.t; t < to.t; t++ {
		s := a.template[t]
		key := keyOf(s.prefix)
		i, ok := texts[s.text]
		_, alone := own[s.text]
		if s.groups > 0 {
			i, ok = keys[key]
			_, alone = ownKeys[key]
			ok = ok && key != "" && !a.words
		}
		if ok && alone {
			once = append(once, pair{t, i})
		}
	}
	return rising(once)
}

// single maps each text that only one index of [from, to) has to that index.
func single(from, to int, text func(int) string) map[string]int {
	at := make(map[string]int)
	var several []string
	for n := from; n < to; n++ {
		if _, known := at[text(n)]; known {
			several = append(several, text(n))
		}
		at[text(n)] = n
	}
	for _, s := range several {
		delete(at, s)
	}
	return at
}

// keyOf returns a line up to the colon or equals sign behind its first word, or nothing.
func keyOf(line string) string {
	end := strings.IndexAny(line, ":=")
	if end < 0 || !says(line[:end]) {
		return ""
	}
	return line[:end+1]
}

// rising returns a longest run of pairs whose i rises, given pairs whose t does (patience sorting).
func rising(pairs []pair) []pair {
	if pairs == nil {
		return nil
	}
	var ends []int // index of the pair that ends the best run of each length
	before := make([]int, len(pairs))
	for n, p := range pairs {
		length, _ := slices.BinarySearchFunc(ends, p.i, func(end, i int) int { return pairs[end].i - i })
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
	run := make([]pair, len(ends))
	for k, n := len(ends)-1, ends[len(ends)-1]; k >= 0; k, n = k-1, before[n] {
		run[k] = pairs[n]
	}
	return run
}
