package inline

import (
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// alignChars bounds an alignment of characters: those of the one side times those of the other.
const alignChars = 1 << 24

// byCharacters places the groups of a stretch by a character diff in which each group is one character, which occurs on
// neither side. What the diff puts in a group's place is the text for it. False means too much work.
func (m *matcher) byCharacters(s *stretch, text string) bool {
	work := len(s.text) * len(text)
	if work > min(alignChars, m.chars) {
		return false
	}
	m.chars -= work
	mark := unused(s.text, text)
	var template []rune
	var groups []*group
	for _, p := range s.pieces {
		if p.group == nil {
			template = append(template, []rune(p.text)...)
		} else {
			template = append(template, mark)
			groups = append(groups, p.group)
		}
	}
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // the answer must not depend on a clock
	c := changes{m: m, s: s, mark: mark, groups: groups, text: text}
	for _, d := range differ.DiffMainRunes(template, []rune(text), false) {
		length := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			c.deleted += d.Text
		case diffmatchpatch.DiffInsert:
			c.skip(length)
		default:
			c.flush()
			c.skip(length)
			c.from = c.to
		}
	}
	c.flush()
	return true
}

// changes walks over a diff, and places the groups of one change after the other.
type changes struct {
	m        *matcher
	s        *stretch
	mark     rune
	groups   []*group // those not placed yet
	text     string
	from, to int // in text: what the current change inserts
	deleted  string
}

// skip goes over characters of the input. They are counted there, since the diff does not keep bytes that are no UTF-8.
func (c *changes) skip(length int) {
	for range length {
		_, size := utf8.DecodeRuneInString(c.text[c.to:])
		c.to += size
	}
}

// flush places the groups of the change that ends here.
func (c *changes) flush() {
	n := strings.Count(c.deleted, string(c.mark))
	groups := c.groups[:n]
	c.groups = c.groups[n:]
	if n > 0 && !c.m.take(c.change(groups), c.text[c.from:c.to]) {
		c.m.searchAll(c.s, groups, c.text[c.from:c.to])
	}
	c.from, c.deleted = c.to, ""
}

// change returns the deleted side as a stretch.
func (c *changes) change(groups []*group) *stretch {
	var pieces []piece
	for n, text := range strings.Split(c.deleted, string(c.mark)) {
		if n > 0 {
			pieces = append(pieces, piece{text: groups[n-1].pattern, group: groups[n-1]})
		}
		if text != "" {
			pieces = append(pieces, piece{text: text})
		}
	}
	return join(pieces)
}

// unused returns a private-use character that occurs in neither text.
func unused(a, b string) rune {
	const first, last = 0xE000, 0xF8FF
	taken := make(map[rune]bool)
	for _, text := range []string{a, b} {
		for _, r := range text {
			taken[r] = taken[r] || first <= r && r <= last
		}
	}
	for r := rune(first); r < last; r++ {
		if !taken[r] {
			return r
		}
	}
	return last
}
