package textdiff

import "strings"

// linesSteps bounds the comparisons of one Lines, some 20 ms of work.
const linesSteps = 4_000_000

// Edit replaces the lines [Start, End) of the first text by New, which are the lines from At on of the second text.
type Edit struct {
	Start, End int
	At         int
	New        []string
}

// Split cuts a text into its lines. Each keeps its line feed, so that joining them gives the text back; a last line
// without one is a line of its own, and the empty text has no line.
func Split(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

// Lines returns the edits that turn a into b, in order; between two edits there is at least one line that stays. There
// are as few changed lines as can be, unless a stretch is too large and too irregular to find that out.
func Lines(a, b []string) []Edit {
	partner := matchStrings(a, b, linesSteps)
	var edits []Edit
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && partner[i] == j {
			i, j = i+1, j+1
			continue
		}
		start, at := i, j
		for i < len(a) && partner[i] < 0 {
			i++
		}
		j = len(b)
		if i < len(a) {
			j = partner[i]
		}
		edits = append(edits, Edit{Start: start, End: i, At: at, New: b[at:j:j]})
	}
	return edits
}

// Apply returns a with the edits carried out: Apply(a, Lines(a, b)) equals b. Edits must be in order and inside a.
func Apply(a []string, edits []Edit) []string {
	out := make([]string, 0, len(a))
	next := 0
	for _, e := range edits {
		out = append(out, a[next:e.Start]...)
		out = append(out, e.New...)
		next = e.End
	}
	return append(out, a[next:]...)
}

// matchStrings returns for each string of a the index of the string of b that it stays as, or -1. Indexes rise. steps is
// how many comparisons that may take.
func matchStrings(a, b []string, steps int) []int {
	ids := make(map[string]int32, len(a))
	left, right := number(a, ids), number(b, ids)
	return match(left, right, len(ids), steps)
}

func number(items []string, ids map[string]int32) []int32 {
	out := make([]int32, len(items))
	for i, item := range items {
		id, known := ids[item]
		if !known {
			id = int32(len(ids))
			ids[item] = id
		}
		out[i] = id
	}
	return out
}
