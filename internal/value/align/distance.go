package align

import (
	"strings"
	"unicode/utf8"
)

const (
	// distanceExact bounds the pairs of characters up to which Distance is exact.
	distanceExact = 2000 * 2000
	// wordCells bounds the pairs of words of one range or of two lines, so that the ranges of a text
	// share distanceCells.
	wordCells = 100_000
	// distanceCells bounds the pairs of characters and words of one Distance.
	distanceCells = 6_000_000
	// wordBytes bounds the texts that one Distance splits into words.
	wordBytes = 1 << 20
)

// Distance returns how many characters must be deleted from a and inserted into it to get b. It is
// 0 only for equal texts, and the same in both directions. It is the smallest possible number if at
// most 2000 characters of each text lie between the first and the last change. Else it is computed from
// the lines that both texts have, and may be larger than that, but never larger than both lengths
// together.
func Distance(a, b string) int {
	if a == b {
		return 0
	}
	if b < a {
		a, b = b, a // the approximation depends on the order
	}
	cells := distanceCells
	if d, exact := edits(a, b, distanceExact, &cells); exact {
		return d
	}
	left, right := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	total, bytes := 0, wordBytes
	fill(Pair{}, Pair{len(left), len(right)}, common(left, right, linesCells), func(from, to Pair) []Pair {
		total += stretchDistance(
			strings.Join(left[from.A:to.A], ""), strings.Join(right[from.B:to.B], ""), &cells, &bytes,
		)
		return nil
	})
	return total
}

// stretchDistance returns the distance of two texts that have no line in common, or hardly any: by
// characters if the texts are short, else by words. If bytes does not allow splitting them into
// words, it is the sum of both lengths.
func stretchDistance(a, b string, cells, bytes *int) int {
	if d, exact := edits(a, b, *cells/2, cells); exact {
		return d
	}
	total := utf8.RuneCountInString(a) + utf8.RuneCountInString(b)
	if *bytes -= len(a) + len(b); *bytes < 0 {
		return total
	}
	left, right := splitWords(a), splitWords(b)
	share := min(*cells, wordCells)
	*cells -= share
	for _, p := range common(left, right, share) {
		total -= 2 * utf8.RuneCountInString(left[p.A])
	}
	return total
}

// edits returns the smallest number of changed characters. exact is false if more pairs of characters
// than most, or than cells has left, would be compared for it.
func edits(a, b string, most int, cells *int) (edits int, exact bool) {
	head, tail := ends(len(a), len(b), func(i, j int) bool { return a[i] == b[j] })
	for head > 0 && !(startsAt(a, head) && startsAt(b, head)) {
		head--
	}
	for tail > 0 && !(startsAt(a, len(a)-tail) && startsAt(b, len(b)-tail)) {
		tail--
	}
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	n, m := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if n == 0 || m == 0 {
		return n + m, true
	}
	if product(n, m) > most {
		return 0, false
	}
	pairs, exact := longest(characters(a), characters(b), cells)
	return n + m - 2*len(pairs), exact
}

// startsAt reports whether a character starts at an offset, or the text ends there.
func startsAt(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

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
