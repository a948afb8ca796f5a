package refconfig

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
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

// document is a file with a fixed set of keys that is being read: the metadata, a diff config, or
// overrides.
type document struct {
	*findings
	kubeyaml.FileReader
	file string
}

// document begins to read a file of which at most so many values are visited.
func (f *findings) document(file string, codes kubeyaml.FileCodes, limit int) *document {
	placed := func(note func(string, Place, string, ...any)) func(string, int, int, string, ...any) {
		return func(code string, line, column int, format string, args ...any) {
			note(code, Place{File: file, Line: line, Column: column}, format, args...)
		}
	}
	reader := kubeyaml.FileReader{Codes: codes, Limit: limit, Fault: placed(f.fault), Warn: placed(f.warn)}
	return &document{findings: f, FileReader: reader, file: file}
}

// at is the place of a node.
func (d *document) at(n *kubeyaml.Node) Place {
	return Place{File: d.file, Line: n.Line, Column: n.Column}
}

func metadataCodes() kubeyaml.FileCodes {
	return kubeyaml.FileCodes{
		Syntax:     code.RefSyntax,
		WrongType:  code.RefType,
		UnknownKey: code.RefUnknownKey,
		Duplicate:  code.RefDuplicateKey,
	}
}

// tidy sorts problems by place and drops those that are there already: what several templates share
// is read once for each.
func tidy(problems []Problem) []Problem {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Code, b.Code), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(problems)
}

// among returns the names of a list of things.
func among[T any](things []T, name func(T) string) []string {
	names, met := make([]string, 0, len(things)), map[string]bool{}
	for _, t := range things {
		if n := name(t); !met[n] {
			met[n] = true
			names = append(names, n)
		}
	}
	return names
}

// Faults are all faults of a file, as one error: each is a line of its own, below what cannot be
// used.
type Faults struct {
	What     string
	Problems []Problem
}

// Error lists the faults in their order.
func (f Faults) Error() string {
	noun := "faults"
	if len(f.Problems) == 1 {
		noun = "fault"
	}
	lines := []string{fmt.Sprintf("%s, %d %s:", f.What, len(f.Problems), noun)}
	for _, p := range f.Problems {
		lines = append(lines, fmt.Sprintf("  %s (%s)", p.Error(), p.Code))
	}
	return strings.Join(lines, "\n")
}
