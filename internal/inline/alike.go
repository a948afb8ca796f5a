package inline

import "strings"

// alike pairs units whose text is alike although neither their beginnings nor their ends say so, as after a slip in a key.
// It is meant for the few units that nothing better could pair; nil for more.
func (m *matcher) alike(template []*stretch, input []string) []pair {
	size, length := 0, len(strings.Join(input, ""))
	for _, s := range template {
		size += len(s.text)
	}
	cells := len(template) * len(input)
	if cells > min(alignCells, m.cells) || size*length > min(alignChars, m.chars) {
		return nil
	}
	m.cells -= cells
	m.chars -= size * length
	a := &aligner{m: m}
	a.likeness = func(t, i int) int { return resemblance(template[t], input[i]) }
	a.table(pair{}, pair{len(template), len(input)})
	return a.pairs
}

// resemblance is how many tenths of its text a unit has in common with a text, in order; 0 for less than seven.
func resemblance(s *stretch, text string) int {
	var own strings.Builder
	for _, p := range s.pieces {
		if p.group == nil {
			own.WriteString(p.text)
		}
	}
	all := own.Len()
	if s.groups == 0 {
		all = max(all, len(text))
	}
	if all == 0 {
		return 0
	}
	if tenths := 10 * common(own.String(), text) / all; tenths >= 7 {
		return tenths
	}
	return 0
}

// common is the length of a longest common subsequence.
func common(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range len(a) {
		diagonal := 0
		for j := range len(b) {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
