package pattern

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// piece is a part of a template's value: a named group, or the text between two groups.
type piece struct {
	text  string // as written in the template
	group *group // nil for text
}

// group is a named group of a template's value.
type group struct {
	index int // index among the groups of the value
	line  int // line in the value, from 1
	// names of the captures in expression, in order: the group's own name, then those of groups
	// inside it; "" for a capture without a name
	names      []string
	expression string // the group as one capture without its name, because other groups may have the same name
	embedded   string // expression without anchors, which hold at the ends of the group's text
	anchored   bool   // the expression has anchors
	size       int    // size of the compiled expression, which determines the work of a match
	spans      bool   // it can match a line feed
}

// scanWork limits the bytes that are parsed to find the ends of the groups of a value.
const scanWork = 1 << 23

// scan splits a value into pieces, whose texts joined are the value: a text, which may be empty,
// before, between and behind its groups.
//
// A group begins with "(?<" or "(?P<" and ends with the first parenthesis that makes it a valid
// expression. "(?<=" and "(?<!" do not begin a named group, so they are text. Invalid groups are
// text too, and malformed describes them.
func scan(value string) (pieces []piece, malformed []error) {
	groups, done, line, work := 0, 0, 1, scanWork
	for at := 0; ; {
		next := strings.Index(value[at:], "(?")
		if next < 0 {
			break
		}
		at += next
		if !opensGroup(value[at:]) {
			at += len("(?")
			continue
		}
		g, end, err := groupAt(value, at, &work)
		if err != nil {
			malformed = append(malformed, err)
			at += len("(?")
			continue
		}
		line += strings.Count(value[done:at], "\n")
		g.index, g.line = groups, line
		line += strings.Count(value[at:end], "\n")
		groups++
		pieces = append(pieces, piece{text: value[done:at]}, piece{text: value[at:end], group: g})
		at, done = end, end
	}
	if groups > 0 && !utf8.ValidString(value) {
		return []piece{{text: value}}, append(malformed, errorAt(value, 0, "the value is not valid UTF-8"))
	}
	return append(pieces, piece{text: value[done:]}), malformed
}

// opensGroup reports whether a text that begins with "(?" opens a named group, or looks like an
// attempt to.
func opensGroup(s string) bool {
	if strings.HasPrefix(s, "(?P<") {
		return true
	}
	return strings.HasPrefix(s, "(?<") && !strings.HasPrefix(s, "(?<=") && !strings.HasPrefix(s, "(?<!")
}

// groupAt parses the group that opens at start, and subtracts the parsed bytes from the work.
func groupAt(value string, start int, work *int) (g *group, end int, err error) {
	named := strings.TrimPrefix(value[start+len("(?"):], "P")[len("<"):]
	length := strings.IndexFunc(named, func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
	if length <= 0 || named[length] != '>' {
		return nil, 0, errorAt(
			value, start, "the group's name is not of the form (?<name>…), with a name of letters, digits and _",
		)
	}
	name, behind := named[:length], len(value)-len(named)+length+len(">")
	message := fmt.Sprintf("group %s is not closed; write ) where it ends", name)
	end = start
	for {
		next := strings.IndexByte(value[end:], ')')
		if next < 0 || *work < 0 {
			return nil, 0, errorAt(value, start, message)
		}
		end += next + 1
		*work -= end - start
		re, err := syntax.Parse(value[start:end], syntax.Perl)
		var fault *syntax.Error
		switch {
		case err == nil:
			return newGroup(re, value[behind:end]), end, nil
		case errors.As(err, &fault) && fault.Code == syntax.ErrMissingParen:
		case errors.As(err, &fault) && fault.Code == syntax.ErrMissingBracket:
			message = fmt.Sprintf(
				"a character class of group %s is not closed; write ] where it ends, or \\[ for the character", name,
			)
		default:
			return nil, 0, expressionError(value, start, end, err)
		}
	}
}

// newGroup returns a group for its parsed expression and the text after its name.
func newGroup(re *syntax.Regexp, behind string) *group {
	g := &group{names: re.CapNames()[1:], spans: matchesLineFeed(re), size: sizeOf(re), expression: "(" + behind}
	g.embedded = g.expression
	if g.anchored = unanchor(re); g.anchored {
		g.embedded = re.String()
	}
	return g
}

// matchesLineFeed reports whether an expression can match a line feed.
func matchesLineFeed(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar:
		return true
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				return true
			}
		}
	}
	return slices.ContainsFunc(re.Sub, matchesLineFeed)
}

// unanchor removes all anchors from an expression and reports whether it had any.
func unanchor(re *syntax.Regexp) (any bool) {
	switch re.Op {
	case syntax.OpBeginText, syntax.OpBeginLine, syntax.OpEndText, syntax.OpEndLine:
		re.Op, re.Flags = syntax.OpEmptyMatch, 0
		return true
	}
	for _, sub := range re.Sub {
		any = unanchor(sub) || any
	}
	return any
}

// expressionError returns the error of the expression at [start, end) of a value.
func expressionError(value string, start, end int, err error) error {
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		return errorAt(value, start, err.Error())
	}
	message, at := string(fault.Code), start
	if fault.Expr != "" && fault.Expr != value[start:end] {
		message += ": " + spelled(fault.Expr)
		if strings.Count(value[start:end], fault.Expr) == 1 {
			at += strings.Index(value[start:end], fault.Expr)
		}
	}
	behind := strings.HasPrefix(fault.Expr, "(?<=") || strings.HasPrefix(fault.Expr, "(?<!")
	if fault.Code == syntax.ErrInvalidPerlOp || behind {
		message += "; lookahead and lookbehind are not supported"
	}
	return errorAt(value, at, message)
}

// errorAt returns an error with its location in a template's value: line and column, in characters,
// from 1.
func errorAt(value string, offset int, message string) error {
	before := value[:offset]
	line, column := strings.Count(before, "\n"), utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return fmt.Errorf("%d:%d: %s", 1+line, 1+column, message)
}
