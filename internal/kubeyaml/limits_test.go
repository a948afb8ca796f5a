package kubeyaml

import (
	"fmt"
	"testing"
)

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
