package pattern

import (
	"regexp"
	"strings"
	"unicode"
)

// stretch is a run of pieces that is matched as one: a line, some lines, or a part of a line.
type stretch struct {
	pieces []piece
	groups int    // number of pieces that are groups
	text   string // as written in the template
	prefix string // the text before the first group
	whole  string // the expression for a whole text; built on first use
	size   int    // the sum of the sizes of its groups
	spans  bool   // one of them can match more than one line of the input
	says   bool   // the text outside of groups has a letter or a digit
}

// join combines pieces into one stretch.
func join(pieces []piece) *stretch {
	s := &stretch{pieces: pieces}
	var text strings.Builder
	for _, p := range pieces {
		switch {
		case p.group == nil:
			s.says = s.says || says(p.text)
		default:
			if s.groups == 0 {
				s.prefix = text.String()
			}
			s.groups++
			s.size += p.group.size
			s.spans = s.spans || p.group.spans
		}
		text.WriteString(p.text)
	}
	s.text = text.String()
	return s
}

// joinAll combines stretches into one.
func joinAll(parts []*stretch) *stretch {
	var pieces []piece
	for _, s := range parts {
		pieces = append(pieces, s.pieces...)
	}
	return join(pieces)
}

// says reports whether a text has a letter or a digit.
func says(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// linesOf splits the text between groups after line feeds, but no groups.
func linesOf(pieces []piece) (all []*stretch) {
	var line []piece
	for _, p := range pieces {
		if p.group != nil {
			line = append(line, p)
			continue
		}
		for i, part := range strings.SplitAfter(p.text, "\n") {
			if i > 0 {
				all, line = append(all, join(line)), nil
			}
			line = append(line, piece{text: part})
		}
	}
	return append(all, join(line))
}

// accepts reports whether a stretch accepts a text, and returns the matches of its groups. A copy of
// a group is a text like any other: a CR that is rendered only in part is wrong.
func (m *matcher) accepts(s *stretch, text string) (all []found, ok bool) {
	if s.groups == 0 {
		return nil, s.text == text
	}
	if !strings.HasPrefix(text, s.prefix) {
		return nil, false
	}
	if s.whole == "" {
		s.whole = `\A` + expressionOf(s.pieces) + `\z`
	}
	// The cost of a match: a group copies the positions of all captures, other text copies few.
	at := m.match(s.whole, s.size*(1+s.groups/8)+len(s.text)/32, text)
	if at == nil {
		return nil, false
	}
	at = at[2:]
	for _, p := range s.pieces {
		if p.group == nil {
			continue
		}
		f := p.group.found(text, at)
		if p.group.anchored && m.match(`\A`+p.group.expression+`\z`, p.group.size, f.text) == nil {
			return nil, false
		}
		all = append(all, f)
		at = at[2*len(p.group.names):]
	}
	return all, true
}

// take records the matches of a stretch in a text that it accepts, or does nothing.
func (m *matcher) take(s *stretch, text string) bool {
	all, ok := m.accepts(s, text)
	for _, p := range s.pieces {
		if ok && p.group != nil {
			all[0].agrees = true
			m.found[p.group.index] = all[0]
			all = all[1:]
		}
	}
	return ok
}

// match returns the first match of an expression with a number of instructions, two indexes for
// each capture; nil if there is none, or if it is too much work.
func (m *matcher) match(expression string, size int, text string) []int {
	if !m.afford(size, len(text)) {
		return nil
	}
	re, known := m.compiled[expression]
	if !known {
		re, _ = regexp.Compile(expression) // the parts compile, so it can only be too large
		m.compiled[expression] = re
	}
	if re == nil {
		return nil
	}
	return re.FindStringSubmatchIndex(text)
}

// found returns the match of a group from the indexes of its captures.
func (g *group) found(text string, at []int) found {
	own := text[at[0]:at[1]]
	return found{ok: true, place: own, text: own, captures: captured(g.names, text, at)}
}

// expressionOf returns one expression for pieces. Its captures are those of the groups, in order.
func expressionOf(pieces []piece) string {
	var all strings.Builder
	for _, p := range pieces {
		if p.group == nil {
			all.WriteString(regexp.QuoteMeta(p.text))
		} else {
			all.WriteString(p.group.embedded)
		}
	}
	return all.String()
}
