package textdiff

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitKeepsEveryByte(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{"\n", []string{"\n"}},
		{"a", []string{"a"}},
		{"a\n", []string{"a\n"}},
		{"a\n\nb", []string{"a\n", "\n", "b"}},
		{"a\r\nb\r", []string{"a\r\n", "b\r"}},
	}
	for _, test := range tests {
		got := Split(test.text)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Split(%q): %s", test.text, diff)
		}
		if joined := strings.Join(got, ""); joined != test.text {
			t.Errorf("Split(%q) joins to %q", test.text, joined)
		}
	}
}

func TestLines(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       []Edit
	}{
		{"equal", "x y z", "x y z", nil},
		{"both empty", "", "", nil},
		{"from nothing", "", "x y", []Edit{{0, 0, 0, []string{"x", "y"}}}},
		{"to nothing", "x y", "", []Edit{{0, 2, 0, []string{}}}},
		{"change", "x y z", "x q z", []Edit{{1, 2, 1, []string{"q"}}}},
		{"insert", "x z", "x y z", []Edit{{1, 1, 1, []string{"y"}}}},
		{"delete", "x y z", "x z", []Edit{{1, 2, 1, []string{}}}},
		{"two places", "a b c d e", "a B c d E e", []Edit{{1, 2, 1, []string{"B"}}, {4, 4, 4, []string{"E"}}}},
		{"everything", "a b", "c d e", []Edit{{0, 2, 0, []string{"c", "d", "e"}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Lines(strings.Fields(test.a), strings.Fields(test.b))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLinesAreFewest compares the number of lines that stay with the length of a longest common subsequence by the
// textbook table.
func TestLinesAreFewest(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for round := range 3000 {
		a, b := randomLines(random, round), randomLines(random, round)
		edits := Lines(a, b)
		checkEdits(t, a, b, edits)
		kept := len(a)
		for _, e := range edits {
			kept -= e.End - e.Start
		}
		if want := commonLength(a, b); kept != want {
			t.Fatalf("%q to %q keeps %d lines, a longest common subsequence has %d", a, b, kept, want)
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
	irregular := Lines(a, b)
	checkEdits(t, a, b, irregular)
	if kept := keptOf(a, irregular); kept > len(a)/2 { // the fewest changes keep more than half, at many times the work
		t.Errorf("%d of %d lines are kept: the search did not end at its bound", kept, len(a))
	}

	// With unique lines among them the texts are cut there, so that most of them is still found equal.
	for i := 100; i < len(a); i += 200 {
		mark := strings.Repeat("mark", 1+i)
		a[i], b[i] = mark, mark
	}
	edits := Lines(a, b)
	checkEdits(t, a, b, edits)
	if kept := keptOf(a, edits); kept < len(a)/2 {
		t.Errorf("%d of %d lines are kept, although the texts can be cut into small ones", kept, len(a))
	}
}

// keptOf counts the lines that edits leave.
func keptOf(lines []string, edits []Edit) int {
	kept := len(lines)
	for _, e := range edits {
		kept -= e.End - e.Start
	}
	return kept
}

func FuzzLines(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd\n")
	f.Add("", "\n\n")
	f.Add("x\ny", "y\nx")
	f.Fuzz(func(t *testing.T, textA, textB string) {
		a, b := Split(textA), Split(textB)
		checkEdits(t, a, b, Lines(a, b))
		checkRows(t, a, b, Align(a, b))
	})
}

func checkEdits(t *testing.T, a, b []string, edits []Edit) {
	t.Helper()
	end := -1
	for _, e := range edits {
		if e.Start <= end || e.End < e.Start || e.End-e.Start+len(e.New) == 0 {
			t.Fatalf("edit %+v after line %d is empty or not in order", e, end)
		}
		end = e.End
	}
	if got := Apply(a, edits); !slices.Equal(got, b) {
		t.Fatalf("the edits turn %q into %q, want %q", a, got, b)
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

// BenchmarkLinesAllDifferent and the others are the cases that a quadratic comparison takes seconds for: 1 MB a side.
func BenchmarkLinesAllDifferent(b *testing.B) {
	benchmarkLines(b, func(*rand.Rand, int) string { return "" })
}

func BenchmarkLinesThreeKinds(b *testing.B) {
	benchmarkLines(b, func(random *rand.Rand, _ int) string { return string(rune('a' + random.Intn(3))) })
}

func BenchmarkLinesShuffled(b *testing.B) {
	benchmarkLines(b, func(random *rand.Rand, n int) string { return strings.Repeat("x", random.Intn(n)%97) })
}

func benchmarkLines(b *testing.B, line func(random *rand.Rand, n int) string) {
	random := rand.New(rand.NewSource(3))
	side := func(name string) []string {
		lines := make([]string, 46_000)
		for i := range lines {
			if lines[i] = line(random, len(lines)); lines[i] == "" {
				lines[i] = name + string(rune('a'+i%26)) + strings.Repeat("y", i%40)
			}
		}
		return lines
	}
	left, right := side("left"), side("right")
	for b.Loop() {
		Lines(left, right)
	}
}
