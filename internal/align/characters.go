package align

import (
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Characters returns the pairs of a longest common subsequence of two sequences of characters, and
// of what else a caller has numbers for. It is quadratic work.
func Characters(a, b []rune) []Pair {
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // the answer must not depend on a clock
	ids := make(map[rune]rune)
	var pairs []Pair
	var at Pair
	for _, d := range differ.DiffMainRunes(numbered(a, ids), numbered(b, ids), false) {
		for range utf8.RuneCountInString(d.Text) {
			switch d.Type {
			case diffmatchpatch.DiffDelete:
				at.A++
			case diffmatchpatch.DiffInsert:
				at.B++
			default:
				pairs = append(pairs, at)
				at = at.next()
			}
		}
	}
	return pairs
}

// numbered puts a character in the place of each number: the library takes nothing else.
func numbered(numbers []rune, ids map[rune]rune) []rune {
	const surrogates, few = 0xD800, 0x800 // these are no characters
	out := make([]rune, len(numbers))
	for i, n := range numbers {
		id, known := ids[n]
		if !known {
			id = rune(len(ids))
			if id >= surrogates {
				id += few
			}
			ids[n] = id
		}
		out[i] = id
	}
	return out
}
