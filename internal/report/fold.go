package report

import "github.com/validationtool/validationtool/internal/compare"

// stretch is a run of rows that are shown, or that are hidden as one.
type stretch struct {
	from, to int
	hidden   bool
}

// fold chooses the rows to show: findings, context rows around them, and the rows that lead to any of these, so that
// nothing is shown without its place. A hidden stretch of a single row is shown, as its marker would take a row too.
func fold(rows []row, opt TextOptions) []stretch {
	if len(rows) == 0 {
		return nil
	}
	if opt.Full {
		return []stretch{{from: 0, to: len(rows)}}
	}
	shown := withParents(rows, around(rows, opt))
	var out []stretch
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && shown[to] == shown[from] {
			to++
		}
		hidden := !shown[from] && to-from > 1
		if last := len(out) - 1; last >= 0 && !hidden && !out[last].hidden {
			out[last].to = to
		} else {
			out = append(out, stretch{from: from, to: to, hidden: hidden})
		}
		from = to
	}
	return out
}

// isFinding reports whether a row is worth showing by itself.
func isFinding(r row, opt TextOptions) bool {
	switch r.mark {
	case compare.Drift, compare.Missing, compare.Extra:
		return true
	case compare.Expected:
		return opt.ShowExpected
	}
	return false
}

// around marks the findings and the context rows before and behind each.
func around(rows []row, opt TextOptions) []bool {
	shown := make([]bool, len(rows))
	spread := func(from, to, step int) {
		left := 0
		for i := from; i != to; i += step {
			switch {
			case isFinding(rows[i], opt):
				left = max(opt.Context, 0)
				shown[i] = true
			case rows[i].note == "" && left > 0:
				left--
				shown[i] = true
			}
		}
	}
	spread(0, len(rows), 1)
	spread(len(rows)-1, -1, -1)
	return shown
}

// withParents adds the rows that lead to those shown: for each, the nearest row above that is less deep, and so on; and
// the notes about them.
func withParents(rows []row, shown []bool) []bool {
	var path []int // the rows that lead to the current one
	for i, r := range rows {
		if r.note != "" {
			shown[i] = shown[i] || i > 0 && shown[i-1]
			continue
		}
		for len(path) > 0 && rows[path[len(path)-1]].indent >= r.indent {
			path = path[:len(path)-1]
		}
		for at := len(path) - 1; shown[i] && at >= 0 && !shown[path[at]]; at-- {
			shown[path[at]] = true
		}
		path = append(path, i)
	}
	for i, r := range rows {
		if r.note != "" && i > 0 && shown[i-1] {
			shown[i] = true
		}
	}
	return shown
}
