package textdiff

import (
	"unicode"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

const (
	// wordPairs bounds the words of one line times the words of the other: beyond, the comparison is quadratic work
	// for something that nobody could see.
	wordPairs = 1 << 18
	// wordsMost keeps the numbers of words below the surrogates, which do not survive as runes.
	wordsMost = 40_000
	// wordsFew is up to how many words of either line a table of all pairs is the quickest way.
	wordsFew = 32
)

// Span is the bytes [Start, End) of a line.
type Span struct{ Start, End int }

// Words returns the spans of a and b that differ, in order. A word is a run of letters, digits and underscores; any other
// character is a word of its own. Changed words with a single such character between them are one span.
func Words(a, b string) (inA, inB []Span) {
	left, right := words(a), words(b)
	from := 0
	for from < len(left) && from < len(right) && left[from].text(a) == right[from].text(b) {
		from++
	}
	i, j := len(left), len(right)
	for i > from && j > from && left[i-1].text(a) == right[j-1].text(b) {
		i, j = i-1, j-1
	}
	left, right = left[from:i], right[from:j]
	if len(left)*len(right) > wordPairs || len(left)+len(right) > wordsMost {
		return join(a, spread(left)), join(b, spread(right))
	}
	differ := changed
	if len(left) <= wordsFew && len(right) <= wordsFew {
		differ = changedFew
	}
	changedA, changedB := differ(a, b, left, right)
	return join(a, changedA), join(b, changedB)
}

func (s Span) text(line string) string { return line[s.Start:s.End] }

// words cuts a line into words.
func words(line string) []Span {
	var out []Span
	inside := false
	for at := 0; at < len(line); {
		r, size := utf8.DecodeRuneInString(line[at:])
		word := isWord(r) && !(r == utf8.RuneError && size == 1)
		if word && inside {
			out[len(out)-1].End += size
		} else {
			out = append(out, Span{at, at + size})
		}
		inside = word
		at += size
	}
	return out
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// changed compares the words with go-diff, which works on runes: each distinct word is a rune here.
func changed(a, b string, left, right []Span) (inA, inB []Span) {
	ids := make(map[string]rune, len(left)+len(right))
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // the bound is the size, not the clock
	i, j := 0, 0
	for _, d := range differ.DiffMainRunes(runes(a, left, ids), runes(b, right, ids), false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			i, j = i+n, j+n
		case diffmatchpatch.DiffDelete:
			inA = append(inA, left[i:i+n]...)
			i += n
		case diffmatchpatch.DiffInsert:
			inB = append(inB, right[j:j+n]...)
			j += n
		}
	}
	return inA, inB
}

// changedFew finds the words outside a longest common subsequence by the usual table: row i, column j hold the length of the
// longest one of left[i:] and right[j:].
func changedFew(a, b string, left, right []Span) (inA, inB []Span) {
	var table [wordsFew + 1][wordsFew + 1]uint8
	for i := len(left) - 1; i >= 0; i-- {
		word := left[i].text(a)
		for j := len(right) - 1; j >= 0; j-- {
			if word == right[j].text(b) {
				table[i][j] = table[i+1][j+1] + 1
				continue
			}
			table[i][j] = max(table[i+1][j], table[i][j+1])
		}
	}
	i, j := 0, 0
	for i < len(left) && j < len(right) {
		switch {
		case left[i].text(a) == right[j].text(b):
			i, j = i+1, j+1
		case table[i+1][j] >= table[i][j+1]:
			inA = append(inA, left[i])
			i++
		default:
			inB = append(inB, right[j])
			j++
		}
	}
	return append(inA, left[i:]...), append(inB, right[j:]...)
}

func runes(line string, spans []Span, ids map[string]rune) []rune {
	out := make([]rune, len(spans))
	for i, s := range spans {
		id, known := ids[s.text(line)]
		if !known {
			id = rune(len(ids) + 1)
			ids[s.text(line)] = id
		}
		out[i] = id
	}
	return out
}

// spread returns one span over all of the words.
func spread(spans []Span) []Span {
	if len(spans) == 0 {
		return nil
	}
	return []Span{{spans[0].Start, spans[len(spans)-1].End}}
}

// join makes one span of those that touch or have a single separator between them.
func join(line string, spans []Span) []Span {
	var out []Span
	for _, s := range spans {
		if last := len(out) - 1; last >= 0 && isNarrow(line[out[last].End:s.Start]) {
			out[last].End = s.End
			continue
		}
		out = append(out, s)
	}
	return out
}

func isNarrow(gap string) bool {
	r, size := utf8.DecodeRuneInString(gap)
	return size == len(gap) && !isWord(r)
}

// texts cuts a text into its words.
func texts(text string) []string {
	spans := words(text)
	out := make([]string, len(spans))
	for i, s := range spans {
		out[i] = s.text(text)
	}
	return out
}
