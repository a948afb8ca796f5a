package inline

import (
	"regexp"
	"strings"
)

// Literal returns a template's value that accepts a text of the input and nothing else, if the text is valid UTF-8: with regex,
// the text with every character escaped that means something in an expression; with capturegroups, the text itself, in which
// only what would open a group stands as a group that accepts just that.
func Literal(function, text string) string {
	switch function {
	case Regex:
		return regexp.QuoteMeta(text)
	case CaptureGroups:
		return withoutGroups(text)
	}
	return text
}

// withoutGroups puts groups that match "(?" in the place of each "(?" that would open a group.
func withoutGroups(text string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, "(?")
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at])
		if opensGroup(text[at:]) {
			b.WriteString(`(?<opening>\(\?)`)
		} else {
			b.WriteString("(?")
		}
		text = text[at+len("(?"):]
	}
}
