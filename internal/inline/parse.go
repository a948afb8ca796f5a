package inline

import (
	"errors"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// parse parses an expression that stands at an offset in a template's value.
func parse(value string, start, end int) (*syntax.Regexp, *ExpressionError) {
	re, err := syntax.Parse(value[start:end], syntax.Perl)
	if err == nil {
		return re, nil
	}
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		return nil, errorAt(value, start, err.Error())
	}
	message := string(fault.Code)
	if fault.Expr != "" && fault.Expr != value[start:end] {
		message += ": " + spelled(fault.Expr)
	}
	behind := strings.HasPrefix(fault.Expr, "(?<=") || strings.HasPrefix(fault.Expr, "(?<!")
	if fault.Code == syntax.ErrInvalidPerlOp || behind {
		message += "; there is no looking ahead or behind"
	}
	return nil, errorAt(value, start+faultAt(value[start:end], fault), message)
}

// faultAt returns where in an expression the fault is. The parser tells only the text that it stumbled over, which may
// stand in several places; it is the first of them up to which the expression alone has the same fault.
func faultAt(expression string, fault *syntax.Error) int {
	switch fault.Code {
	case syntax.ErrMissingParen:
		return max(0, balanceOf(expression).open)
	case syntax.ErrUnexpectedParen:
		return max(0, balanceOf(expression).end-1)
	case syntax.ErrTrailingBackslash:
		return max(0, len(expression)-1)
	}
	const tries = 50 // each parses the expression up to there
	at := 0
	for range tries {
		next := strings.Index(expression[at:], fault.Expr)
		if next < 0 || fault.Expr == "" {
			return 0
		}
		at += next
		var same *syntax.Error
		_, err := syntax.Parse(expression[:at+len(fault.Expr)], syntax.Perl)
		if errors.As(err, &same) && same.Code == fault.Code {
			return at
		}
		at++
	}
	return 0
}

// errorAt places an error in a template's value.
func errorAt(value string, offset int, message string) *ExpressionError {
	before := value[:offset]
	return &ExpressionError{
		Line:    1 + strings.Count(before, "\n"),
		Column:  1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]),
		Message: message,
	}
}
