package inline

import "strings"

// place finds a text for every group of the units; input holds the units of the input. deeper says that what stays
// unaligned and is too much for an alignment of characters may be cut into words.
func (m *matcher) place(template []*stretch, input []string, deeper bool) {
	pairs := append(m.align(template, input), pair{len(template), len(input)})
	last := pair{-1, -1}
	for n, p := range pairs {
		m.gap(template[last.t+1:p.t], input[last.i+1:p.i], deeper)
		if p.t < len(template) {
			m.paired(template[p.t], input[p.i], deeper)
			m.widen(template, input, last, p, pairs[n+1])
		}
		last = p
	}
}

// gap places the groups of units between two pairs. Where the input has nothing there, they have no place.
func (m *matcher) gap(template []*stretch, input []string, deeper bool) {
	if len(template) == 0 || len(input) == 0 {
		return
	}
	m.paired(joinAll(template), strings.Join(input, ""), deeper)
}

// paired places the groups of a stretch, for which the text stands.
func (m *matcher) paired(s *stretch, text string, deeper bool) {
	if s.groups == 0 || m.take(s, text) || m.oneFault(s, text) || m.byCharacters(s, text) || !deeper {
		return
	}
	m.place(units(s.pieces, wordEnds), cutText(text, wordEnds), false)
}

// widen gives a pair whose unit can stand for several of the input those beside it that have no partner, if it accepts
// them.
func (m *matcher) widen(template []*stretch, input []string, last, p, next pair) {
	s, from, to := template[p.t], p.i, p.i+1
	if !s.spans {
		return
	}
	if last.t == p.t-1 {
		from = last.i + 1
	}
	if next.t == p.t+1 {
		to = next.i
	}
	if to-from > 1 {
		m.take(s, strings.Join(input[from:to], ""))
	}
}
