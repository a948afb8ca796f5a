package textdiff

import (
	"strings"
	"unicode/utf8"
)

const (
	// distanceExact is the number of changed characters up to which Distance is exact.
	distanceExact = 2000
	// stretchExact is the same for a stretch of lines inside texts that differ more than that.
	stretchExact = 200
	// wordSteps bounds the comparisons of words in one stretch, so that many stretches share what is left.
	wordSteps = 100_000
	// distanceSteps bounds the comparisons of all exact searches of one Distance.
	distanceSteps = 6_000_000
)

// Distance returns how many characters must be deleted from a and inserted into a to make it b: 0 for equal texts only,
// and the same in both directions. Up to 2000 it is the least possible number; for texts that differ more, or at very many
// places far apart, it may be more than the least, but never less, and never more than both lengths together.
func Distance(a, b string) int {
	if a == b {
		return 0
	}
	if b < a {
		a, b = b, a // the approximation depends on the order
	}
	m := &measure{steps: distanceSteps}
	if d, exact := m.characters(a, b, distanceExact); exact {
		return d
	}
	return m.lines(Split(a), Split(b))
}

// measure counts changed characters with the steps that are left.
type measure struct{ steps int }

// lines adds up what changed in the stretches between equal lines.
func (m *measure) lines(a, b []string) int {
	total := 0
	for _, e := range Lines(a, b) {
		total += m.stretch(strings.Join(a[e.Start:e.End], ""), strings.Join(e.New, ""))
	}
	return total
}

// stretch is the distance of two texts that have no line in common, or hardly any.
func (m *measure) stretch(a, b string) int {
	if a == "" || b == "" {
		return utf8.RuneCountInString(a) + utf8.RuneCountInString(b)
	}
	if d, exact := m.characters(a, b, stretchExact); exact {
		return d
	}
	return m.words(a, b)
}

// words counts the characters of the words that changed.
func (m *measure) words(a, b string) int {
	left, right := texts(a), texts(b)
	gone := make([]bool, len(right))
	for j := range gone {
		gone[j] = true
	}
	steps := min(m.steps, wordSteps)
	m.steps -= steps
	total := 0
	for i, j := range matchStrings(left, right, steps) {
		if j >= 0 {
			gone[j] = false
			continue
		}
		total += utf8.RuneCountInString(left[i])
	}
	for j, changed := range gone {
		if changed {
			total += utf8.RuneCountInString(right[j])
		}
	}
	return total
}

// characters returns the least number of changed characters, if it is no more than most and the steps last. It is the
// forward half of Myers' algorithm, which needs no more memory than the number it looks for.
func (m *measure) characters(textA, textB string, most int) (distance int, exact bool) {
	if m.steps <= 0 {
		return 0, false
	}
	a, b := characters(textA), characters(textB)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	n, k := len(a), len(b)
	most = min(most, n+k)
	if n-k > most || k-n > most {
		return 0, false
	}
	zero := most + 1
	reach := make([]int, 2*most+3)
	for d := 0; d <= most; d++ {
		for diagonal := -d; diagonal <= d; diagonal += 2 {
			x := reach[zero+diagonal+1]
			if diagonal != -d && (diagonal == d || reach[zero+diagonal-1] >= x) {
				x = reach[zero+diagonal-1] + 1
			}
			from := x
			for x < n && x-diagonal < k && a[x] == b[x-diagonal] {
				x++
			}
			reach[zero+diagonal] = x
			m.steps -= x - from + 1
			if x >= n && x-diagonal >= k {
				return d, true
			}
		}
		if m.steps < 0 {
			return 0, false
		}
	}
	return 0, false
}

// characters returns the characters of a text. A byte that is no UTF-8 is a character of its own, beyond all runes.
func characters(text string) []rune {
	out := make([]rune, 0, len(text))
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 {
			r = utf8.MaxRune + 1 + rune(text[at])
		}
		out = append(out, r)
		at += size
	}
	return out
}
