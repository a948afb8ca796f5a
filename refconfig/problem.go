package refconfig

import (
	"cmp"
	"slices"
	"strings"
)

// Problem is something of a file that cannot be used, or is odd.
type Problem struct {
	Code    string // stable, such as VT2003; `validationTool explain CODE` and docs/codes.md tell more
	Place   Place
	Message string // what is wrong and what to do, without the place
}

// Error is the message with its place in front.
func (p Problem) Error() string {
	if at := p.Place.String(); at != "" {
		return at + ": " + p.Message
	}
	return p.Message
}

// findings collects what is wrong with a file, or with all files of a reference.
type findings struct {
	faults, warnings []Problem
}

// fault notes an error.
func (f *findings) fault(code string, at Place, format string, args ...any) {
	f.faults = append(f.faults, at.Problem(code, format, args...))
}

// warn notes a warning.
func (f *findings) warn(code string, at Place, format string, args ...any) {
	f.warnings = append(f.warnings, at.Problem(code, format, args...))
}

// tidy sorts problems by place and drops those that are there already: what several templates share is read once for each.
func tidy(problems []Problem) []Problem {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Code, b.Code), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(problems)
}
