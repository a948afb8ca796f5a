package function

import (
	"math"
	"reflect"
	"strings"

	"github.com/validationtool/validationtool/internal/tree"
)

// Nothing can end a call that has begun, so what it may make or search is known before it is made.
// The table says of each function whether it makes more than it is given; here is how much that is.

// Call is a call of a function that is to be made.
type Call struct {
	args []any
	size tree.Size // of all arguments together
}

// Size is what a call makes: bytes at most, and how much a search takes at most, in bytes of text
// times instructions of a regular expression.
type Size struct{ Bytes, Searched int }

// Makes returns what a call with some arguments will make. False where one of them is larger than
// most, with how large that is at least.
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
		s.Searched <= MostSearched { // to find matches of an expression takes as long as the call itself
		s.Bytes = f.makes(c)
	}
	return s, c.size, true
}

// MostSearched is how much one search may take: about a second.
const MostSearched = 1 << 26

// Made returns the size of the result of a call. False where it is larger than most.
func (f *Function) Made(result any, most tree.Size) (tree.Size, bool) {
	return Measure(result, !f.shallow, most)
}

// Measure returns the size of a value: of all of it, or, if not deep, its own length. False where
// it is larger than most.
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

// plain reports whether a value is a scalar that compares fast.
func plain(v any) bool {
	switch v.(type) {
	case string, bool, int, int64, float64:
		return true
	}
	return false
}

// saturated is a plus the product of the factors, or the largest number there is.
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

// number is an argument as the whole number that a Go function gets, or 0.
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

// text is an argument that is a string, or "".
func (c Call) text(i int) string {
	if i >= len(c.args) {
		return ""
	}
	s, _ := c.args[i].(string)
	return s
}

// elements is the number of elements of a list or map, or 0.
func elements(v any) int {
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return rv.Len()
	}
	return 0
}

// printed is the bytes of a value in several lines.
func printed(c Call) int { return c.size.Printed() }

// escaped is the bytes of a text in which about every character is escaped.
func escaped(c Call) int { return saturated(0, 4, c.size.Bytes) }

// drawn is the bytes of random text.
func drawn(c Call) int { return saturated(0, 8, c.number(0)) }

func joined(c Call) int {
	if len(c.args) != 2 {
		return c.size.Bytes
	}
	return saturated(c.size.Bytes, elements(c.args[1]), len(c.text(0)))
}

// pieces is how many bytes the parts of a text take, of which each is kept apart.
func pieces(whole string, n int) int { return saturated(len(whole), n, 64) }

// sequence is how many bytes seq makes: of its one to three numbers the step stands in the middle.
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

// rounds is how many numbers are listed at most. Numbers so large that counting would overflow
// count as endless.
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

// formatted is how many bytes printf makes beyond its arguments: by widths, by arguments that are
// named by their number, and by escapes.
func formatted(c Call) int {
	format := c.text(0)
	verbs, bytes, digits := 0, 0, 0
	for i := range len(format) {
		switch c := format[i]; {
		case c == '%':
			verbs++
		case c == '*':
			bytes = saturated(bytes, 1_000_000) // as much as fmt allows
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
