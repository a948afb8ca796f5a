package code_test

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
)

// markdown returns the text of docs/codes.md: the title of each code.
func markdown() string {
	var b strings.Builder
	b.WriteString("# Codes\n\n" +
		"Every error, warning, broken rule and finding has a code, which keeps its meaning in all versions. " +
		"`validationTool explain CODE` gives the usual cause and what to do. " +
		"An **alarm** is a warning that the comparison may have checked or accepted other things than you wanted.\n\n" +
		"This file is generated from internal/run/code: `go test ./internal/run/code -update`.\n")
	last := ""
	for _, e := range code.All() {
		if h := heading(e.Code); h != last {
			fmt.Fprintf(&b, "\n## %s\n\n| code | title |\n|---|---|\n", h)
			last = h
		}
		title := e.Title
		if e.Alarm {
			title = "**alarm**: " + title
		}
		fmt.Fprintf(&b, "| %s | %s |\n", e.Code, strings.ReplaceAll(title, "|", "\\|"))
	}
	return b.String()
}

// heading names the thousand that a code belongs to.
func heading(c code.Code) string {
	switch {
	case strings.HasPrefix(string(c), "VT1"):
		return "Usage and input"
	case strings.HasPrefix(string(c), "VT2"):
		return "The reference"
	case strings.HasPrefix(string(c), "VT3"):
		return "Component rules"
	case strings.HasPrefix(string(c), "VT4"):
		return "One CR"
	default:
		return "Limits and safety"
	}
}
