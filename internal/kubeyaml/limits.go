package kubeyaml

import (
	"bytes"
	"fmt"

	"github.com/validationtool/validationtool/internal/code"
)

// Limits protect against texts that were built to exhaust memory or stack. A zero field means its
// default.
type Limits struct {
	Nesting int // how many maps and lists may lie in each other
	Aliases int // how many values aliases may repeat in a text; 64 bytes of them count as one more
	// how many keys and values a document may have that is decoded at once, and how many items a
	// List or documents a file
	Values int
}

// DefaultLimits are those that a zero field stands for.
func DefaultLimits() Limits {
	return Limits{Nesting: 1000, Aliases: 200_000, Values: 2_000_000}
}

// MaxNesting is what Limits.Nesting can be at most: the YAML library goes no deeper.
const MaxNesting = 9_000

// OrDefault fills what was not set.
func (l Limits) OrDefault() Limits {
	def := DefaultLimits()
	for _, f := range []struct{ v, def *int }{{&l.Nesting, &def.Nesting}, {&l.Aliases, &def.Aliases},
		{&l.Values, &def.Values}} {
		if *f.v <= 0 {
			*f.v = *f.def
		}
	}
	return l
}

// aliasedBytes is how many bytes that an alias repeats count as one value.
const aliasedBytes = 64

// tooDeep is the fault of a text that nests maps and lists deeper than the limit.
func (l Limits) tooDeep(line, column int) *SyntaxError {
	return &SyntaxError{Code: code.LimitNesting, Line: line, Column: column, Message: fmt.Sprintf(
		"maps and lists are nested deeper than %d levels, the limit; raise it with --limit nesting=N", l.Nesting)}
}

// tooMany is the fault of a document with more values than the limit.
func (l Limits) tooMany(line, column int) *SyntaxError {
	return &SyntaxError{Code: code.LimitValues, Line: line, Column: column, Message: fmt.Sprintf("it has more than "+
		"%d values, the limit for one document; split it, or raise the limit with --limit values=N", l.Values)}
}

func (l Limits) tooManyAliases(line, column int) *SyntaxError {
	return &SyntaxError{Code: code.LimitAliases, Line: line, Column: column, Message: fmt.Sprintf(
		"aliases repeat more than %d values, the limit; replace them by their values, or raise the limit with --limit aliases=N",
		l.Aliases,
	)}
}

// flowDepth returns how deep brackets and braces nest in a text, those in quotes included.
func flowDepth(text []byte) int {
	depth, most := 0, 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
			most = max(most, depth)
		case ']', '}':
			depth--
		}
	}
	return most
}

// Fits says whether a YAML text may be decoded at once: each key and value of it needs one of a few
// characters. It is asked beforehand, because the library takes hundred times the memory of the
// text.
func (l Limits) Fits(text []byte) bool {
	return len(text) <= l.Values || Values(text) <= l.Values
}

// Values is how many keys and values a text has at most, roughly: each needs one of a few
// characters.
func Values(text []byte) int {
	n := 0
	for _, c := range []string{",", ":", "-", "[", "{", "?"} {
		n += bytes.Count(text, []byte(c))
	}
	return n
}

// Decoding is how many bytes of memory a text takes while it is decoded and when it is, roughly and
// rather too many than too few. What aliases repeat is not known of a text, and comes to it.
func Decoding(text []byte) int64 {
	const ofByte, ofValue = 3, 400 // measured
	return ofByte*int64(len(text)) + ofValue*int64(Values(text))
}
