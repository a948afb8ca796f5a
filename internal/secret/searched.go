package secret

// Searched counts what the search for Secrets in the texts of one object takes, while templates are executed and while it is compared, and remembers the texts that took much of it: they
// are asked about several times, and may stand in an object many times. The work for each text is bounded by its length, see InText;
// that for ten thousands of short ones together is not, so that it counts as steps of the comparison. It is for one goroutine.
type Searched struct {
	Most int64 // steps; when they are taken, every other text counts as a Secret, and the comparison is to be given up

	looked int64 // bytes
	given  bool  // a text takes more than there is for one of its length, and counts as a Secret
	held   map[string]bool
}

// bytesPerStep is how many bytes are looked at in the time of a step. It was measured on texts that take most for their length.
const bytesPerStep = 4

// Steps are what was taken; none of a nil Searched.
func (s *Searched) Steps() int64 {
	if s == nil {
		return 0
	}
	return s.looked / bytesPerStep
}

// Exhausted reports whether there are no steps left.
func (s *Searched) Exhausted() bool { return s != nil && s.Steps() > s.Most }

// Hides says that texts count as Secrets which were not searched to their end; "" where none do.
func (s *Searched) Hides() string {
	if s == nil || !s.given && !s.Exhausted() {
		return ""
	}
	return "looking for Secrets in the texts of this CR takes too long: those that were not searched to their end are hidden; --show-secrets shows them"
}

// In is InText. A nil Searched counts nothing.
func (s *Searched) In(text string) bool {
	if s == nil {
		return InText(text)
	}
	const remembered = 1 << 10 // bytes; less is looked at in the time that remembering takes
	held, known := s.held[text]
	switch {
	case known:
		return held
	case s.Exhausted():
		return true
	}
	held, looked, all := inText(text)
	s.given = s.given || !all
	if s.looked += int64(looked); looked >= remembered {
		if s.held == nil {
			s.held = map[string]bool{}
		}
		s.held[text] = held
	}
	return held
}
