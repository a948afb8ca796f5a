package visible

import "strings"

// Code is a text as a code span: between more backquotes than follow each other in it.
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

// Backquotes is how many backquotes follow each other at most.
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
