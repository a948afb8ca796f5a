package refconfig

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/text/userfile"
)

// Problem is an error or a warning about a file. As JSON, it has the keys of Place, code and message.
type Problem struct {
	Place
	Code    string `json:"code"`    // stable, such as VT2003; `validationTool explain CODE` explains it
	Message string `json:"message"` // the problem and what to do, without the location

	// The word of the line, at or after the column, that the problem is about, and what can be written
	// in its place. Either may be unknown, and is then "".
	Word, Instead string `json:"-"`
}

// Error returns the message after its location.
func (p Problem) Error() string {
	if at := p.Place.String(); at != "" {
		return at + ": " + p.Message
	}
	return p.Message
}

// findings collects the problems of a file, or of all files of a reference.
type findings struct {
	faults, warnings []Problem
}

// fault adds an error.
func (f *findings) fault(code string, at Place, format string, args ...any) {
	f.faults = append(f.faults, at.Problem(code, format, args...))
}

// warn adds a warning.
func (f *findings) warn(code string, at Place, format string, args ...any) {
	f.warnings = append(f.warnings, at.Problem(code, format, args...))
}

// document reads a file with a fixed set of keys: the metadata, a diff config, or overrides.
type document struct {
	*findings
	userfile.Reader
	file string
}

// document returns a reader for a file, limited to a number of values.
func (f *findings) document(file string, codes userfile.Codes, limit int) *document {
	addTo := func(problems *[]Problem) func(string, int, int, string, ...any) {
		return func(code string, line, column int, format string, args ...any) {
			at := Place{File: file, Line: line, Column: column}
			*problems = append(*problems, at.Problem(code, format, args...))
		}
	}
	reader := userfile.Reader{Codes: codes, Limit: limit, Fault: addTo(&f.faults), Warn: addTo(&f.warnings)}
	return &document{findings: f, Reader: reader, file: file}
}

// at returns the location of a node.
func (d *document) at(n *kubeyaml.Node) Place {
	return Place{File: d.file, Line: n.Line, Column: n.Column}
}

// line returns the location of the line of a node.
func (d *document) line(n *kubeyaml.Node) Place { return Place{File: d.file, Line: n.Line} }

// within returns the location of an offset in the text of a scalar. The column in a line after the
// first is unknown.
func (d *document) within(n *kubeyaml.Node, offset int) Place {
	at := d.at(n)
	if line := n.LineAt(offset); line != n.Line {
		at.Line, at.Column = line, 0
	}
	return at
}

// inJSON returns the location of an error in the JSON text of a scalar.
func (d *document) inJSON(n *kubeyaml.Node, err error) Place {
	var fault *json.SyntaxError
	if errors.As(err, &fault) {
		return d.within(n, int(fault.Offset)-1)
	}
	return d.at(n)
}

// faultAt adds an error at a node.
func (d *document) faultAt(n *kubeyaml.Node, code, format string, args ...any) {
	d.fault(code, d.at(n), format, args...)
}

// warnAt adds a warning at a node.
func (d *document) warnAt(n *kubeyaml.Node, code, format string, args ...any) {
	d.warn(code, d.at(n), format, args...)
}

// tidy sorts problems by location and removes duplicates, which occur because templates share
// files.
func tidy(problems []Problem) []Problem {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(a.Place.Compare(b.Place), strings.Compare(a.Code, b.Code), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(problems)
}

// among returns the names of some things.
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

// Faults is an error with all problems of a file. The first line of its text says what cannot be
// used; then each problem has a line.
type Faults struct {
	What     string
	Problems []Problem
}

// Error returns the problems in their order.
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
