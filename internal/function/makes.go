package function

import (
	"math"
	"reflect"
	"strings"

	"github.com/validationtool/validationtool/internal/tree"
)

// A running call cannot be stopped, so the size of its result and the cost of its search are
// estimated before it is made, by the formulas in this file.

// Call is a call that is about to be made.
type Call struct {
	args []any
	size tree.Size // of all arguments together
}

// Size is the upper limit of what a call produces in bytes, and of what its search costs, in bytes
// of text times instructions of a regular expression.
type Size struct{ Bytes, Searched int }

// Makes returns the size of what a call will produce, and the size of its arguments. ok is false if
// an argument is larger than most; then the second value is a lower limit of the size of that
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
		s.Searched <= MostSearched { // a count of the matches costs as much as the call itself
		s.Bytes = f.makes(c)
	}
	return s, c.size, true
}

// MostSearched is the largest cost of one search, about a second.
const MostSearched = 1 << 26

// Made returns the size of a result; false if it is larger than most.
func (f *Function) Made(result any, most tree.Size) (tree.Size, bool) {
	return Measure(result, !f.shallow, most)
}

// Measure returns the size of a value, or only the number of its elements if deep is false. ok is
// false if it is larger than most.
func Measure(v any, deep bool, most tree.Size) (tree.Size, bool) {
	if text, ok := v.(string); ok {
		return tree.Size{Nodes: 1, Bytes: len(text), Lines: strings.Count(text, "\n")}, len(text) <= most.Bytes
	}
	switch {
	case v == nil || plain(v):
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

// plain reports whether a value is a scalar that can be compared fast.
func plain(v any) bool {
	switch v.(type) {
	case string, bool, int, int64, float64:
		return true
	}
	return false
}

// saturated returns a plus the product of the factors, or math.MaxInt on overflow.
func saturated(a int, factors ...int) int {
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
	if i >= len(c.args) || c.args[i] == nil {
		return 0
	}
	v, ok := Convert(c.args[i], reflect.TypeFor[int]())
	if !ok {
		return 0
	}
	return int(v.Int())
}

// text returns an argument that is a string, or "".
func (c Call) text(i int) string {
	if i >= len(c.args) {
		return ""
	}
	s, _ := c.args[i].(string)
	return s
}

// elements returns the number of elements of a list or map, or 0.
func elements(v any) int {
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return rv.Len()
	}
	return 0
}

// printed returns the size of a value printed on several lines.
func printed(c Call) int { return c.size.Printed() }

// escaped returns the size of a text in which nearly every character is escaped.
func escaped(c Call) int { return saturated(0, 4, c.size.Bytes) }

// drawn returns the size of a random text.
func drawn(c Call) int { return saturated(0, 8, c.number(0)) }

func joined(c Call) int {
	if len(c.args) != 2 {
		return c.size.Bytes
	}
	return saturated(c.size.Bytes, elements(c.args[1]), len(c.text(0)))
}

// pieces returns the size of a text that is split into n separate parts.
func pieces(whole string, n int) int { return saturated(len(whole), n, 64) }

// sequence returns the size of the result of seq. Of three arguments, the step is the second.
func sequence(c Call) int {
	from, step, to := 0, 1, c.number(0)
	switch {
	case len(c.args) == 2:
		from, to = c.number(0), c.number(1)
	case len(c.args) > 2:
		from, step, to = c.number(0), c.number(1), c.number(2)
	}
	return saturated(0, 64, rounds(from, to, step))
}

// rounds returns the largest possible length of a sequence. Numbers that would overflow count as
// endless.
func rounds(from, to, step int) int {
	const far = math.MaxInt / 4
	for _, v := range []int{from, to, step} {
		if v > far || v < -far {
			return math.MaxInt
		}
	}
	if step == 0 {
		return 0
	}
	return max((to-from)/step, (from-to)/step) + 2
}

// formatted returns the bytes that printf adds to its arguments: by widths, by numbered arguments
// that repeat, and by escapes.
func formatted(c Call) int {
	format := c.text(0)
	verbs, bytes, digits := 0, 0, 0
	for i := range len(format) {
		switch c := format[i]; {
		case c == '%':
			verbs++
		case c == '*':
			bytes = saturated(bytes, 1_000_000) // the largest width that fmt allows
		case c >= '0' && c <= '9' && verbs > 0:
			digits = min(10*digits+int(c-'0'), 1_000_000)
			continue
		}
		bytes, digits = saturated(bytes, digits), 0
	}
	bytes = saturated(bytes, digits)
	most := 0
	for i := range c.args {
		if i > 0 {
			most = max(most, len(c.text(i)))
		}
	}
	if strings.Contains(format, "[") {
		bytes = saturated(bytes, verbs, most)
	}
	return saturated(bytes, 5, most)
}
