package diff

import (
	"math"
	"testing"
)

// TestAlikeValuesHaveTheSameLines checks that two equal values share their lines only if both are
// printed alike.
func TestAlikeValuesHaveTheSameLines(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b any
		want bool
	}{
		{"texts", "a", "a", true},
		{"other texts", "a", "b", false},
		{"null and nothing but it", nil, nil, true},
		{"null and false", nil, false, false},
		{"a number and its text", int64(1), "1", false},
		{"whole and with a fraction", int64(1), 1.0, false},
		{"zero and minus zero", 0.0, math.Copysign(0, -1), false},
		{"no number", math.NaN(), math.NaN(), false},
		{"maps and lists", map[string]any{"a": []any{true, "x"}}, map[string]any{"a": []any{true, "x"}}, true},
		{"another key", map[string]any{"a": nil}, map[string]any{"b": nil}, false},
		{"a longer list", []any{"a"}, []any{"a", "b"}, false},
		{"a list and a map", []any{}, map[string]any{}, false},
	} {
		if got := isAlike(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
