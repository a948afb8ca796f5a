package inline

import (
	"unicode"
	"unicode/utf8"
)

// edge says what a group has beside it, and so where a match that is only a part of the text in its place may end.
type edge int

const (
	open  edge = iota // anywhere
	space             // where a word ends
	end               // at the end of the text
)

// edges returns what a group of the stretch has on its left and on its right.
func (s *stretch) edges(g *group) (left, right edge) {
	for n, p := range s.pieces {
		if p.group != g {
			continue
		}
		left, right = end, end
		if n > 0 {
			left = edgeAt(utf8.DecodeLastRuneInString, s.pieces[n-1])
		}
		if n < len(s.pieces)-1 {
			right = edgeAt(utf8.DecodeRuneInString, s.pieces[n+1])
		}
	}
	return left, right
}

func edgeAt(character func(string) (rune, int), p piece) edge {
	if r, _ := character(p.text); p.group == nil && unicode.IsSpace(r) {
		return space
	}
	return open
}

// search tries a group against the text in its place: all of it, else the first part that ends as the edges ask for. No
// match is empty where the text is not.
func (m *matcher) search(g *group, place string, left, right edge) found {
	f := found{placed: true, place: place}
	size := &stretch{groups: 1, size: g.size}
	if !m.afford(size, 2*len(place)) {
		return f
	}
	if re := m.compile(`\A` + g.pattern + `\z`); re != nil {
		if locations := re.FindStringSubmatchIndex(place); locations != nil {
			return g.foundAt(place, locations[2:])
		}
	}
	before := [...]string{open: "", space: `(?:\A|\s)`, end: `\A`}[left]
	behind := [...]string{open: "", space: `(?:\z|\s)`, end: `\z`}[right]
	re := m.compile(before + g.search + behind)
	if re == nil {
		return f
	}
	if locations := re.FindStringSubmatchIndex(place); locations != nil && locations[2] < locations[3] {
		f = g.foundAt(place, locations[2:])
		f.place = place
	}
	return f
}

// searchAll tries groups one after the other, each against what the one before it left.
func (m *matcher) searchAll(s *stretch, groups []*group, place string) {
	for _, g := range groups {
		left, right := s.edges(g)
		f := m.search(g, place, left, right)
		m.found[g.index] = f
		if f.ok {
			place = place[f.end:]
		}
	}
}
