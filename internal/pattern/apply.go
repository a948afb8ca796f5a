package pattern

import (
	"fmt"
	"regexp"
	"regexp/syntax"

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
	// Captures are what the named groups matched, in the order of the template. A group that took
	// no part is not among them.
	Captures []Capture
	// Variable are the parts of Value that an expression accepted, which makes them user-variable
	// content: in order, not empty, not overlapping.
	Variable []align.Span
	// Findings say which expressions were not found, or matched only a part of what stands in their
	// place. A difference in the text between groups is no finding: comparing Value shows it.
	Findings []Finding
	// Malformed says which groups of the template's value cannot be used, and so are text that has
	// to be equal (capturegroups). Each begins with line and column in the value.
	Malformed []error
}

// Capture is the text that a named group matched.
type Capture struct{ Name, Value string }

// Check reports whether a template's value can be used with a function, and which of its groups are
// malformed, so that they are read as text. Both begin with line and column in the value.
func Check(function, template string) (malformed []error, err error) {
	if function == Regex {
		_, err = parseRegex(template)
		return nil, err
	}
	_, malformed = scan(template)
	return malformed, nil
}

// Apply returns what stands in for the template's value beside this input. An input that is the
// template's value itself agrees with it, as the CRs do that references bring along. Errors are
// those of Check, and that the expression is too long for the input.
func Apply(function, template, input string) (Outcome, error) {
	if function == Regex {
		return applyRegex(template, input)
	}
	return applyGroups(template, input), nil
}

// parseRegex parses the value of a regex function, which then compiles.
func parseRegex(template string) (*syntax.Regexp, error) {
	parsed, err := syntax.Parse(template, syntax.Perl)
	if err != nil {
		return nil, expressionError(template, 0, len(template), err)
	}
	return parsed, nil
}

// applyRegex is the function regex. A match of all of the input goes before a match of a part of
// it, so that a|ab accepts "ab"; among parts it is the leftmost.
func applyRegex(template, input string) (Outcome, error) {
	parsed, err := parseRegex(template)
	if err != nil {
		return Outcome{}, err
	}
	if input == template {
		return Outcome{Value: template}, nil
	}
	// Every eight groups, each instruction takes as much again: their places are carried along.
	if size := sizeOf(parsed) * (1 + parsed.MaxCap()/8); size > regexWork/(len(input)+1) {
		return Outcome{}, fmt.Errorf(
			"holding the expression against a text of %d bytes takes too long; let it be shorter, or have fewer groups",
			len(input),
		)
	}
	re := regexp.MustCompile(template)
	found := re.FindStringSubmatchIndex(input)
	if found == nil {
		f := Finding{Kind: NoMatch, Expression: template, Line: 1, Text: input}
		return Outcome{Value: template, Findings: []Finding{f}}, nil
	}
	if found[1]-found[0] < len(input) {
		if whole, err := regexp.Compile(`\A(?:` + parsed.String() + `)\z`); err == nil {
			if all := whole.FindStringSubmatchIndex(input); all != nil {
				found = all
			}
		}
	}
	o := Outcome{Value: input[found[0]:found[1]]}
	if o.Value != "" {
		o.Variable = []align.Span{{Start: 0, End: len(o.Value)}}
	}
	if o.Value != input {
		o.Findings = []Finding{{Kind: PartMatch, Expression: template, Line: 1, Text: input, Match: o.Value}}
	}
	o.Captures = captured(re.SubexpNames(), input, found)
	return o, nil
}

// regexWork bounds one expression with one text: instructions times bytes.
const regexWork = 1 << 30

// captured returns what named captures matched in a text, given two indexes for each.
func captured(names []string, text string, indexes []int) (all []Capture) {
	for n, name := range names {
		if from := indexes[2*n]; name != "" && from >= 0 {
			all = append(all, Capture{Name: name, Value: text[from:indexes[2*n+1]]})
		}
	}
	return all
}

// sizeOf counts the instructions of an expression: a short one with repetitions can have many.
func sizeOf(re *syntax.Regexp) int {
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 1
	}
	return len(program.Inst)
}
