package align

import (
	"strings"
	"unicode/utf8"
)

const (
	// distanceExact is the number of changed characters up to which Distance is exact.
	distanceExact = 2000
	// stretchExact is the same limit for a range of lines in texts that differ more than that.
	stretchExact = 200
	// wordSteps bounds the word comparisons of one range or of two lines, so that the ranges of a
	// text share distanceSteps.
	wordSteps = 100_000
	// distanceSteps bounds the character and word comparisons of one Distance.
	distanceSteps = 6_000_000
	// wordBytes bounds the texts that one Distance splits into words.
	wordBytes = 1 << 20
)

// Distance returns how many characters must be deleted from a and inserted into it to get b. It is
// 0 only for equal texts, and the same in both directions. Up to 2000 it is the smallest possible
// number. For texts that differ more, or in very many places far apart, it may be larger than that,
// but never larger than both lengths together.
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

// stretchDistance returns the distance of two texts that have no line in common, or hardly any: by
// characters if they differ little, else by words. If bytes does not allow splitting them into
// words, it is the sum of both lengths.
func stretchDistance(a, b string, steps, bytes *int) int {
	if d, exact := edits(a, b, stretchExact, steps); exact {
		return d
	}
	total := utf8.RuneCountInString(a) + utf8.RuneCountInString(b)
	if *bytes -= len(a) + len(b); *bytes < 0 {
		return total
	}
	left, right := splitWords(a), splitWords(b)
	share := min(*steps, wordSteps)
	*steps -= share
	for _, p := range common(left, right, share) {
		total -= 2 * utf8.RuneCountInString(left[p.A])
	}
	return total
}

// edits returns the smallest number of changed characters. exact is false if the number exceeds
// most or the steps do not suffice.
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

// characters splits a text into characters. An invalid UTF-8 byte becomes a number above all runes.
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
