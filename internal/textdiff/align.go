package textdiff

import "slices"

const (
	// alignStretch bounds the lines of one side times the lines of the other in a stretch that is aligned by likeness.
	alignStretch = 10_000
	// alignAll bounds the same over all stretches of one text.
	alignAll = 200_000
	// likeWords is how many words of a line count for its likeness.
	likeWords = 200
)

// Row is a line of a and a line of b beside each other. -1 stands for no line.
type Row struct {
	A, B  int
	Equal bool
}

// Align lays two texts beside each other: every line of either is in exactly one row, in order. Equal lines share a row;
// of lines that changed, those that are most alike do, and what is left between these is paired one by one.
func Align(a, b []string) []Row {
	rows := make([]Row, 0, max(len(a), len(b)))
	i, j, work := 0, 0, alignAll
	for _, e := range Lines(a, b) {
		for i < e.Start {
			rows = append(rows, Row{A: i, B: j, Equal: true})
			i, j = i+1, j+1
		}
		rows = replaced(rows, a, b, e, &work)
		i, j = e.End, e.At+len(e.New)
	}
	for i < len(a) {
		rows = append(rows, Row{A: i, B: j, Equal: true})
		i, j = i+1, j+1
	}
	return rows
}

// replaced adds the rows of one edit.
func replaced(rows []Row, a, b []string, e Edit, work *int) []Row {
	x, y := e.Start, e.At
	size := (e.End - e.Start) * len(e.New)
	if size > 1 && size <= alignStretch && size <= *work {
		*work -= size
		for _, p := range alike(a[e.Start:e.End], e.New) {
			rows = oneByOne(rows, x, e.Start+p.x, y, e.At+p.y)
			rows = append(rows, Row{A: e.Start + p.x, B: e.At + p.y})
			x, y = e.Start+p.x+1, e.At+p.y+1
		}
	}
	return oneByOne(rows, x, e.End, y, e.At+len(e.New))
}

// oneByOne pairs the lines [x, xEnd) with the lines [y, yEnd) as far as they go.
func oneByOne(rows []Row, x, xEnd, y, yEnd int) []Row {
	for x < xEnd || y < yEnd {
		row := Row{A: -1, B: -1}
		if x < xEnd {
			row.A = x
			x++
		}
		if y < yEnd {
			row.B = y
			y++
		}
		rows = append(rows, row)
	}
	return rows
}

// alike returns the pairs of lines, rising on both sides, whose likenesses add up to the most. Lines that have less than
// half of their words in common are no pair.
func alike(a, b []string) []point {
	ids := make(map[string]int32)
	left, right := bags(a, ids), bags(b, ids)
	width := len(b) + 1
	best := make([]int, (len(a)+1)*width)
	score := make([]int, len(a)*len(b))
	for x := len(a) - 1; x >= 0; x-- {
		for y := len(b) - 1; y >= 0; y-- {
			like := likeness(left[x], right[y])
			score[x*len(b)+y] = like
			best[x*width+y] = max(best[(x+1)*width+y], best[x*width+y+1])
			if like > 0 {
				best[x*width+y] = max(best[x*width+y], like+best[(x+1)*width+y+1])
			}
		}
	}
	var pairs []point
	for x, y := 0, 0; x < len(a) && y < len(b); {
		like := score[x*len(b)+y]
		switch total := best[x*width+y]; {
		case like > 0 && total == like+best[(x+1)*width+y+1]:
			pairs = append(pairs, point{x, y})
			x, y = x+1, y+1
		case total == best[(x+1)*width+y]:
			x++
		default:
			y++
		}
	}
	return pairs
}

// bags numbers the words of each line and sorts them. Blanks don't count.
func bags(lines []string, ids map[string]int32) [][]int32 {
	out := make([][]int32, len(lines))
	for i, line := range lines {
		var found []string
		for _, w := range texts(line) {
			if w != " " && w != "\n" && len(found) < likeWords {
				found = append(found, w)
			}
		}
		out[i] = number(found, ids)
		slices.Sort(out[i])
	}
	return out
}

// likeness is the thousandths of their words that two lines have in common, or 0 if that is less than half.
func likeness(a, b []int32) int {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common++
			i, j = i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	if like := 2000 * common / max(len(a)+len(b), 1); like >= 500 {
		return like
	}
	return 0
}
