package refconfig

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/validationtool/validationtool/internal/code"
)

// Problem is a fault or warning of a reference, a diff config or an overrides file, with its place.
type Problem struct {
	Code    code.Code
	File    string // as a user would open it; "" where there is none, as for a name on the command line
	Line    int    // 1-based; 0 if the problem is the file's as a whole
	Column  int    // 1-based; 0 if unknown
	Message string // what is wrong; what to do
}

// Position is the place as far as it is known: "file:line:column", "file:line" or "file".
func (p Problem) Position() string {
	if p.File == "" || p.Line == 0 {
		return p.File
	}
	s := p.File + ":" + strconv.Itoa(p.Line)
	if p.Column > 0 {
		s += ":" + strconv.Itoa(p.Column)
	}
	return s
}

// Error is the message with its place in front.
func (p Problem) Error() string {
	if position := p.Position(); position != "" {
		return position + ": " + p.Message
	}
	return p.Message
}

// findings collects what is wrong with a file, or with all files of a reference.
type findings struct {
	faults, warnings []Problem
}

// place is where something stands in a file.
type place struct {
	file         string
	line, column int
}

func (p place) problem(c code.Code, format string, args []any) Problem {
	return Problem{Code: c, File: p.file, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)}
}

// fault notes an error.
func (f *findings) fault(c code.Code, at place, format string, args ...any) {
	f.faults = append(f.faults, at.problem(c, format, args))
}

// warn notes a warning.
func (f *findings) warn(c code.Code, at place, format string, args ...any) {
	f.warnings = append(f.warnings, at.problem(c, format, args))
}

// tidy sorts problems by place and drops those that are there already: what several templates share is read once for each.
func tidy(problems []Problem) []Problem {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(problems)
}
