package pattern

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/validationtool/validationtool/internal/value/align"
)

// The names of the functions in a reference.
const (
	Regex         = "regex"
	CaptureGroups = "capturegroups"
)

// Outcome is the result of a function for a template's value and an input's value.
type Outcome struct {
	// Value replaces the template's value in the comparison.
	Value string
	// Captures are the texts of the named groups, in the order of the template, without groups that
	// did not participate in the match.
	Captures []Capture
	// Variable has the parts of Value that an expression accepted, so that they count as expected.
	// They are in order, not empty, and do not overlap.
	Variable []align.Span
	// Findings has the expressions that did not match, or matched only a part of their text.
	// Different text between groups is not a finding: the comparison with Value shows it.
	Findings []Finding
	// Malformed describes groups of the template's value that are invalid, and are therefore
	// compared as text (capturegroups). Each begins with line and column in the value.
	Malformed []error
}

// Capture is a named group and the text that it matched.
type Capture struct{ Name, Value string }

// Check returns an error if a function cannot use a template's value, and describes malformed
// groups, which are read as text. Both begin with line and column in the value.
func Check(function, template string) (malformed []error, err error) {
	if function == Regex {
		_, err = parseRegex(template)
		return nil, err
	}
	_, malformed = scan(template)
	return malformed, nil
}

// Apply applies a function to a template's value and an input's value. An input equal to the
// template's value is accepted, because references contain such CRs. Errors are those of Check, and
// an expression that is too large for the input.
func Apply(function, template, input string) (Outcome, error) {
	if function == Regex {
		return applyRegex(template, input)
	}
	return applyGroups(template, input), nil
}

// parseRegex parses the value for the function regex. The result compiles.
func parseRegex(template string) (*syntax.Regexp, error) {
	parsed, err := syntax.Parse(template, syntax.Perl)
	if err != nil {
		return nil, expressionError(template, 0, len(template), err)
	}
	return parsed, nil
}

// applyRegex applies the function regex. A match of the whole input is preferred to a partial one,
// so that a|ab accepts "ab". A text that matches only in part differs, so the expression remains.
func applyRegex(template, input string) (Outcome, error) {
	parsed, err := parseRegex(template)
	if err != nil {
		return Outcome{}, err
	}
	if input == template {
		return Outcome{Value: template}, nil
	}
	// Each eight groups cost as much as the instructions, because their positions are copied.
	if size := sizeOf(parsed) * (1 + parsed.MaxCap()/8); size > regexWork/(len(input)+1) {
		return Outcome{}, fmt.Errorf(
			"matching the expression with a text of %d bytes takes too long; shorten it or use fewer groups",
			len(input),
		)
	}
	re := regexp.MustCompile(template)
	found := re.FindStringSubmatchIndex(input)
	if found == nil {
		f := Finding{Kind: NoMatch, Expression: template, Line: 1, Text: input}
		return Outcome{Value: template, Findings: []Finding{f}}, nil
	}
	if found[1] < len(input) {
		if whole, err := regexp.Compile(`\A(?:` + parsed.String() + `)\z`); err == nil {
			if all := whole.FindStringSubmatchIndex(input); all != nil {
				found = all
			}
		}
	}
	if match := input[found[0]:found[1]]; match != input {
		f := Finding{Kind: PartMatch, Expression: template, Line: 1, Text: input, Match: match}
		return Outcome{Value: template, Findings: []Finding{f}}, nil
	}
	o := Outcome{Value: input}
	if input != "" {
		o.Variable = []align.Span{{Start: 0, End: len(input)}}
	}
	o.Captures = captured(re.SubexpNames(), input, found)
	return o, nil
}

// regexWork limits the work for one expression and text: instructions times bytes.
const regexWork = 1 << 30

// captured returns the texts of named groups, given two indexes for each.
func captured(names []string, text string, indexes []int) (all []Capture) {
	for n, name := range names {
		if from := indexes[2*n]; name != "" && from >= 0 {
			all = append(all, Capture{Name: name, Value: text[from:indexes[2*n+1]]})
		}
	}
	return all
}

// sizeOf returns the number of instructions of an expression. A short one with repetitions can have
// many.
func sizeOf(re *syntax.Regexp) int {
	program, _ := syntax.Compile(re.Simplify()) // what parses compiles
	return len(program.Inst)
}
