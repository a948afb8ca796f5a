package inline

import (
	"regexp"
	"strings"
)

// stretch is a run of pieces that is matched as one: a line, some lines, or a part of a line.
type stretch struct {
	pieces []piece
	groups int    // how many of the pieces are groups
	text   string // as the template spells it
	// The text before the first group and behind the last. Without groups both are empty.
	prefix, suffix string
	size           int // of all its groups
	spans          bool
	expression     string // what stands between prefix and suffix; built when it is first wanted
}

// join makes one stretch of pieces.
func join(pieces []piece) *stretch {
	s := &stretch{}
	var text strings.Builder
	from := 0 // of the text behind the last group
	flush := func() {
		if from < text.Len() {
			s.pieces = append(s.pieces, piece{text: text.String()[from:]})
		}
	}
	for _, p := range pieces {
		if p.group == nil {
			text.WriteString(p.text)
			continue
		}
		flush()
		s.groups++
		s.size += p.group.size
		s.spans = s.spans || p.group.spans
		s.pieces = append(s.pieces, p)
		text.WriteString(p.text)
		from = text.Len()
	}
	flush()
	s.text = text.String()
	if s.groups > 0 {
		s.prefix, s.suffix = edgeText(s.pieces[0]), edgeText(s.pieces[len(s.pieces)-1])
	}
	return s
}

func edgeText(p piece) string {
	if p.group != nil {
		return ""
	}
	return p.text
}

// joinAll makes one stretch of several.
func joinAll(parts []*stretch) *stretch {
	if len(parts) == 1 {
		return parts[0]
	}
	var pieces []piece
	for _, s := range parts {
		pieces = append(pieces, s.pieces...)
	}
	return join(pieces)
}

// inner returns the text between prefix and suffix of a text that has both.
func (s *stretch) inner(text string) (string, bool) {
	if len(text) < len(s.prefix)+len(s.suffix) || !strings.HasPrefix(text, s.prefix) || !strings.HasSuffix(text, s.suffix) {
		return "", false
	}
	return text[len(s.prefix) : len(text)-len(s.suffix)], true
}

// middle returns the pieces between prefix and suffix.
func (s *stretch) middle() []piece {
	m := s.pieces
	if s.prefix != "" {
		m = m[1:]
	}
	if s.suffix != "" {
		m = m[:len(m)-1]
	}
	return m
}

// wholeOf is expressionOf for whole texts only.
func wholeOf(pieces []piece) string { return `\A` + expressionOf(pieces) + `\z` }

// expressionOf returns the expression for pieces. Its captures are those of the groups, in order.
func expressionOf(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.group == nil {
			b.WriteString(regexp.QuoteMeta(p.text))
		} else {
			b.WriteString(p.group.pattern)
		}
	}
	return b.String()
}

// found is what a group matched, in the text that stands in its place.
type found struct {
	ok       bool
	placed   bool      // there is a text in its place
	place    string    // that text, where the group does not match all of it
	text     string    // what the group matched
	end      int       // where that ends in the place
	captures []Capture // its own and those inside it
}

// foundAt reads what a group matched in a text from the locations of its captures, two for each.
func (g *group) foundAt(text string, locations []int) found {
	f := found{ok: true, placed: true, text: text[locations[0]:locations[1]], end: locations[1]}
	f.place = f.text
	for i, name := range g.names {
		if from, to := locations[2*i], locations[2*i+1]; name != "" && from >= 0 {
			f.captures = append(f.captures, Capture{Name: name, Value: text[from:to]})
		}
	}
	return f
}
