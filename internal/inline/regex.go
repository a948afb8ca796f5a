package inline

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/validationtool/validationtool/internal/align"
)

// parseRegex parses and compiles the value of a regex function.
func parseRegex(template string) (*syntax.Regexp, *regexp.Regexp, error) {
	parsed, fault := parse(template, 0, len(template))
	if fault != nil {
		return nil, nil, fault
	}
	re, err := regexp.Compile(template)
	if err != nil {
		return nil, nil, errorAt(template, 0, err.Error())
	}
	return parsed, re, nil
}

// applyRegex is the function regex. A match of all of the input goes before a match of a part of it, so that a|ab accepts
// "ab"; among parts it is the leftmost.
func applyRegex(template, input string) (Outcome, error) {
	parsed, re, err := parseRegex(template)
	if err != nil {
		return Outcome{}, err
	}
	if input == template {
		return Outcome{Value: template}, nil
	}
	if instructions(parsed) > regexWork/(len(input)+1) {
		return Outcome{}, fmt.Errorf("holding the expression against a text of %d bytes takes too long; let it be shorter, or have fewer groups", len(input))
	}
	locations := re.FindStringSubmatchIndex(input)
	if locations == nil {
		return Outcome{Value: template, Findings: []Finding{{Kind: NoMatch, Expression: template, Line: 1, Text: input}}}, nil
	}
	if locations[1]-locations[0] < len(input) {
		if whole, err := regexp.Compile(`\A(?:` + parsed.String() + `)\z`); err == nil {
			if all := whole.FindStringSubmatchIndex(input); all != nil {
				locations = all
			}
		}
	}
	o := Outcome{Value: input[locations[0]:locations[1]]}
	if o.Value != "" {
		o.Variable = []align.Span{{Start: 0, End: len(o.Value)}}
	}
	if o.Value != input {
		o.Findings = []Finding{{Kind: PartMatch, Expression: template, Line: 1, Text: input, Match: o.Value}}
	}
	for n, name := range re.SubexpNames() {
		if from := locations[2*n]; name != "" && from >= 0 {
			o.Captures = append(o.Captures, Capture{Name: name, Value: input[from:locations[2*n+1]]})
		}
	}
	return o, nil
}

// instructions is how long the program of an expression is: a short one with repetitions can have a long one.
func instructions(parsed *syntax.Regexp) int {
	size, err := sizeOf(parsed)
	if err != nil {
		return 1
	}
	return size * (1 + parsed.MaxCap()/groupsPerCopy)
}

// regexWork bounds one expression with one text: instructions times bytes.
const regexWork = 1 << 30

// groupsPerCopy is how many groups make each instruction take as much again, for their places are carried along.
const groupsPerCopy = 8
