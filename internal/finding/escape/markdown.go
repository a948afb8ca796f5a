package escape

import "strings"

// Bold returns a text in bold, as a code span if a viewer might read it as markup, a mention or a
// link.
func Bold(text string) string {
	if Line(text) != text || strings.ContainsAny(text, "`*_~<>[]#@&$|\\") || strings.Contains(text, "://") ||
		strings.Contains(text, "www.") {
		text = Code(text)
	}
	return "**" + text + "**"
}

// Code returns a text as a code span, between more backquotes than the text has in a row.
func Code(text string) string {
	text = Line(text)
	if text == "" {
		return ""
	}
	fence := strings.Repeat("`", Backquotes(text)+1)
	if text[0] == '`' || text[len(text)-1] == '`' {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Backquotes returns the length of the longest sequence of backquotes.
func Backquotes(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
