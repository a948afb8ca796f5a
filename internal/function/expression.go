package function

import (
	"io"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"
)

// searchOnce is how much it takes to match an expression once.
func searchOnce(c Call) int { return saturated(0, len(c.text(1))+1, instructions(c.text(0))) }

// searchAll is how much it takes to find all matches of an expression, which may read the text once
// for each of them.
func searchAll(c Call) int {
	const small = 4 << 10
	expression, text := c.text(0), c.text(1)
	size := instructions(expression)
	if len(text) < small {
		return saturated(0, len(text)+1, size)
	}
	_, read := search(expression, text, MostSearched/size+1)
	return saturated(0, read, size)
}

// searchSet is how much it takes to look for each character of a text in a set of them.
func searchSet(c Call) int {
	const ofCharacter = 64 // characters of the set that are looked at in the time of an instruction
	return saturated(0, len(c.text(0)), len(c.text(1))) / ofCharacter
}

// compared is how much it takes to compare the values of a list with each of the other arguments.
func compared(c Call) int {
	const ofValue = 16 // instructions that are worth one
	return saturated(0, ofValue, len(c.args), c.size.Nodes)
}

// search finds all matches of an expression. It returns how many there are and how many characters
// are read to find them; the largest number there is where that is more than left.
func search(expression, text string, left int) (found, read int) {
	re, err := regexp.Compile(expression)
	if err != nil {
		return 0, 0
	}
	runes := countedRunes{left: left}
	for at := 0; at <= len(text); found++ {
		runes.Reader = strings.NewReader(text[at:])
		loc := re.FindReaderIndex(&runes)
		if runes.left <= 0 {
			return found, math.MaxInt
		}
		if loc == nil {
			break
		}
		at += max(loc[1], loc[0]+1)
	}
	return found, left - runes.left
}

// countedRunes counts how much of a text is read, and ends where no more may be.
type countedRunes struct {
	*strings.Reader
	left int
}

// ReadRune reads one character.
func (c *countedRunes) ReadRune() (rune, int, error) {
	if c.left <= 0 {
		return 0, 0, io.EOF
	}
	c.left--
	return c.Reader.ReadRune()
}

// instructions is about how long the program of an expression is: a short one with repetitions can
// have a long one. A class of Unicode, which is a table of hundreds of ranges, counts as many.
func instructions(expression string) int {
	const ofClass = 300
	classes := ofClass * (strings.Count(expression, `\p`) + strings.Count(expression, `\P`))
	if !strings.Contains(expression, "{") {
		return len(expression) + 1 + classes
	}
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 1
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 1
	}
	return len(program.Inst) + classes
}

// replaced is how many bytes it makes to put a text in the place of each match of an expression.
func replaced(c Call) int {
	n := matches(c.text(0), c.text(1), len(c.text(2)))
	return saturated(len(c.text(1)), n, len(c.text(2)))
}

// matches counts how often an expression matches; there is no need to where each match makes few
// bytes.
func matches(expression, text string, each int) int {
	const small = 1 << 20
	if most := len(text) + 1; most < small/max(each, 1) {
		return most
	}
	n, _ := search(expression, text, math.MaxInt)
	return n
}
