package pattern

import (
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/value/align"
)

// applyGroups applies the function capturegroups.
func applyGroups(template, input string) Outcome {
	pieces, malformed := scan(template)
	all := join(pieces)
	if all.groups == 0 || input == template {
		return Outcome{Value: template, Malformed: malformed}
	}
	m := &matcher{found: make([]found, all.groups), compiled: map[string]*regexp.Regexp{}, work: 4 * matchWork}
	m.byLines(linesOf(pieces), strings.SplitAfter(input, "\n"))
	o := Outcome{Malformed: malformed}
	var value strings.Builder
	for _, p := range pieces {
		if p.group == nil {
			value.WriteString(p.text)
			continue
		}
		f := m.found[p.group.index]
		text := p.text
		if f.agrees && f.text != text {
			text = f.text
			o.Captures = append(o.Captures, f.captures...)
			if text != "" {
				o.Variable = append(o.Variable, align.Span{Start: value.Len(), End: value.Len() + len(text)})
			}
		}
		value.WriteString(text)
		if f.ok && f.text == f.place {
			continue
		}
		finding := Finding{Kind: NoMatch, Group: p.group.names[0], Expression: p.text, Line: p.group.line}
		if f.place == "" {
			finding.Kind = NoPlace
		}
		o.Findings = append(o.Findings, finding)
	}
	o.Value = value.String()
	return o
}

// matchWork limits the work of one match: instructions of the expression times bytes of the text.
const matchWork = 1 << 27

// matcher finds the text of each group of a value in an input.
type matcher struct {
	found    []found // by index of the group
	compiled map[string]*regexp.Regexp
	work     int // the work that is left, in the units of matchWork
}

// found is the match of a group in the text at its position.
type found struct {
	ok       bool
	agrees   bool      // the lines of the group agree with the input as a whole
	place    string    // the text at the position of the group; "" for no position
	text     string    // the part that the group matched
	captures []Capture // captures of the group and of groups inside it
}

// afford subtracts size times length from the work that is left, if it is enough.
func (m *matcher) afford(size, length int) bool {
	if size > min(matchWork, m.work)/(length+1) {
		return false
	}
	m.work -= size * (length + 1)
	return true
}

// byLines finds a text for every group of some lines of the template: for each line that is paired
// with a line of the input, and for each stretch between paired lines.
func (m *matcher) byLines(template []*stretch, input []string) {
	last := align.Pair{A: -1, B: -1}
	for _, p := range append(m.align(template, input), align.Pair{A: len(template), B: len(input)}) {
		if last.B+1 < p.B { // if the input has no text there, the groups have no position
			m.place(joinAll(template[last.A+1:p.A]), strings.Join(input[last.B+1:p.B], ""))
		}
		if p.A < len(template) {
			m.place(template[p.A], input[p.B])
		}
		last = p
	}
}

// align pairs lines of the template with lines of the input. From both ends it pairs single-line
// stretches with the input lines that they accept: if the whole text is accepted, these pairs are
// necessary. If the rest is accepted as one piece, it stays unpaired. If not, it is paired by
// acceptance and by common beginnings. If that is too much work, it is split at lines that occur
// once on both sides.
func (m *matcher) align(template []*stretch, input []string) []align.Pair {
	x := &align.Aligner{Equal: func(t, i int) bool { return !template[t].spans && m.take(template[t], input[i]) }}
	x.Inner = func(from, to align.Pair) {
		lines, texts := template[from.A:to.A], input[from.B:to.B]
		switch {
		case m.take(joinAll(lines), strings.Join(texts, "")):
		case m.afford(512*len(lines), len(texts)): // for the memory and the match of each pair of lines
			x.Pairs = append(x.Pairs, align.MostSimilar(from, to, func(t, i int) int {
				return m.likeness(template[t], input[i])
			})...)
		default:
			own := make([]string, len(lines))
			for i, s := range lines {
				own[i] = s.text
			}
			x.Cut(from, to, align.UniquePairs(from, own, texts))
		}
	}
	x.Stretch(align.Pair{}, align.Pair{A: len(template), B: len(input)})
	return x.Pairs
}

// likeness returns how well a text matches a line, or -1 for not at all. An empty line or a lone
// group matches too much to be significant.
func (m *matcher) likeness(s *stretch, text string) int {
	_, ok := m.accepts(s, text)
	switch {
	case s.spans, !ok && (!says(s.prefix) || !strings.HasPrefix(text, s.prefix)):
		return -1
	case ok && s.says:
		return 3
	}
	return 1
}

// place finds the texts of the groups in a stretch that corresponds to a text. The text of a group
// is the input between the paired characters next to it. Characters are aligned as if each group
// were a character that the text does not contain. In lines that are too long for that, groups have
// no position.
func (m *matcher) place(s *stretch, text string) {
	if s.groups == 0 || m.take(s, text) || !m.afford(4*len(s.text), len(text)) {
		return
	}
	defer m.agree(s, text)
	var template []rune // a group that is piece n has the character -1-n
	for n, p := range s.pieces {
		if p.group == nil {
			template = append(template, []rune(p.text)...)
		} else {
			template = append(template, rune(-1-n))
		}
	}
	var places []int // offsets of the characters of the text, which may be invalid UTF-8
	for at := range text {
		places = append(places, at)
	}
	places = append(places, len(text))
	from, end := align.Pair{}, align.Pair{A: len(template), B: len(places) - 1}
	for _, p := range append(align.Characters(template, []rune(text)), end) {
		var pieces []piece
		for _, c := range template[from.A:p.A] {
			if c < 0 {
				pieces = append(pieces, s.pieces[-1-c])
			} else {
				pieces = append(pieces, piece{text: string(c)})
			}
		}
		m.search(join(pieces), text[places[from.B]:places[p.B]])
		from = align.Pair{A: p.A + 1, B: p.B + 1}
	}
}

// agree marks the groups of a stretch if each of them matched, and the stretch with what they matched
// is the text that it corresponds to. What is cut out of another text belongs to no group.
func (m *matcher) agree(s *stretch, text string) {
	var filled strings.Builder
	agrees := true
	for _, p := range s.pieces {
		if p.group == nil {
			filled.WriteString(p.text)
			continue
		}
		f := m.found[p.group.index]
		agrees = agrees && f.ok
		filled.WriteString(f.text)
	}
	agrees = agrees && filled.String() == text
	for _, p := range s.pieces {
		if p.group != nil {
			m.found[p.group.index].agrees = agrees
		}
	}
}

// search matches a stretch with its text. If it does not match, its groups are matched one after
// the other, each with the rest of the text. The only group of a text should match all of it.
func (m *matcher) search(s *stretch, place string) {
	if m.take(s, place) {
		return
	}
	for _, p := range s.pieces {
		if p.group == nil {
			continue
		}
		f := found{place: place}
		if at := m.match(p.group.expression, p.group.size, place); at != nil && at[2] < at[3] {
			f = p.group.found(place, at[2:])
			if len(s.pieces) == 1 {
				f.place = place
			}
			place = place[at[3]:]
		}
		m.found[p.group.index] = f
	}
}
