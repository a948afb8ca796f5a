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
