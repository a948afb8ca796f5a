package align

import (
	"math/rand"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDistance(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       int
	}{
		{"equal", "abc\n", "abc\n", 0},
		{"one character changed", "abc", "axc", 2},
		{"put in", "abc", "abxc", 1},
		{"taken out", "abc", "ac", 1},
		{"characters, not bytes", "größe", "größen", 1},
		{"wide characters", "設定", "設置", 2},
		{"bytes that are no UTF-8", "a\xff", "a\xfe", 2},
		{"from nothing", "", "abc", 3},
		{"a long text that is gone", "", strings.Repeat("x", 500_000), 500_000},
		{"one line changed in a long text", long(20_000, ""), long(20_000, "line 777\n"), 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Distance(test.a, test.b); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
			if got := Distance(test.b, test.a); got != test.want {
				t.Errorf("backwards: got %d, want %d", got, test.want)
			}
		})
	}
}

// long returns a text of n lines; the line with the index except is one character longer.
func long(n int, except string) string {
	var text strings.Builder
	for i := range n {
		line := "line " + strings.Repeat("i", i%50) + "\n"
		if i == 777 && except != "" {
			line = "+" + line
		}
		text.WriteString(line)
	}
	return text.String()
}

func TestDistanceIsTheLeast(t *testing.T) {
	random := rand.New(rand.NewSource(4))
	for round := range 2000 {
		a, b := randomLines(random, round), randomLines(random, round)
		want := len(a) + len(b) - 2*commonLength(a, b)
		if got := Distance(strings.Join(a, ""), strings.Join(b, "")); got != want {
			t.Fatalf("%q and %q: got %d, want %d", a, b, got, want)
		}
	}
}

func TestDistanceOfVeryDifferentTexts(t *testing.T) {
	random := rand.New(rand.NewSource(5))
	text := func(alphabet string) string {
		var out strings.Builder
		for range 60_000 {
			out.WriteByte(alphabet[random.Intn(len(alphabet))])
		}
		return out.String()
	}
	a, b := text("abcdefgh \n"), text("abcdefgh \n")
	d := Distance(a, b)
	if d <= 2000 || d > len(a)+len(b) {
		t.Errorf("got %d", d)
	}
	if back := Distance(b, a); back != d {
		t.Errorf("forward %d, back %d", d, back)
	}
	if d := Distance(text("abc"), text("xyz")); d != 120_000 {
		t.Errorf("texts with nothing in common: got %d", d)
	}
}

func FuzzDistance(f *testing.F) {
	f.Add("a: 1\nb: 2\n", "a: 1\nc: 2\n")
	f.Add("\xff", "\xfe")
	f.Fuzz(func(t *testing.T, a, b string) {
		d := Distance(a, b)
		lengths := utf8.RuneCountInString(a) + utf8.RuneCountInString(b)
		if (d == 0) != (a == b) || d > lengths || d != Distance(b, a) {
			t.Errorf("%q and %q: %d", a, b, d)
		}
	})
}

// A long and a short text must not make Distance allocate more than a few times their size.
func TestDistanceOfAVeryLongTextTakesItsSize(t *testing.T) {
	short := "a:\n  - b c\n"
	for name, text := range map[string]string{
		"short lines": strings.Repeat("- a\n", 1_000_000),
		"deep":        strings.Repeat(strings.Repeat(" ", 100)+"a:\n", 40_000),
		"words":       strings.Repeat("x y z ", 700_000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := Distance(text, short)
		runtime.ReadMemStats(&after)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 12*uint64(len(text)) {
			t.Errorf("%s: %d bytes for a text of %d", name, allocated, len(text))
		}
		if got < len(text)-len(short) || got > len(text)+len(short) {
			t.Errorf("%s: the distance is %d", name, got)
		}
	}
}
