package kubeyaml

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
)

// TestLargeTextsAreNotDecoded: a text that is larger than the limit is refused before it is decoded,
// in any style, and one of that size is not.
func TestLargeTextsAreNotDecoded(t *testing.T) {
	long := strings.Repeat("x", 500)
	for _, text := range []string{
		"a: " + long + "\n", "a: |\n  " + long + "\n", "a: '" + long + "'\n", "a: 1 #" + long + "\n", `{"a": "` + long + `"}`,
		"{a: " + long + "}", "a: &b " + long + "\nc: *b\n",
	} {
		for _, size := range []int{len(text), len(text) - 1} {
			l := Limits{Size: size}.OrDefault()
			_, fault := l.ParseAt([]byte(text), 7)
			read := l.ReadYAML([]byte(text), 7).Fault
			for _, fault := range []*SyntaxError{fault, read} {
				if refused := fault != nil; refused != (size < len(text)) {
					t.Errorf("%.20q with a limit of %d of %d bytes: %v", text, size, len(text), fault)
				} else if refused && (fault.Code != code.LimitMemory || fault.Line != 8) {
					t.Errorf("%.20q: %s in line %d: %s", text, fault.Code, fault.Line, fault.Message)
				}
			}
		}
	}
}

func TestWithoutQuotes(t *testing.T) {
	for in, want := range map[string]string{
		"unknown anchor 'x1' referenced":              "unknown anchor referenced",
		"did not find expected ',' or ']'":            "did not find expected ',' or ']'",
		"did not find expected '-' indicator":         "did not find expected '-' indicator",
		"mapping values are not allowed here":         "mapping values are not allowed here",
		"an odd 'quote":                               "an odd 'quote",
		fmt.Sprintf("both 'ab' and '%s' and ','", ""): "both and and ','",
	} {
		if got := withoutQuotes(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
