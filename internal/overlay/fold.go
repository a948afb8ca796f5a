package overlay

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// fold keeps the sides to show: findings, context around them, and the lines that lead to any of these, so that nothing is shown without
// its place. A hidden line by itself is shown, as what stands for it would take a line too.
func fold(sides []finding.Side, show Show) []finding.Side {
	shown := withParents(sides, around(sides, show))
	kept := make([]finding.Side, 0, len(sides))
	for from := 0; from < len(sides); {
		to := from + 1
		for to < len(sides) && shown[to] == shown[from] {
			to++
		}
		if shown[from] || to-from == 1 {
			kept = append(kept, sides[from:to]...)
		} else {
			kept = append(kept, withheld(sides[from:to]))
		}
		from = to
	}
	return kept
}

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

// withheld stands for sides that are not kept.
func withheld(sides []finding.Side) finding.Side {
	n := 0
	for _, s := range sides {
		if s.Note == nil {
			n++
		}
	}
	return finding.Side{Hidden: n, Indent: sides[0].Depth()}
}

// isFinding reports whether a side is worth showing by itself.
func isFinding(s finding.Side, show Show) bool {
	return s.Category != finding.Same && (s.Category != finding.Expected || show.Expected)
}

// around marks the findings and the context before and behind each.
func around(sides []finding.Side, show Show) []bool {
	shown := make([]bool, len(sides))
	spread := func(from, to, step int) {
		left := 0
		for i := from; i != to; i += step {
			switch {
			case isFinding(sides[i], show):
				left = max(show.Context, 0)
				shown[i] = true
			case sides[i].Note == nil && left > 0:
				left--
				shown[i] = true
			}
		}
	}
	spread(0, len(sides), 1)
	spread(len(sides)-1, -1, -1)
	return shown
}

// withParents adds the sides that lead to those shown: for each, the nearest one above that is less deep, and so on; and
// the notes about them.
func withParents(sides []finding.Side, shown []bool) []bool {
	var path []int // the sides that lead to the current one
	for i, s := range sides {
		if s.Note != nil {
			shown[i] = shown[i] || i > 0 && shown[i-1]
			continue
		}
		for len(path) > 0 && sides[path[len(path)-1]].Depth() >= s.Depth() {
			path = path[:len(path)-1]
		}
		for at := len(path) - 1; shown[i] && at >= 0 && !shown[path[at]]; at-- {
			shown[path[at]] = true
		}
		path = append(path, i)
	}
	for i, s := range sides {
		if s.Note != nil && i > 0 && shown[i-1] {
			shown[i] = true
		}
	}
	return shown
}
