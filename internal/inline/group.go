package inline

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// group is a named group of a template's value.
type group struct {
	index   int      // among the groups of the value
	line    int      // in the value, from 1
	names   []string // of the captures in pattern and search, in order: its own, then those inside it; "" for one without
	pattern string   // the expression, one capture in all, without anchors at its ends
	search  string   // the same with them
	size    int      // of the compiled pattern, which says how much work a match is
	spans   bool     // it can match a line feed
}

// newGroup reads the group that stands in a value at [start, end).
func newGroup(value string, start, end int) (*group, *ExpressionError) {
	re, fault := parse(value, start, end)
	if fault != nil {
		return nil, fault
	}
	g := &group{names: re.CapNames()[1:], spans: matchesLineFeed(re)}
	var err error
	if g.size, err = sizeOf(re); err != nil {
		return nil, errorAt(value, start, err.Error())
	}
	// Without its own name, an expression that many groups have is one expression.
	text := value[start:end]
	g.search = "(" + text[strings.IndexByte(text, '>')+1:]
	g.pattern = g.search
	if freeEdges(re, true, true) {
		g.pattern = re.String() // only here, since it takes milliseconds for a class such as [^/]
	}
	return g, nil
}

// sizeOf counts the instructions of an expression.
func sizeOf(re *syntax.Regexp) (int, error) {
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0, err
	}
	return len(program.Inst), nil
}

// matchesLineFeed reports whether a match of an expression can hold a line feed.
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
		return false
	}
	return slices.ContainsFunc(re.Sub, matchesLineFeed)
}

// freeEdges takes the anchors off the ends of an expression: to a group, the ends of the text in its place are the
// beginning and the end of all text, so they always hold there. It reports whether there were any.
func freeEdges(re *syntax.Regexp, first, last bool) bool {
	freed := false
	switch re.Op {
	case syntax.OpBeginText, syntax.OpBeginLine:
		freed = first
	case syntax.OpEndText, syntax.OpEndLine:
		freed = last
	case syntax.OpCapture, syntax.OpAlternate, syntax.OpQuest:
		for _, sub := range re.Sub {
			freed = freeEdges(sub, first, last) || freed
		}
		return freed
	case syntax.OpConcat:
		for i := 0; first && i < len(re.Sub); i++ {
			freed = freeEdges(re.Sub[i], true, false) || freed
			first = hasNoWidth(re.Sub[i])
		}
		for i := len(re.Sub) - 1; last && i >= 0; i-- {
			freed = freeEdges(re.Sub[i], false, true) || freed
			last = hasNoWidth(re.Sub[i])
		}
		return freed
	}
	if freed {
		re.Op, re.Flags = syntax.OpEmptyMatch, 0
	}
	return freed
}

// hasNoWidth reports whether an expression matches no characters, so that what follows it still stands at the edge.
func hasNoWidth(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	case syntax.OpCapture:
		return hasNoWidth(re.Sub[0])
	}
	return false
}
