package inline

import (
	"fmt"

	"github.com/validationtool/validationtool/internal/align"
)

// The functions, as a reference spells them.
const (
	Regex         = "regex"
	CaptureGroups = "capturegroups"
)

// Outcome is what a function made of a template's value and an input's.
type Outcome struct {
	// Value stands in for the template's value in the comparison.
	Value string
	// Captures are what the named groups matched, in the order of the template. A group that took no part is not among them.
	Captures []Capture
	// Variable are the parts of Value that an expression accepted, which makes them user-variable content: in order, not
	// empty, not overlapping.
	Variable []align.Span
	// Findings say which expressions were not found, or matched only a part of what stands in their place. A difference in
	// the text between groups is no finding: comparing Value shows it.
	Findings []Finding
	// Malformed says which groups of the template's value cannot be used, and so are text that has to be equal (capturegroups).
	Malformed []*ExpressionError
}

// Capture is the text that a named group matched.
type Capture struct{ Name, Value string }

// Check reports whether a template's value can be used with a function, and which of its groups are malformed, so that they are
// read as text. The error is an *ExpressionError with the place in the value, unless there is no such function.
func Check(function, template string) (malformed []*ExpressionError, err error) {
	switch function {
	case Regex:
		_, _, err := parseRegex(template)
		return nil, err
	case CaptureGroups:
		_, malformed := scan(template)
		return malformed, nil
	}
	return nil, unknown(function)
}

// Apply returns what stands in for the template's value beside this input. An input that is the template's value itself agrees with
// it, as the CRs do that references bring along. Errors are those of Check, and that the expression is too long for the input.
func Apply(function, template, input string) (Outcome, error) {
	switch function {
	case Regex:
		return applyRegex(template, input)
	case CaptureGroups:
		return applyGroups(template, input), nil
	}
	return Outcome{}, unknown(function)
}

func unknown(function string) error {
	return fmt.Errorf("unknown inline diff function %q; it can be %s or %s", function, Regex, CaptureGroups)
}
