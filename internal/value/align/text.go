package align

import (
	"unicode"
	"unicode/utf8"
)

const (
	// linesCells bounds the pairs of lines that are compared to about 30 ms.
	linesCells = 4_000_000
	// alignStretch bounds the pairs of lines in a range that is aligned by likeness.
	alignStretch = 10_000
	// alignAll bounds the same over all ranges of one text.
	alignAll = 200_000
)

// Lines aligns two texts: every line of both is in exactly one pair, in order. It pairs as many
// equal lines as possible, then the lines that are most alike between them, then the rest one by
// one.
func Lines(a, b []string) []Pair {
	to, work := Pair{len(a), len(b)}, alignAll
	pairs := fill(Pair{}, to, common(a, b, linesCells), func(from, to Pair) []Pair {
		cells := cellsOf(from, to)
		if cells < 2 || cells > min(alignStretch, work) {
			return nil
		}
		work -= cells
		return similarLines(from, to, a, b)
	})
	return fill(Pair{}, to, fill(Pair{}, to, pairs, oneByOne), unpaired)
}

// similarLines pairs the lines of a range that have at least half of their text in common.
func similarLines(from, to Pair, a, b []string) []Pair {
	return MostSimilar(from, to, func(x, y int) int {
		if like := 1000 - unlikeText(a[x], b[y]); like >= 500 {
			return like
		}
		return apart
	})
}

// Span is the byte range [Start, End) of a text.
type Span struct{ Start, End int }

// Words returns the spans of a and b that differ, in order. A word is a run of letters, digits and
// underscores; any other character is a word by itself. Changed words that are separated by a
// single such character form one span.
func Words(a, b string) (inA, inB []Span) {
	left, right := wordSpans(a), wordSpans(b)
	head, tail := ends(len(left), len(right), func(i, j int) bool {
		return a[left[i].Start:left[i].End] == b[right[j].Start:right[j].End]
	})
	left, right = left[head:len(left)-tail], right[head:len(right)-tail]
	pairs := common(texts(a, left), texts(b, right), wordCells)
	fill(Pair{}, Pair{len(left), len(right)}, pairs, func(from, to Pair) []Pair {
		inA, inB = append(inA, left[from.A:to.A]...), append(inB, right[from.B:to.B]...)
		return nil
	})
	return join(a, inA), join(b, inB)
}

// wordSpans splits a text into the spans of its words, without gaps.
func wordSpans(text string) []Span {
	var out []Span
	inside := false
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if inside && isWord(r) {
			out[len(out)-1].End += size
		} else {
			out = append(out, Span{at, at + size})
		}
		inside = isWord(r)
		at += size
	}
	return out
}

// splitWords splits a text into words.
func splitWords(text string) []string { return texts(text, wordSpans(text)) }

// texts returns the text of each span.
func texts(text string, spans []Span) []string {
	out := make([]string, len(spans))
	for i, s := range spans {
		out[i] = text[s.Start:s.End]
	}
	return out
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// join merges spans that touch or have a single separator between them.
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
