package pattern

import (
	"regexp"
	"strings"
)

// Literal returns a value for a template that accepts only one text, which must be valid UTF-8. For
// regex, all characters with a meaning are escaped. For capturegroups it is the text itself, with
// each text that would open a group as a group that matches it.
func Literal(function, text string) string {
	if function == Regex {
		return regexp.QuoteMeta(text)
	}
	const opening = `(?<opening>\(\?)`
	return strings.NewReplacer("(?<", opening+"<", "(?P<", opening+"P<").Replace(text)
}
