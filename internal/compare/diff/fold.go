package diff

import "github.com/validationtool/validationtool/internal/finding"

// Folding says which lines of a CR are kept.
type Folding struct {
	Context  int  // lines around a finding
	Expected bool // expected differences are findings too
}

// Fold keeps the findings, the context around them, and the lines that lead to them. It does not
// hide a single line, because the replacement would be a line too.
func Fold(sides []finding.Side, how Folding) []finding.Side {
	return fold(make([]finding.Side, 0, len(sides)), sides, how)
}

// fold does the same as Fold, and appends the lines to kept, which may begin in the memory of sides.
func fold(kept, sides []finding.Side, how Folding) []finding.Side {
	return keep(kept, sides, withParents(sides, around(sides, how)))
}

// keep appends the marked sides, and a replacement for the others. kept may begin in the memory of
// sides.
func keep(kept, sides []finding.Side, shown []bool) []finding.Side {
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

// withheld returns the replacement for sides that are not kept.
func withheld(sides []finding.Side) finding.Side {
	n := 0
	for _, s := range sides {
		switch {
		case s.Hidden > 0: // folded before
			n += s.Hidden
		case s.Note == nil:
			n++
		}
	}
	return finding.Side{Hidden: n, Indent: sides[0].Depth()}
}

// isFinding reports whether a side is shown for itself.
func isFinding(s finding.Side, how Folding) bool {
	return s.Category != finding.Same && (s.Category != finding.Expected || how.Expected)
}

// around marks findings and the context before and after each.
func around(sides []finding.Side, how Folding) []bool {
	shown := make([]bool, len(sides))
	spread := func(from, to, step int) {
		left := 0
		for i := from; i != to; i += step {
			switch {
			case isFinding(sides[i], how):
				left = max(how.Context, 0)
				shown[i] = true
			case sides[i].Note == nil && left > 0:
				left--
				shown[i] = true
			}
		}
	}
	spread(0, len(sides), 1)
	spread(len(sides)-1, -1, -1)
	for i := len(sides) - 1; i > 0; i-- {
		if sides[i].Note != nil && shown[i] {
			shown[i-1] = true // a note says nothing without the line above it
		}
	}
	return shown
}

// withParents adds the sides that lead to the shown ones: for each, the nearest side above with
// less indentation, and so on; and their notes.
func withParents(sides []finding.Side, shown []bool) []bool {
	var path []int // the sides that lead to the current one
	for i, s := range sides {
		if s.Note != nil {
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
