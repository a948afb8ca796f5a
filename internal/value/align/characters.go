package align

import (
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Characters returns the pairs of a longest common subsequence of two sequences of numbers, such as
// characters. The time is quadratic.
func Characters(a, b []rune) []Pair {
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // the result must not depend on a clock
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

// numbered replaces each number by a valid character, because the library accepts only those.
func numbered(numbers []rune, ids map[rune]rune) []rune {
	const surrogates, few = 0xD800, 0x800 // not valid as characters
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
