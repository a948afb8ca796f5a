package pattern_test

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/value/pattern"
)

func TestPlaceholdersAreAdmitted(t *testing.T) {
	for _, c := range []struct {
		function, template, input string
		want                      bool
	}{
		{pattern.Regex, "web-[0-9]+", "web-$id", true},
		{pattern.Regex, "web-[0-9]+", "$id-web", false},
		{pattern.Regex, "^web-[0-9]+$", "$whole", true},
		{pattern.Regex, "a{2,3}b", "aaaa$x", false},
		{pattern.Regex, "a{2,3}b", "aa$x", true},
		{pattern.Regex, "(", "$x", false},
		{pattern.Regex, "a(b|c)d", "a${x}d", true},
		{pattern.Regex, "a(b|c)d", "a${x}e", false},
		{pattern.Regex, "a.c", "a\n$x", false},
		{pattern.Regex, "ab", "$x$x$x", true},
		{pattern.Regex, "^$", "$x", true},
		{pattern.Regex, "a?b?c", "b${x}a", false},
		{pattern.Regex, `\bab\b`, "a$x", true},
		{pattern.Regex, "ab", "abc", false},
		{pattern.Regex, "ab", "ab", true},
		{pattern.CaptureGroups, "host=(?<host>[a-z]+) port=(?<port>[0-9]+)", "host=$host port={{ .port }}", true},
		{pattern.CaptureGroups, "host=(?<host>[a-z]+) port=(?<port>[0-9]+)", "host=$host port=none", false},
		{pattern.CaptureGroups, "host=(?<host>[a-z]+) port=(?<port>[0-9]+)", "name=$host port=1", false},
		{pattern.CaptureGroups, "cpus: (?<set>[0-9,-]+).", "cpus: 1-${last}.", true},
		{pattern.CaptureGroups, "cpus: (?<set>[0-9,-]+).", "cpus: 1-${last}", true},
		{pattern.CaptureGroups, "no group", "$x", true},
		{pattern.Regex, "x{1000}|[0-9]*", "1$x", true},
		{pattern.Regex, "x{1000}|[0-9]*", strings.Repeat("1", 100_000) + "$x", false}, // too much work
	} {
		if got := pattern.Admits(c.function, c.template, c.input); got != c.want {
			t.Errorf("%s %q, %q: %v", c.function, c.template, c.input, got)
		}
	}
}

// TestTheSizeOfExpressions: repetitions and classes of many characters count as what they compile to.
func TestTheSizeOfExpressions(t *testing.T) {
	for _, c := range []struct {
		expression  string
		least, most int
	}{
		{"", 1, 1}, {"abc", 3, 4}, {"a{0,1000}", 1000, 4000}, {"(a{100}){9}", 900, 2000}, {`\pL`, 300, 1000}, {`\PN{2}`, 100, 1000},
		{"a{", 2, 5}, {"(p", 1, 1}, {"a{1001}", 1, 1},
	} {
		if n := pattern.Instructions(c.expression); n < c.least || n > c.most {
			t.Errorf("%q: %d instructions, want from %d to %d", c.expression, n, c.least, c.most)
		}
	}
}
