package inline

import (
	"regexp/syntax"
	"slices"
)

// group is a named group of a template's value.
type group struct {
	index   int      // among the groups of the value
	line    int      // in the value, from 1
	names   []string // of the captures in pattern, in order: its own, then those inside it
	pattern string   // the expression, with exactly these captures, nameless; without anchors at its ends
	search  string   // the same with them
	size    int      // of the compiled pattern, which says how much work a match is
	spans   bool     // it can match a line feed
}

// newGroup reads the group that stands in a value at [start, end).
func newGroup(value string, start, end int) (*group, error) {
	re, err := parse(value, start, end)
	if err != nil {
		return nil, err
	}
	g := &group{spans: matchesLineFeed(re)}
	re = g.onlyNamed(re)
	g.search = re.String()
	freeEdges(re, true, true)
	g.pattern = re.String()
	if g.size, err = sizeOf(re); err != nil {
		return nil, errorAt(value, start, err.Error())
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

// onlyNamed takes the captures without a name out of an expression, and the names off the others, which it notes. Several
// groups can then stand in one expression even if they share a name.
func (g *group) onlyNamed(re *syntax.Regexp) *syntax.Regexp {
	for re.Op == syntax.OpCapture && re.Name == "" {
		re = re.Sub[0]
	}
	if re.Op == syntax.OpCapture {
		g.names = append(g.names, re.Name)
		re.Name = ""
	}
	for i, sub := range re.Sub {
		re.Sub[i] = g.onlyNamed(sub)
	}
	return re
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
// beginning and the end of all text, so they always hold there.
func freeEdges(re *syntax.Regexp, first, last bool) {
	switch re.Op {
	case syntax.OpBeginText, syntax.OpBeginLine:
		if first {
			re.Op, re.Flags = syntax.OpEmptyMatch, 0
		}
	case syntax.OpEndText, syntax.OpEndLine:
		if last {
			re.Op, re.Flags = syntax.OpEmptyMatch, 0
		}
	case syntax.OpCapture, syntax.OpAlternate, syntax.OpQuest:
		for _, sub := range re.Sub {
			freeEdges(sub, first, last)
		}
	case syntax.OpConcat:
		for i := 0; first && i < len(re.Sub); i++ {
			freeEdges(re.Sub[i], true, last && i == len(re.Sub)-1)
			first = hasNoWidth(re.Sub[i])
		}
		for i := len(re.Sub) - 1; last && i >= 0; i-- {
			freeEdges(re.Sub[i], false, true)
			last = hasNoWidth(re.Sub[i])
		}
	}
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
