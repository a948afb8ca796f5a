package inline

import "strings"

// level says what units are and how they are paired, from the coarse to the fine.
type level int

const (
	byLine     level = iota // lines that match
	byLikeness              // lines that are alike
	byWord                  // the words of one stretch
)

// place finds a text for every group of the units, given all units of the input.
func (m *matcher) place(template []*stretch, input []string, by level) {
	m.follow(template, input, m.align(template, input, by), by)
}

// follow places the groups of paired units, and those between two pairs.
func (m *matcher) follow(template []*stretch, input []string, pairs []pair, by level) {
	pairs = append(pairs, pair{len(template), len(input)})
	last := pair{-1, -1}
	for n, p := range pairs {
		m.gap(template[last.t+1:p.t], input[last.i+1:p.i], by)
		if p.t < len(template) {
			m.paired(template[p.t], input[p.i], by)
			m.widen(template, input, last, p, pairs[n+1])
		}
		last = p
	}
}

// gap places the groups of units between two pairs. Where the input has nothing there, they have no place.
func (m *matcher) gap(template []*stretch, input []string, by level) {
	if len(template) == 0 || len(input) == 0 {
		return
	}
	s, text := joinAll(template), strings.Join(input, "")
	if s.groups == 0 || m.take(s, text) {
		return
	}
	if by == byLine && len(template)+len(input) > 2 {
		if pairs := m.alike(template, input); pairs != nil {
			m.follow(template, input, pairs, byLikeness)
			return
		}
	}
	m.paired(s, text, by)
}

// paired places the groups of a stretch, for which the text stands.
func (m *matcher) paired(s *stretch, text string, by level) {
	if s.groups == 0 || m.take(s, text) || m.oneFault(s, text) || m.byCharacters(s, text) || by == byWord {
		return
	}
	m.place(units(s.pieces, wordEnds), cutText(text, wordEnds), byWord)
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
