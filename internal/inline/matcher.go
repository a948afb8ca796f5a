package inline

import "regexp"

const (
	// acceptWork bounds one match: instructions of the expression times bytes of the text.
	acceptWork = 1 << 32
	// groupWork bounds the same for the instructions of groups alone, of which many can be live at once.
	groupWork = 1 << 27
)

// matcher finds what each group of a value stands for in an input.
type matcher struct {
	found    []found // by index of the group
	compiled map[string]*regexp.Regexp
	work     int // what is left for matches, in the units of groupWork
	cells    int // what is left for aligning units
	chars    int // what is left for aligning characters
	faults   int // what is left for looking for single faults
}

func newMatcher(groups int) *matcher {
	return &matcher{
		found:    make([]found, groups),
		compiled: make(map[string]*regexp.Regexp),
		work:     4 * groupWork,
		cells:    8 * alignCells,
		chars:    8 * alignChars,
		faults:   4 * faultWork,
	}
}

// compile compiles an expression once; nil if it is too large.
func (m *matcher) compile(expression string) *regexp.Regexp {
	re, known := m.compiled[expression]
	if !known {
		re, _ = regexp.Compile(expression) // its parts compile, so only its size can be a fault
		m.compiled[expression] = re
	}
	return re
}

// accepts reports whether the text is all that a stretch asks for, and what its groups are then.
func (m *matcher) accepts(s *stretch, text string) ([]found, bool) {
	if s.groups == 0 {
		return nil, s.text == text
	}
	inner, ok := s.inner(text)
	if !ok || !m.afford(s, len(inner)) {
		return nil, false
	}
	if s.expression == "" {
		s.expression = wholeOf(s.middle())
	}
	re := m.compile(s.expression)
	if re == nil {
		return nil, false
	}
	locations := re.FindStringSubmatchIndex(inner)
	if locations == nil {
		return nil, false
	}
	return collect(s.pieces, inner, locations[2:]), true
}

// collect reads what each group of the pieces matched in a text.
func collect(pieces []piece, text string, locations []int) []found {
	var all []found
	for _, p := range pieces {
		if p.group != nil {
			all = append(all, p.group.foundAt(text, locations))
			locations = locations[2*len(p.group.names):]
		}
	}
	return all
}

// afford takes the work of one match off what is left, if that is enough.
func (m *matcher) afford(s *stretch, length int) bool {
	bytes, size := int64(length)+1, int64(s.size)
	rest := int64(len(s.text) - len(s.prefix) - len(s.suffix))
	work := bytes * size * int64(1+s.groups/8) // each live group drags the places of all captures along
	if work > groupWork || bytes*(rest+size) > acceptWork || work > int64(m.work) {
		return false
	}
	m.work -= int(work)
	return true
}

// set notes what the groups of a stretch are.
func (m *matcher) set(s *stretch, all []found) {
	next := 0
	for _, p := range s.pieces {
		if p.group != nil {
			m.found[p.group.index] = all[next]
			next++
		}
	}
}

// take accepts a text for a stretch and notes what its groups are, or does nothing.
func (m *matcher) take(s *stretch, text string) bool {
	all, ok := m.accepts(s, text)
	if ok {
		m.set(s, all)
	}
	return ok
}
