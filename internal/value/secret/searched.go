package secret

import "context"

// Searched caches which texts of an object contain a Secret, because the same text is often
// searched several times. It is not safe for concurrent use.
type Searched struct {
	// once it has ended, every text counts as secret and the results must not be used; nil for no
	// end
	Context context.Context

	cut  bool // the search in some text was cut off, and the text counts as secret
	held map[string]bool
}

// Hides returns a message if texts count as secret because their search was cut off, else "".
func (s *Searched) Hides() string {
	if s == nil || !s.cut {
		return ""
	}
	return "looking for Secrets in the texts of this CR takes too long: those that were not searched to their end are hidden; --show-secrets shows them"
}

// In does what InText does, with the cache. A nil Searched caches nothing.
func (s *Searched) In(text string) bool {
	if s == nil {
		return InText(text)
	}
	const remembered = 64 // bytes; a shorter text is searched as fast as it is looked up
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
