package align

import (
	"math/rand"
	"strings"
	"testing"
)

// The number of kept lines must equal the length of a longest common subsequence by the textbook
// table.
func TestCommonIsLongest(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for round := range 3000 {
		a, b := randomLines(random, round), randomLines(random, round)
		pairs := common(a, b, linesCells)
		checkPairs(t, a, b, pairs)
		if want := commonLength(a, b); len(pairs) != want {
			t.Fatalf("%q to %q keeps %d lines, a longest common subsequence has %d", a, b, len(pairs), want)
		}
	}
}

func TestLinesBoundTheWork(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	pick := func(n int, from ...string) []string {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = from[random.Intn(len(from))]
		}
		return lines
	}
	a, b := pick(30_000, "x", "y", "z"), pick(30_000, "x", "y", "z")
	irregular := common(a, b, linesCells)
	checkPairs(t, a, b, irregular)
	if kept := len(irregular); kept > len(a)/2 { // the fewest changes keep more than half, for many times the work
		t.Errorf("%d of %d lines are kept: the search did not end at its bound", kept, len(a))
	}

	// Unique lines are split points, so most of them must still be found equal.
	for i := 100; i < len(a); i += 200 {
		mark := strings.Repeat("mark", 1+i)
		a[i], b[i] = mark, mark
	}
	pairs := common(a, b, linesCells)
	checkPairs(t, a, b, pairs)
	if kept := len(pairs); kept < len(a)/2 {
		t.Errorf("%d of %d lines are kept, although the texts can be cut into small ones", kept, len(a))
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd\n")
	f.Add("", "\n\n")
	f.Add("x\ny", "y\nx")
	f.Fuzz(func(t *testing.T, textA, textB string) {
		a, b := strings.SplitAfter(textA, "\n"), strings.SplitAfter(textB, "\n")
		checkPairs(t, a, b, common(a, b, linesCells))
		checkRows(t, a, b, Lines(a, b))
	})
}

// checkPairs checks that paired lines are equal and that A and B increase.
func checkPairs(t *testing.T, a, b []string, pairs []Pair) {
	t.Helper()
	from := Pair{}
	for _, p := range pairs {
		if p.A < from.A || p.B < from.B || p.A >= len(a) || p.B >= len(b) || a[p.A] != b[p.B] {
			t.Fatalf("%q and %q have the pair %v, where %v is due", a, b, p, from)
		}
		from = p.next()
	}
}

func randomLines(random *rand.Rand, round int) []string {
	lines := make([]string, random.Intn(14))
	for i := range lines {
		lines[i] = string(rune('a' + random.Intn(2+round%9)))
	}
	return lines
}

func commonLength(a, b []string) int {
	best := make([][]int, len(a)+1)
	best[len(a)] = make([]int, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		best[i] = make([]int, len(b)+1)
		for j := len(b) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if a[i] == b[j] {
				best[i][j] = 1 + best[i+1][j+1]
			}
		}
	}
	return best[0][0]
}
