package align

import (
	"strings"
	"unicode/utf8"
)

const (
	// distanceExact is the number of changed characters up to which Distance is exact.
	distanceExact = 2000
	// stretchExact is the same for a stretch of lines inside texts that differ more than that.
	stretchExact = 200
	// wordSteps bounds the comparisons of words in one stretch, so that many stretches share what
	// is left, and of two lines.
	wordSteps = 100_000
	// distanceSteps bounds the comparisons of characters and words of one Distance.
	distanceSteps = 6_000_000
	// wordBytes bounds the texts that one Distance splits into words.
	wordBytes = 1 << 20
)

// Distance returns how many characters must be deleted from a and inserted into a to make it b: 0
// for equal texts only, and the same in both directions. Up to 2000 it is the least possible
// number; for texts that differ more, or at very many places far apart, it may be more than the
// least, but never less, and never more than both lengths together.
func Distance(a, b string) int {
	if a == b {
		return 0
	}
	if b < a {
		a, b = b, a // the approximation depends on the order
	}
	steps := distanceSteps
	if d, exact := edits(a, b, distanceExact, &steps); exact {
		return d
	}
	left, right := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	total, bytes := 0, wordBytes
	fill(Pair{}, Pair{len(left), len(right)}, common(left, right, linesSteps), func(from, to Pair) []Pair {
		total += stretchDistance(
			strings.Join(left[from.A:to.A], ""), strings.Join(right[from.B:to.B], ""), &steps, &bytes,
		)
		return nil
	})
	return total
}

// stretchDistance is the distance of two texts that have no line in common, or hardly any: by
// characters if they differ little, else by words. Where these would be more bytes than are left,
// nothing counts as common.
func stretchDistance(a, b string, steps, bytes *int) int {
	if d, exact := edits(a, b, stretchExact, steps); exact {
		return d
	}
	total := utf8.RuneCountInString(a) + utf8.RuneCountInString(b)
	if *bytes -= len(a) + len(b); *bytes < 0 {
		return total
	}
	left, right := SplitWords(a), SplitWords(b)
	share := min(*steps, wordSteps)
	*steps -= share
	for _, p := range common(left, right, share) {
		total -= 2 * utf8.RuneCountInString(left[p.A])
	}
	return total
}

// edits returns the least number of changed characters, if it is no more than most and the steps
// last.
func edits(textA, textB string, most int, steps *int) (edits int, exact bool) {
	if *steps <= 0 {
		return 0, textA == textB
	}
	if more := utf8.RuneCountInString(textA) - utf8.RuneCountInString(textB); more > most || -more > most {
		return 0, false
	}
	a, b := characters(textA), characters(textB)
	head, tail := ends(len(a), len(b), func(i, j int) bool { return a[i] == b[j] })
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b), true
	}
	_, edits, exact = middle(a, b, most, steps)
	return edits, exact
}

// characters returns the characters of a text. A byte that is no UTF-8 is a character of its own,
// beyond all runes.
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
