package inline

import "github.com/validationtool/validationtool/internal/align"

// alignChars bounds an alignment of characters: those of the one side times those of the other.
const alignChars = 1 << 24

// byCharacters places the groups of a stretch by an alignment of characters in which each group is one that stands nowhere
// in the text. What the text has in a group's place, between two characters that have a partner, is the text for it. False
// means too much work.
func (m *matcher) byCharacters(s *stretch, text string) bool {
	work := align.Product(len(s.text), len(text))
	if work > min(alignChars, m.chars) {
		return false
	}
	m.chars -= work
	var template []rune // that of group n is -1-n
	var groups []piece
	for _, p := range s.pieces {
		if p.group == nil {
			template = append(template, []rune(p.text)...)
		} else {
			groups = append(groups, p)
			template = append(template, rune(-len(groups)))
		}
	}
	var places []int // of the characters of the text
	for at := range text {
		places = append(places, at)
	}
	places = append(places, len(text))
	from, to := align.Pair{}, align.Pair{A: len(template), B: len(places) - 1}
	for _, p := range append(align.Characters(template, []rune(text)), to) {
		m.change(s, piecesOf(template[from.A:p.A], groups), text[places[from.B]:places[p.B]])
		from = align.Pair{A: p.A + 1, B: p.B + 1}
	}
	return true
}

// piecesOf returns the pieces that characters stand for.
func piecesOf(characters []rune, groups []piece) []piece {
	var pieces []piece
	for _, c := range characters {
		if c < 0 {
			pieces = append(pieces, groups[-1-c])
		} else {
			pieces = append(pieces, piece{text: string(c)})
		}
	}
	return pieces
}

// change places the groups among pieces of a stretch, for all of which a text stands.
func (m *matcher) change(s *stretch, pieces []piece, text string) {
	changed := join(pieces)
	if changed.groups == 0 || m.take(changed, text) {
		return
	}
	var groups []*group
	for _, p := range pieces {
		if p.group != nil {
			groups = append(groups, p.group)
		}
	}
	m.searchAll(s, groups, text)
}
