package secret

import "context"

// Searched remembers which texts of an object hold a Secret: they are asked about several times,
// and may stand in it many times. It is for one goroutine.
type Searched struct {
	// after its end every text counts as a Secret, and what was found is not to be used; nil for no
	// end
	Context context.Context

	cut  bool // a text takes more than there is for one of its length, and counts as a Secret
	held map[string]bool
}

// Hides says that texts count as Secrets which were not searched to their end; "" where none do.
func (s *Searched) Hides() string {
	if s == nil || !s.cut {
		return ""
	}
	return "looking for Secrets in the texts of this CR takes too long: those that were not searched to their end are hidden; --show-secrets shows them"
}

// In is InText. A nil Searched remembers nothing.
func (s *Searched) In(text string) bool {
	if s == nil {
		return InText(text)
	}
	const remembered = 64 // bytes; less is looked at in the time that remembering takes
	held, known := s.held[text]
	switch {
	case known:
		return held
	case s.Context != nil && s.Context.Err() != nil:
		return true
	}
	held, all := inText(text)
	s.cut = s.cut || !all
	if len(text) >= remembered {
		if s.held == nil {
			s.held = map[string]bool{}
		}
		s.held[text] = held
	}
	return held
}
