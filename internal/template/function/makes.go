package function

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// A running call cannot be stopped, so the size of its result and the cost of its search are
// estimated before it is made, by the formulas in this file.

// Call is a call that is about to be made.
type Call struct {
	args []any
	size tree.Size // size of all arguments together
}

// Size holds upper limits for a call: the bytes of its result, and the cost of its search, in
// bytes of text times instructions of a regular expression.
type Size struct{ Bytes, Searched int }

// Makes returns upper limits for a call, and the size of its arguments. It returns false if an
// argument is larger than most; the second value is then a lower limit for the size of that
// argument.
func (f *Function) Makes(args []any, most tree.Size) (Size, tree.Size, bool) {
	c := Call{args: args}
	for _, a := range args {
		size, ok := Measure(a, !f.shallow, most)
		if !ok {
			return Size{}, size, false
		}
		c.size.Nodes += size.Nodes
		c.size.Bytes += size.Bytes
		c.size.Lines += size.Lines
		c.size.Height = max(c.size.Height, size.Height)
	}
	s := Size{Bytes: c.size.Bytes}
	if f.searches != nil {
		s.Searched = f.searches(c)
	}
	if f.makes != nil &&
		s.Searched <= MostSearched { // counting the matches costs as much as the call itself
		s.Bytes = f.makes(c)
	}
	return s, c.size, true
}

// MostSearched is the largest allowed cost of one search. Such a search takes about a second.
const MostSearched = 1 << 26

// Made returns the size of a result; false if the result is larger than most.
func (f *Function) Made(result any, most tree.Size) (tree.Size, bool) {
	return Measure(result, !f.shallow, most)
}

// Measure returns the size of a value, or only the number of its elements if deep is false. It
// returns false if the value is larger than most.
func Measure(v any, deep bool, most tree.Size) (tree.Size, bool) {
	if text, ok := v.(string); ok {
		return tree.Size{Nodes: 1, Bytes: len(text), Lines: strings.Count(text, "\n")}, len(text) <= most.Bytes
	}
	switch {
	case v == nil || isScalar(v):
		return tree.Size{Nodes: 1}, true
	case deep:
		return tree.Measure(v, most)
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.String:
		return tree.Size{Nodes: rv.Len()}, rv.Len() <= most.Nodes
	}
	return tree.Size{Nodes: 1}, true
}

// isScalar reports whether a value has one of the scalar types of CRs and templates.
func isScalar(v any) bool {
	switch v.(type) {
	case string, bool, int, int64, float64:
		return true
	}
	return false
}

// saturatedSum returns a plus the product of the factors, or math.MaxInt on overflow.
func saturatedSum(a int, factors ...int) int {
	p := 1
	for _, f := range factors {
		switch {
		case f <= 0:
			return a
		case p > math.MaxInt/f:
			return math.MaxInt
		}
		p *= f
	}
	if p > math.MaxInt-a {
		return math.MaxInt
	}
	return a + p
}

// number returns an argument as an int, or 0.
func (c Call) number(i int) int {
	if i >= len(c.args) {
		return 0
	}
	n, _ := Whole(c.args[i])
	return n
}

// text returns an argument that is a string, or "".
func (c Call) text(i int) string {
	if i >= len(c.args) {
		return ""
	}
	s, _ := c.args[i].(string)
	return s
}

// printedSize returns the size of a value printed on several lines. Their indentation may be most
// of it.
func printedSize(c Call) int { return c.size.Printed() }

// partsSize returns the size of a text that is split into n separate parts.
func partsSize(whole string, n int) int { return saturatedSum(len(whole), n, 64) }

// sequenceSize returns the size of the result of until or seq. If there are three arguments, the
// second one is the step.
func sequenceSize(c Call) int {
	from, step, to := 0, 1, c.number(0)
	switch {
	case len(c.args) == 2:
		from, to = c.number(0), c.number(1)
	case len(c.args) > 2:
		from, step, to = c.number(0), c.number(1), c.number(2)
	}
	return sequence(from, to, step)
}

// sequence returns the largest possible size of a sequence of numbers. If the numbers are so large
// that they might overflow, it returns math.MaxInt.
func sequence(from, to, step int) int {
	const far = math.MaxInt / 4
	if max(from, to, step) > far || min(from, to, step) < -far {
		return math.MaxInt
	}
	if step == 0 {
		return 0
	}
	return saturatedSum(0, 24, max((to-from)/step, (from-to)/step)+2)
}

// formattedSize returns the bytes that printf adds to its arguments: by widths, by numbered
// arguments that repeat, and by escapes.
func formattedSize(c Call) int {
	format := c.text(0)
	const widest = 1_000_000 // fmt allows no larger width
	bytes := saturatedSum(0, widest, strings.Count(format, "*"))
	isOther := func(c rune) bool { return c < '0' || c > '9' }
	for digits := range strings.FieldsFuncSeq(format, isOther) {
		width, err := strconv.Atoi(digits)
		if err != nil {
			width = widest
		}
		bytes = saturatedSum(bytes, min(width, widest))
	}
	longest := 0
	for i := range c.args[min(1, len(c.args)):] {
		longest = max(longest, len(c.text(i+1)))
	}
	times := 5
	if strings.Contains(format, "[") {
		times += strings.Count(format, "%")
	}
	return saturatedSum(bytes, times, longest)
}
