package inline

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// piece is a stretch of a template's value: a named group, or the text between two groups.
type piece struct {
	text  string // as the template spells it
	group *group // nil for text
}

// scan cuts a value into pieces, at least one. Joining their texts gives the value back.
//
// A group begins with "(?<" or "(?P<" and ends with the parenthesis that closes it. "(?<=" and "(?<!" begin no named group,
// so they are text like any other. So is a group that cannot be used: the whole of it, or, where nobody knows its end, what opens it.
// Malformed says why.
func scan(value string) (pieces []piece, malformed []*ExpressionError) {
	groups, done, line := 0, 0, 1
	for at := 0; at < len(value); {
		next := strings.Index(value[at:], "(?")
		if next < 0 {
			break
		}
		at += next
		if !opensGroup(value[at:]) {
			at += len("(?")
			continue
		}
		g, end, fault := groupAt(value, at)
		if fault != nil {
			malformed = append(malformed, fault)
			at = end
			continue
		}
		line += strings.Count(value[done:at], "\n")
		g.index, g.line = groups, line
		line += strings.Count(value[at:end], "\n")
		groups++
		if at > done {
			pieces = append(pieces, piece{text: value[done:at]})
		}
		pieces = append(pieces, piece{text: value[at:end], group: g})
		at, done = end, end
	}
	if groups > 0 && !utf8.ValidString(value) {
		malformed = append(malformed, &ExpressionError{Line: 1, Column: 1, Message: "the value is not valid UTF-8"})
		return []piece{{text: value}}, malformed
	}
	if done < len(value) || pieces == nil {
		pieces = append(pieces, piece{text: value[done:]})
	}
	return pieces, malformed
}

// groupAt reads the group that opens at start. Where it is malformed, end is that of the text to read in its place.
func groupAt(value string, start int) (g *group, end int, fault *ExpressionError) {
	end, fault = groupEnd(value, start)
	if fault != nil {
		return nil, start + len("(?"), fault
	}
	g, fault = newGroup(value, start, end)
	return g, end, fault
}

// opensGroup reports whether a text that begins with "(?" begins with a named group, or what was meant as one.
func opensGroup(s string) bool {
	if strings.HasPrefix(s, "(?P<") {
		return true
	}
	return strings.HasPrefix(s, "(?<") && !strings.HasPrefix(s, "(?<=") && !strings.HasPrefix(s, "(?<!")
}

// groupEnd returns the end of the group that opens at start.
func groupEnd(value string, start int) (int, *ExpressionError) {
	name := value[start+len("(?"):]
	name = name[strings.IndexByte(name, '<')+1:]
	name, _, closed := strings.Cut(name, ">")
	if !closed || !isName(name) {
		return 0, errorAt(value, start, "the group's name is not of the form (?<name>…), with a name of letters, digits and _")
	}
	b := balanceOf(value[start+1:])
	switch {
	case b.end >= 0:
		return start + 1 + b.end, nil
	case b.class:
		return 0, errorAt(value, start+1+b.open, "the character class is not closed; write ] where it ends, or \\[ for the character")
	case b.open >= 0:
		return 0, errorAt(value, start+1+b.open, "the parenthesis is not closed; write ) where it ends, or \\( for the character")
	}
	return 0, errorAt(value, start, fmt.Sprintf("group %s is not closed; write ) where it ends", name))
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != ""
}

// balance is what a walk over the parentheses of an expression found.
type balance struct {
	end   int  // behind the first parenthesis that closes nothing, or -1
	open  int  // where end is -1: the innermost parenthesis or the class that stays open; -1 if there is none
	class bool // open is a class
}

// balanceOf walks an expression up to the first parenthesis that closes nothing. Parentheses in classes, behind a backslash
// and between \Q and \E don't count.
func balanceOf(expression string) balance {
	var open []int
	for i := 0; i < len(expression); {
		switch expression[i] {
		case '\\':
			i = escapeEnd(expression, i)
			continue
		case '[':
			end := classEnd(expression, i)
			if end < 0 {
				return balance{end: -1, open: i, class: true}
			}
			i = end
			continue
		case '(':
			open = append(open, i)
		case ')':
			if len(open) == 0 {
				return balance{end: i + 1}
			}
			open = open[:len(open)-1]
		}
		i++
	}
	if len(open) == 0 {
		return balance{end: -1, open: -1}
	}
	return balance{end: -1, open: open[len(open)-1]}
}

// escapeEnd returns the end of the escape at i: of the character that follows the backslash, or of all that \Q quotes.
func escapeEnd(s string, i int) int {
	if !strings.HasPrefix(s[i:], `\Q`) {
		return min(i+2, len(s))
	}
	if end := strings.Index(s[i:], `\E`); end >= 0 {
		return i + end + len(`\E`)
	}
	return len(s)
}

// classEnd returns the end of the character class at i, or -1 if it is not closed. A ] that comes first stands for itself,
// and one that ends [:name:] does not end the class.
func classEnd(s string, i int) int {
	i++
	if i < len(s) && s[i] == '^' {
		i++
	}
	for first := true; i < len(s); first = false {
		switch {
		case s[i] == ']' && !first:
			return i + 1
		case s[i] == '\\':
			i++
		case s[i] == '[':
			i += namedClass(s[i:])
			continue
		}
		i++
	}
	return -1
}

// namedClass returns the length of the [:name:] that s begins with; that of the bracket alone if it is none.
func namedClass(s string) int {
	rest, named := strings.CutPrefix(s, "[:")
	if !named {
		return 1
	}
	name, _, closed := strings.Cut(rest, ":]")
	letters := strings.TrimPrefix(name, "^")
	if !closed || letters == "" || strings.Trim(letters, "abcdefghijklmnopqrstuvwxyz") != "" {
		return 1
	}
	return len("[:") + len(name) + len(":]")
}
