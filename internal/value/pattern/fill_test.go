package pattern_test

import (
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/value/pattern"
)

// TestFill puts values in the place of groups, where the text around these is known.
func TestFill(t *testing.T) {
	values := map[string]string{"a": "7", "b": "x y"}
	for _, c := range []struct {
		function, template, want string
		names                    []string
	}{
		{pattern.CaptureGroups, "p (?<a>[0-9]+).\nq (?<b>.*) (?<a>[0-9]+)", "p 7.\nq x y 7", []string{"a", "b"}},
		{pattern.CaptureGroups, "(strict) [a-z]+", "(strict) [a-z]+", nil},
		{pattern.CaptureGroups, "p (?<a>[0-9", "", nil},
		{pattern.CaptureGroups, "p (?<c>[0-9]+)", "p ", []string{"c"}},
		{pattern.Regex, `^v(?<a>[0-9]+)\.z$`, "v7.z", []string{"a"}},
		{pattern.Regex, `(?<a>[0-9]+)\$`, "7$", []string{"a"}},
		{pattern.Regex, `^(?<a>[0-9]+)$`, "7", []string{"a"}},
		{pattern.Regex, `(?i)v(?<a>[0-9]+)`, "", nil},
		{pattern.Regex, `v$(?<a>[0-9]+)`, "", nil},
		{pattern.Regex, `(?<a>[0-9]+)^v`, "", nil},
		{pattern.Regex, `v.(?<a>[0-9]+)`, "", nil},
		{pattern.Regex, `v+(?<a>[0-9]+)`, "", nil},
		{pattern.Regex, `v[0-9]+`, "", nil},
	} {
		got, names := pattern.Fill(c.function, c.template, values)
		if got != c.want || !slices.Equal(names, c.names) {
			t.Errorf("%s %q: %q %q, want %q %q", c.function, c.template, got, names, c.want, c.names)
		}
	}
}
