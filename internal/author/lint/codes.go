package lint

import (
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// codes reports codes of the reference that templates use and its file does not define, at their
// first use, and codes that no template uses. A code that a template computes may be any.
func (l *linter) codes() {
	defined, given, all := map[string]bool{}, map[string]bool{}, l.isComplete()
	names := make([]string, 0, len(l.ref.Codes))
	for _, own := range l.ref.Codes {
		defined[own.Code] = true
		names = append(names, own.Code)
	}
	known := code.NewNames(names)
	for _, s := range l.engine.Stated() {
		if all = all && s.Code != ""; !defined[s.Code] && !given[s.Code] && code.CheckOwn(s.Code) == nil {
			l.warn(
				code.RefCodeUndefined,
				s.Place,
				"%s does not explain the code %s%s",
				refconfig.CodesFile,
				s.Code,
				known.DidYouMean(s.Code),
			)
		}
		given[s.Code] = true
	}
	for _, own := range l.ref.Codes {
		if all && !given[own.Code] {
			l.warn(code.RefCodeUnused, own.Place, "no template gives the code %s", own.Code)
		}
	}
}
