package escape

import "strings"

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
