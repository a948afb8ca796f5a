package pattern

import (
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
)

// applyGroups is the function capturegroups.
func applyGroups(template, input string) Outcome {
	pieces, malformed := scan(template)
	all := join(pieces)
	if all.groups == 0 || input == template {
		return Outcome{Value: template, Malformed: malformed}
	}
	m := &matcher{found: make([]found, all.groups), compiled: map[string]*regexp.Regexp{}, work: 4 * matchWork}
	m.byUnits(units(pieces, byLine), cut(input, byLine), byLine)
	o := Outcome{Malformed: malformed}
	var value strings.Builder
	for _, p := range pieces {
		if p.group == nil {
			value.WriteString(p.text)
			continue
		}
		f := m.found[p.group.index]
		text := p.text
		if f.ok && f.text != text {
			text = f.text
			o.Captures = append(o.Captures, f.captures...)
			if text != "" {
				o.Variable = append(o.Variable, align.Span{Start: value.Len(), End: value.Len() + len(text)})
			}
		}
		value.WriteString(text)
		finding := Finding{Group: p.group.names[0], Expression: p.text, Line: p.group.line, Text: f.place}
		switch {
		case f.place == p.text || f.ok && f.text == f.place:
			continue // accepted, or the input holds the group itself
		case f.ok:
			finding.Kind, finding.Match = PartMatch, f.text
		case f.placed:
			finding.Kind = NoMatch
		default:
			finding.Kind = NoPlace
		}
		o.Findings = append(o.Findings, finding)
	}
	o.Value = value.String()
	return o
}

// matchWork bounds the work of one match: instructions of the expression times bytes of the text.
const matchWork = 1 << 27

// matcher finds what each group of a value stands for in an input.
type matcher struct {
	found    []found // by index of the group
	compiled map[string]*regexp.Regexp
	work     int // what is left of it, in the units of matchWork
}

// found is what a group matched, in the text that stands in its place.
type found struct {
	ok       bool
	placed   bool      // there is a text in its place
	place    string    // that text
	text     string    // what the group matched of it
	captures []Capture // its own and those inside it
}

// afford takes a work of size times length off what is left, if that is enough.
func (m *matcher) afford(size, length int) bool {
	if size > min(matchWork, m.work)/(length+1) {
		return false
	}
	m.work -= size * (length + 1)
	return true
}

// byUnits finds a text for every group of some units of the template: those that are accepted as
// they stand, and what stands between these.
func (m *matcher) byUnits(template []*stretch, input []string, by unit) {
	last := align.Pair{A: -1, B: -1}
	for _, p := range append(m.align(template, input), align.Pair{A: len(template), B: len(input)}) {
		if last.B+1 < p.B { // otherwise the input has nothing there, and groups have no place
			m.place(joinAll(template[last.A+1:p.A]), strings.Join(input[last.B+1:p.B], ""), by)
		}
		if p.A < len(template) {
			m.place(template[p.A], input[p.B], by)
		}
		last = p
	}
}

// align pairs units of the template with those of the input. A unit that can stand for only one of
// the input is paired at both ends with what it accepts, as it must be if the whole is accepted.
// The rest is left unpaired if it is accepted in one piece; or is paired by what is accepted, and
// by how it begins; or, where that is too much, cut at the units that stand once on either side.
func (m *matcher) align(template []*stretch, input []string) []align.Pair {
	x := &align.Aligner{Equal: func(t, i int) bool { return !template[t].spans && m.take(template[t], input[i]) }}
	x.Inner = func(from, to align.Pair) {
		units, texts := template[from.A:to.A], input[from.B:to.B]
		switch {
		case m.take(joinAll(units), strings.Join(texts, "")):
		case m.afford(512*len(units), len(texts)): // each takes some memory, and a match
			x.Pairs = append(x.Pairs, align.MostSimilar(from, to, func(t, i int) int {
				return m.likeness(template[t], input[i])
			})...)
		default:
			own := make([]string, len(units))
			for i, s := range units {
				own[i] = s.text
			}
			x.Cut(from, to, align.UniquePairs(from, own, texts))
		}
	}
	x.Stretch(align.Pair{}, align.Pair{A: len(template), B: len(input)})
	return x.Pairs
}

// likeness says how well a text stands for a unit: -1 for not at all. An empty line, or a group
// alone, goes with too much to say something.
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

// place finds a text for the groups of a stretch, for all of which a text stands: that of the input
// between the two characters beside a group that have a partner. The characters are aligned as if
// each group were one that stands nowhere in the text; a line too long for that is cut into words.
func (m *matcher) place(s *stretch, text string, by unit) {
	if s.groups == 0 || m.take(s, text) {
		return
	}
	if !m.afford(4*len(s.text), len(text)) {
		if by == byLine {
			m.byUnits(units(s.pieces, byWord), cut(text, byWord), byWord)
		}
		return
	}
	var template []rune // that of piece n is -1-n if it is a group
	for n, p := range s.pieces {
		if p.group == nil {
			template = append(template, []rune(p.text)...)
		} else {
			template = append(template, rune(-1-n))
		}
	}
	var places []int // of the characters of the text, which need not be valid
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

// search matches a stretch with the text in its place, or its groups one after the other with what
// those before them leave of it. A group that has the place to itself should match all of it.
func (m *matcher) search(s *stretch, place string) {
	if m.take(s, place) {
		return
	}
	for _, p := range s.pieces {
		if p.group == nil {
			continue
		}
		f := found{placed: true, place: place}
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
