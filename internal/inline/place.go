package inline

import (
	"strings"

	"github.com/validationtool/validationtool/internal/align"
)

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
func (m *matcher) follow(template []*stretch, input []string, pairs []align.Pair, by level) {
	pairs = append(pairs, align.Pair{A: len(template), B: len(input)})
	last := align.Pair{A: -1, B: -1}
	for n, p := range pairs {
		m.gap(template[last.A+1:p.A], input[last.B+1:p.B], by)
		if p.A < len(template) {
			m.paired(template[p.A], input[p.B], by)
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
	m.place(units(s.pieces, endsWord), cutText(text, endsWord), byWord)
}

// widen gives a pair whose unit can stand for several of the input those beside it that have no partner, if it accepts
// them.
func (m *matcher) widen(template []*stretch, input []string, last, p, next align.Pair) {
	s, from, to := template[p.A], p.B, p.B+1
	if !s.spans {
		return
	}
	if last.A == p.A-1 {
		from = last.B + 1
	}
	if next.A == p.A+1 {
		to = next.B
	}
	if to-from > 1 {
		m.take(s, strings.Join(input[from:to], ""))
	}
}
