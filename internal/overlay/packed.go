package overlay

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// packed is the same sides in few pieces of memory: there are many of them until they are written, and each piece costs the collector of
// garbage time.
func packed(sides []finding.Side) []finding.Side {
	n, size := 0, 0
	out := slices.Clone(sides)
	each := func(f func(l **finding.Line)) {
		for i := range out {
			s := &out[i]
			alike := s.Left != nil && s.Left == s.Right
			f(&s.Left)
			if alike {
				s.Right = s.Left
			} else {
				f(&s.Right)
			}
			f(&s.Note)
		}
	}
	each(func(l **finding.Line) {
		if *l != nil {
			n, size = n+1, size+len((*l).Text)
		}
	})
	var text strings.Builder
	text.Grow(size) // so that it stays where it is
	lines := make([]finding.Line, 0, n)
	each(func(l **finding.Line) {
		if *l == nil {
			return
		}
		at := text.Len()
		text.WriteString((*l).Text)
		lines = append(lines, finding.Line{Indent: (*l).Indent, Text: text.String()[at:], Words: (*l).Words})
		*l = &lines[len(lines)-1]
	})
	return out
}
