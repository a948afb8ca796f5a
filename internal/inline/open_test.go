package inline_test

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/inline"
)

func TestPlaceholdersAreAdmitted(t *testing.T) {
	for _, c := range []struct {
		function, template, input string
		want                      bool
	}{
		{inline.Regex, "web-[0-9]+", "web-$id", true},
		{inline.Regex, "web-[0-9]+", "$id-web", false},
		{inline.Regex, "^web-[0-9]+$", "$whole", true},
		{inline.Regex, "a{2,3}b", "aaaa$x", false},
		{inline.Regex, "a{2,3}b", "aa$x", true},
		{inline.Regex, "(", "$x", false},
		{inline.CaptureGroups, "host=(?<host>[a-z]+) port=(?<port>[0-9]+)", "host=$host port={{ .port }}", true},
		{inline.CaptureGroups, "host=(?<host>[a-z]+) port=(?<port>[0-9]+)", "host=$host port=none", false},
		{inline.CaptureGroups, "host=(?<host>[a-z]+) port=(?<port>[0-9]+)", "name=$host port=1", false},
		{inline.CaptureGroups, "cpus: (?<set>[0-9,-]+).", "cpus: 1-${last}.", true},
		{inline.CaptureGroups, "cpus: (?<set>[0-9,-]+).", "cpus: 1-${last}", true},
		{inline.CaptureGroups, "no group", "$x", true},
		{inline.Regex, strings.Repeat("[0-9]{1,100}", 50), strings.Repeat("1", 100_000) + "$x", false}, // too much work
	} {
		if got := inline.Admits(c.function, c.template, c.input); got != c.want {
			t.Errorf("%s %q, %q: %v", c.function, c.template, c.input, got)
		}
	}
}
