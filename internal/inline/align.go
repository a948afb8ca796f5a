package inline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/align"
)

// Where a value as a whole does not match, its groups get their places by alignment, from the coarse to the fine: lines
// that match keep the rest in its place, what remains between them is tried in one piece, then line by line where lines
// are alike. What belongs to a line at last is tried with a single part of it left open (fault.go), then aligned by
// characters (chars.go); a line too long for that is cut into words first.

// alignCells bounds one table of units against units.
const alignCells = 1 << 18

// The likeness of a unit of the template and one of the input. Only that which says something, a letter or a digit, counts
// in full: an empty line, or a group alone, goes with too much.
const (
	sameText  = 6
	sameBlank = 2
	likeText  = 3
	likeStart = 1
	apart     = -1
)

// align pairs units of the template, lines or words, with those of the input so that their likenesses add up to the most. In
// stretches too large for that it first pairs the texts that stand once on either side.
func (m *matcher) align(template []*stretch, input []string, by level) []align.Pair {
	x := &align.Aligner{Equal: func(t, i int) bool { return template[t].groups == 0 && template[t].text == input[i] }}
	x.Inner = func(from, to align.Pair) {
		cells := align.Cells(from, to)
		if cells > min(alignCells, m.cells) {
			x.Cut(from, to, anchors(from, template[from.A:to.A], input[from.B:to.B], by))
			return
		}
		m.cells -= cells
		x.Pairs = append(x.Pairs, align.Alike(from, to, func(t, i int) int { return m.likeness(template[t], input[i], by) })...)
	}
	x.Stretch(align.Pair{}, align.Pair{A: len(template), B: len(input)})
	return x.Pairs
}

// likeness goes by what is equal, by what is accepted, and by how the units begin and end. Among words, a group can stand for
// any number of them and is not paired.
func (m *matcher) likeness(s *stretch, text string, by level) int {
	prefix, suffix, all := s.prefix, s.suffix, len(s.prefix)+len(s.suffix)
	switch {
	case s.groups == 0 && s.text == text:
		if says(text) {
			return sameText
		}
		return sameBlank
	case by == byWord:
		return apart
	case s.groups == 0:
		prefix, suffix, all = s.text, s.text, 1+max(len(s.text), len(text))
	}
	if _, ok := m.accepts(s, text); ok && s.groups > 0 {
		if slices.ContainsFunc(s.pieces, func(p piece) bool { return p.group == nil && says(p.text) }) {
			return sameText
		}
		return sameBlank
	}
	before := commonPrefix(prefix, text)
	behind := commonSuffix(suffix, text[before:])
	switch {
	case !says(text[:before]) && !says(text[len(text)-behind:]), 2*(before+behind) < all:
		return apart
	case before+behind == all:
		return likeText
	}
	return likeStart
}

// alike pairs units whose text is alike although neither their beginnings nor their ends say so, as after a slip in a key.
// It is meant for the few units that nothing better could pair; nil for more.
func (m *matcher) alike(template []*stretch, input []string) []align.Pair {
	size, length := 0, len(strings.Join(input, ""))
	for _, s := range template {
		size += len(s.text)
	}
	to := align.Pair{A: len(template), B: len(input)}
	cells := align.Cells(align.Pair{}, to)
	if cells > min(alignCells, m.cells) || align.Product(size, length) > min(alignChars, m.chars) {
		return nil
	}
	m.cells -= cells
	m.chars -= size * length
	return align.Alike(align.Pair{}, to, func(t, i int) int { return resemblance(template[t], input[i]) })
}

// resemblance is how many tenths of its text a unit has in common with a text, in order; less than seven are none.
func resemblance(s *stretch, text string) int {
	var own strings.Builder
	for _, p := range s.pieces {
		if p.group == nil {
			own.WriteString(p.text)
		}
	}
	all, length := utf8.RuneCountInString(own.String()), utf8.RuneCountInString(text)
	common := (all + length - align.Distance(own.String(), text)) / 2
	if s.groups == 0 {
		all = max(all, length)
	}
	if tenths := 10 * common / max(all, 1); tenths >= 7 {
		return tenths
	}
	return apart
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
func anchors(from align.Pair, template []*stretch, input []string, by level) []align.Pair {
	var texts, keys, inputKeys []string
	for _, s := range template {
		texts, keys = append(texts, s.text), append(keys, keyOf(s.text))
	}
	for _, text := range input {
		inputKeys = append(inputKeys, keyOf(text))
	}
	byText := slices.DeleteFunc(align.Once(from, texts, input), func(p align.Pair) bool { return template[p.A-from.A].groups > 0 })
	byKey := slices.DeleteFunc(align.Once(from, keys, inputKeys), func(p align.Pair) bool {
		key := keyOf(template[p.A-from.A].prefix)
		return key == "" || by == byWord
	})
	pairs := append(byText, byKey...)
	slices.SortFunc(pairs, func(a, b align.Pair) int { return a.A - b.A })
	return align.Rising(pairs)
}

// keyOf returns a line up to the colon or equals sign behind its first word, or nothing.
func keyOf(line string) string {
	end := strings.IndexAny(line, ":=")
	if end < 0 || !says(line[:end]) {
		return ""
	}
	return line[:end+1]
}
