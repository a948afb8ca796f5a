package escape

import "testing"

// Lines must allocate once, also for a text without a line break, which takes a header and a line.
func TestLinesTakeTheirMemoryAtOnce(t *testing.T) {
	allocations := func(text string) float64 {
		return testing.AllocsPerRun(100, func() { TextLines(text, "key", &Lead{}) })
	}
	for _, text := range []string{"text", "text\n"} {
		if got, more := allocations(text), allocations("te\nxt"); got > more {
			t.Errorf("%q: %.0f allocations, and with one more line %.0f", text, got, more)
		}
		if n := len(TextLines(text, "key", &Lead{})); n != 2 || n != textCount(text) {
			t.Errorf("%q: %d lines, %d counted", text, n, textCount(text))
		}
	}
	for text, want := range map[string]int{"a\nb": 3, "a\nb\n": 3, "a\n\n": 3, "\n": 2, "": 2} {
		if n := len(TextLines(text, "", &Lead{})); n != want || n != textCount(text) {
			t.Errorf("%q: %d lines, %d counted, want %d", text, n, textCount(text), want)
		}
	}
}
