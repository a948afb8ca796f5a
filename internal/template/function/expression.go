package function

import (
	"io"
	"math"
	"regexp"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/value/pattern"
)

// expressions are the compiled regular expressions of templates, which call them with few expressions
// many times. Its methods replace functions of sprig, which compile the expression for each call; they
// panic as these do if the expression is invalid.
type expressions struct {
	mu       sync.Mutex
	compiled map[string]*regexp.Regexp
	sizes    map[string]int
}

// Limits of what expressions remembers.
const (
	mostExpressions   = 256
	longestExpression = 1 << 10
)

// remember returns what all has for an expression, or else what is made for it.
func remember[T any](e *expressions, all *map[string]T, expression string, make func(string) (T, error)) (T, error) {
	e.mu.Lock()
	known, again := (*all)[expression]
	e.mu.Unlock()
	if again {
		return known, nil
	}
	made, err := make(expression)
	if err != nil || len(expression) > longestExpression {
		return made, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if *all == nil {
		*all = map[string]T{}
	}
	if len(*all) < mostExpressions {
		(*all)[strings.Clone(expression)] = made
	}
	return made, nil
}

func (e *expressions) compile(expression string) (*regexp.Regexp, error) {
	return remember(e, &e.compiled, expression, regexp.Compile)
}

func (e *expressions) mustCompile(expression string) *regexp.Regexp {
	re, err := e.compile(expression)
	if err != nil {
		return regexp.MustCompile(expression)
	}
	return re
}

// size returns the number of instructions of an expression.
func (e *expressions) size(expression string) int {
	n, _ := remember(e, &e.sizes, expression, func(text string) (int, error) { return pattern.Instructions(text), nil })
	return n
}

func (e *expressions) match(expression, text string) bool {
	re, err := e.compile(expression)
	return err == nil && re.MatchString(text)
}

func (e *expressions) mustMatch(expression, text string) (bool, error) {
	re, err := e.compile(expression)
	return err == nil && re.MatchString(text), err
}

func (e *expressions) find(expression, text string) string {
	return e.mustCompile(expression).FindString(text)
}

func (e *expressions) mustFind(expression, text string) (string, error) {
	re, err := e.compile(expression)
	if err != nil {
		return "", err
	}
	return re.FindString(text), nil
}

func (e *expressions) replaceAll(expression, text, by string) string {
	return e.mustCompile(expression).ReplaceAllString(text, by)
}

func (e *expressions) mustReplaceAll(expression, text, by string) (string, error) {
	re, err := e.compile(expression)
	if err != nil {
		return "", err
	}
	return re.ReplaceAllString(text, by), nil
}

// matchCost returns the cost of matching an expression once.
func (e *expressions) matchCost(c Call) int {
	return saturatedSum(0, len(c.text(1))+1, e.size(c.text(0)))
}

// matchAllCost returns the cost of finding all matches of an expression. A search may read the
// whole text once for each match.
func (e *expressions) matchAllCost(c Call) int {
	const small = 4 << 10
	expression, text := c.text(0), c.text(1)
	size := e.size(expression)
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

// insertedSize is replacedSize for a replacement in which each $ may insert the groups of all matches.
func insertedSize(c Call) int {
	return saturatedSum(replacedSize(c), strings.Count(c.text(2), "$"), len(c.text(1)))
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
