package kubeyaml

import (
	"bytes"
	"cmp"
	"fmt"
	"math"

	"github.com/validationtool/validationtool/internal/run/code"
)

// Limits protect against texts that were built to exhaust memory or stack. A zero field means its
// default.
type Limits struct {
	Nesting int // maximum nesting of maps and lists
	Aliases int // maximum number of values that aliases repeat in a text; each 64 bytes of them count as one more
	// maximum number of keys and values of a document that is decoded as a whole, of items of a
	// List, and of documents of a file
	Values int
	Size   int // maximum number of bytes of a text that is decoded as a whole, which takes several times as many

	// Dense replaces Values for an object of more than denseFrom bytes, which takes more memory until
	// it is compared and reported.
	Dense    int
	ofObject bool
}

// DefaultLimits returns the values for zero fields.
func DefaultLimits() Limits {
	return Limits{Nesting: 1000, Aliases: 200_000, Values: 2_000_000, Size: math.MaxInt, Dense: 100_000}
}

// MaxNesting is the maximum of Limits.Nesting: the YAML library goes no deeper.
const MaxNesting = 9_000

// OrDefault returns the limits with defaults for zero fields.
func (l Limits) OrDefault() Limits {
	def := DefaultLimits()
	return Limits{
		Nesting: cmp.Or(l.Nesting, def.Nesting),
		Aliases: cmp.Or(l.Aliases, def.Aliases),
		Values:  cmp.Or(l.Values, def.Values),
		Size:    cmp.Or(l.Size, def.Size),
		Dense:   cmp.Or(l.Dense, def.Dense),

		ofObject: l.ofObject,
	}
}

// denseFrom is the number of bytes of an object above which Limits.Dense replaces Limits.Values. A
// server accepts no object with more values, and each takes up to 3 kB until it is reported.
const denseFrom = 1 << 20

// OfObject returns the limits of decoding an object.
func (l Limits) OfObject() Limits {
	l.ofObject = true
	return l
}

// forText returns the limits of decoding a text as a whole.
func (l Limits) forText(text []byte) Limits {
	if l.ofObject && len(text) > denseFrom {
		l.Values = min(l.Values, l.Dense)
	}
	return l
}

// aliasedBytes is the number of bytes repeated by an alias that count as one value.
const aliasedBytes = 64

// tooDeep returns the fault of a text that nests maps and lists deeper than the limit.
func (l Limits) tooDeep(line, column int) *SyntaxError {
	return &SyntaxError{Code: code.LimitNesting, Line: line, Column: column, Message: fmt.Sprintf(
		"maps and lists are nested deeper than %d levels, the limit; raise it with --limit nesting=N", l.Nesting)}
}

// tooMany returns the fault of a document with more values than the limit.
func (l Limits) tooMany(line, column int) *SyntaxError {
	return &SyntaxError{Code: code.LimitValues, Line: line, Column: column, Message: fmt.Sprintf("it has more than "+
		"%d values, the limit for one document; split it, or raise the limit with --limit values=N", l.Values)}
}

// tooLarge returns the fault of a text that is larger than the limit; nil if it is not.
func (l Limits) tooLarge(text []byte, base int) *SyntaxError {
	if len(text) <= l.Size {
		return nil
	}
	return &SyntaxError{Code: code.LimitMemory, Line: base + 1, Column: 1, Message: fmt.Sprintf("it has %d bytes, more "+
		"than the %d that may be decoded as a whole; leave it out of the input, split it, or raise the limit with "+
		"--limit memory=N", len(text), l.Size)}
}

func (l Limits) tooManyAliases(line, column int) *SyntaxError {
	return &SyntaxError{Code: code.LimitAliases, Line: line, Column: column, Message: fmt.Sprintf(
		"aliases repeat more than %d values, the limit; replace them by their values, or raise the limit with --limit aliases=N",
		l.Aliases,
	)}
}

// flowDepth returns the maximum nesting of brackets and braces in a text, including those in
// quotes.
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

// fits reports whether a YAML text may be decoded as a whole. It must be called before decoding,
// because the library takes a hundred times the memory of the text.
func (l Limits) fits(text []byte) bool {
	return len(text) <= l.Values || Values(text) <= l.Values
}

// Values returns an upper estimate of the number of keys and values in a text: each needs one of a
// few characters.
func Values(text []byte) int {
	n := 0
	for _, c := range []string{",", ":", "-", "[", "{", "?"} {
		n += bytes.Count(text, []byte(c))
	}
	return n
}

// Decoding returns an upper estimate of the memory, in bytes, that a text takes during and after
// decoding. It does not include values repeated by aliases.
func Decoding(text []byte) int64 {
	const ofByte, ofValue = 3, 400 // measured
	return ofByte*int64(len(text)) + ofValue*int64(Values(text))
}
