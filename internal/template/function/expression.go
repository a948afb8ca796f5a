package function

import (
	"io"
	"math"
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/value/pattern"
)

// matchCost returns the cost of matching an expression once.
func matchCost(c Call) int { return saturatedSum(0, len(c.text(1))+1, pattern.Instructions(c.text(0))) }

// matchAllCost returns the cost of finding all matches of an expression. A search may read the
// whole text once for each match.
func matchAllCost(c Call) int {
	const small = 4 << 10
	expression, text := c.text(0), c.text(1)
	size := pattern.Instructions(expression)
	if len(text) < small {
		return saturatedSum(0, len(text)+1, size)
	}
	_, read := search(expression, text, MostSearched/size+1)
	return saturatedSum(0, read, size)
}

// trimCost returns the cost of looking up each character of a text in a set of characters.
func trimCost(c Call) int {
	const ofCharacter = 64 // characters of the set that are compared in the time of one instruction
	return saturatedSum(0, len(c.text(0)), len(c.text(1))) / ofCharacter
}

// compareCost returns the cost of comparing each value of a list with each other argument.
func compareCost(c Call) int {
	const ofValue = 16 // instructions that take as long as one comparison
	return saturatedSum(0, ofValue, len(c.args), c.size.Nodes)
}

// search finds all matches of an expression. It returns their number and the number of characters
// read to find them; the latter is math.MaxInt if the search would read more characters than left
// allows.
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

// countedRunes is a reader of a text that stops after left characters.
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

// replacedSize returns the size of a text after each match of an expression is replaced.
func replacedSize(c Call) int {
	n := matches(c.text(0), c.text(1), len(c.text(2)))
	return saturatedSum(len(c.text(1)), n, len(c.text(2)))
}

// matches counts the matches of an expression. each is the number of bytes that each match adds.
// If an upper limit for the number adds few bytes, matches returns that limit without a search.
func matches(expression, text string, each int) int {
	const small = 1 << 20
	if most := len(text) + 1; most < small/max(each, 1) {
		return most
	}
	n, _ := search(expression, text, math.MaxInt)
	return n
}
