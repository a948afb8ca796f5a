package align

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	tests := []struct{ name, a, b, wantA, wantB string }{
		{"equal", "enabled: true", "enabled: true", "enabled: true", "enabled: true"},
		{"one word", "enabled: true", "enabled: false", "enabled: [true]", "enabled: [false]"},
		{"a word as a whole", "size: 100G", "size: 10G", "size: [100G]", "size: [10G]"},
		{
			"words around a separator are one span",
			"cpus: 2-31,34",
			"cpus: 4-19,34",
			"cpus: [2-31],34",
			"cpus: [4-19],34",
		},
		{"separator only", "a.b", "a/b", "a[.]b", "a[/]b"},
		{"put in", "nohz=on", "nohz=on quiet", "nohz=on", "nohz=on[ quiet]"},
		{"from nothing", "", "x", "", "[x]"},
		{"two places", "a 1 b c d 2", "a 3 b c d 4", "a [1] b c d [2]", "a [3] b c d [4]"},
		{"letters with marks", "nai\u0308f x", "naif x", "[nai\u0308f] x", "[naif] x"},
		{"bytes that are no UTF-8", "a\xff b", "a\xfe b", "a[\xff] b", "a[\xfe] b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inA, inB := Words(test.a, test.b)
			if got := bracket(test.a, inA); got != test.wantA {
				t.Errorf("in the first: %q, want %q", got, test.wantA)
			}
			if got := bracket(test.b, inB); got != test.wantB {
				t.Errorf("in the second: %q, want %q", got, test.wantB)
			}
		})
	}
}

func TestWordsOfVeryLongLines(t *testing.T) {
	a := "x " + strings.Repeat("a ", 5000) + "y"
	b := "x " + strings.Repeat("b ", 5000) + "y"
	inA, inB := Words(a, b)
	if len(inA) != 1 || len(inB) != 1 || inA[0].Start != 2 || inB[0].Start != 2 {
		t.Errorf("the spans are %v and %v; want one each, from byte 2 on", inA, inB)
	}
}

func bracket(line string, spans []Span) string {
	var out strings.Builder
	at := 0
	for _, s := range spans {
		out.WriteString(line[at:s.Start] + "[" + line[s.Start:s.End] + "]")
		at = s.End
	}
	return out.String() + line[at:]
}
