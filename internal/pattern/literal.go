package pattern

import (
	"regexp"
	"strings"
)

// Literal returns a template's value that accepts a text of the input and nothing else, if the text
// is valid UTF-8: with regex, the text with every character escaped that means something in an
// expression; with capturegroups, the text itself, in which only what could open a group stands as
// a group that accepts just that.
func Literal(function, text string) string {
	if function == Regex {
		return regexp.QuoteMeta(text)
	}
	const opening = `(?<opening>\(\?)`
	return strings.NewReplacer("(?<", opening+"<", "(?P<", opening+"P<").Replace(text)
}
