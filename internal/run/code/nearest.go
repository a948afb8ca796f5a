package code

import (
	"fmt"
	"strconv"
	"strings"
)

// Nearest returns the first name with the smallest edit distance, ignoring case; "" if every name
// differs in more than a third of the characters.
func Nearest(name string, names []string) string {
	const longest = 200 // the time to compute the distance is quadratic
	if len(name) > longest {
		return ""
	}
	word := strings.ToLower(name)
	best, least := "", max(1, len([]rune(word))/3)+1
	for _, n := range names {
		if len(n) > longest || n == name {
			continue
		}
		if d := distance(word, strings.ToLower(n)); d < least {
			best, least = n, d
		}
	}
	return best
}

// Names suggests the nearest names for misspelt ones, within a budget of steps.
type Names struct {
	all   []string
	bytes int // the total length of all names
	steps int // the number of pairs of characters that may still be compared
}

// NewNames returns Names that suggest some of these names. All calls of Nearest together have a
// budget of steps; when it is used up, they suggest nothing.
func NewNames(all []string) *Names {
	const steps = 100_000_000 // pairs of characters
	n := &Names{all: all, steps: steps}
	for _, one := range all {
		n.bytes += len(one)
	}
	return n
}

// Nearest returns the nearest name, or "".
func (n *Names) Nearest(name string) string {
	if n.steps -= len(name) * n.bytes; n.steps < 0 {
		return ""
	}
	return Nearest(name, n.all)
}

// DidYouMean suggests the nearest name.
func (n *Names) DidYouMean(name string) Meant { return Suggest(name, n.Nearest(name)) }

// distance returns how many insertions, deletions, replacements and swaps of neighbouring characters
// lead from a to b (optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			replace := last[j]
			if x[i] != y[j] {
				replace++
			}
			row[j+1] = min(replace, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}

// Meant is what was probably meant by a word. As text it is the end of the message about the word.
type Meant struct {
	Word    string // as written
	Instead string // what to write in its place; "" if that is unknown
	end     string
}

// String returns the end of a message, which may be "".
func (m Meant) String() string { return m.end }

// After returns the same with a text before the end of the message.
func (m Meant) After(format string, args ...any) Meant {
	m.end = fmt.Sprintf(format, args...) + m.end
	return m
}

// Suggest suggests what was probably meant by a word, nothing if that is "".
func Suggest(word, meant string) Meant {
	if meant == "" {
		return Meant{Word: word}
	}
	return Meant{word, meant, "; did you mean " + strconv.Quote(meant) + "?"}
}

// DidYouMean suggests the nearest name.
func DidYouMean(name string, names []string) Meant { return Suggest(name, Nearest(name, names)) }

// KnownKeys suggests the nearest known key, or enumerates all known keys if none is near.
func KnownKeys(key string, known []string) Meant {
	m := DidYouMean(key, known)
	if m.end = strings.TrimPrefix(m.end, "; "); m.end == "" {
		m.end = "it can have " + Enumerate(known, "and")
	}
	return m
}

// Enumerate joins words into a list: "a, b and c".
func Enumerate(words []string, conjunction string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}
