package function

import (
	"math"
	"reflect"
	"strings"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/tree"
)

// What a call costs is known before it is made: how many steps it takes, and how many bytes it makes at most. The table says so of each
// function; here is how that is worked out.

// Units of work: one step is worth about so much.
const (
	bytesPerStep    = 128 // copied, or looked through
	elementsPerStep = 8   // copied
	charsPerStep    = 4   // looked at one by one
	trimmedPerStep  = 64  // compared with a character
	equalsPerStep   = 16  // compared, where one side is a plain value
)

// Call is a call of a function that is to be made.
type Call struct {
	args []any
	size tree.Size // of all arguments together
	left int       // how many steps may be taken; what takes more need not be told exactly
}

// Cost is what a call takes: steps, and bytes that it makes at most.
type Cost struct{ Steps, Bytes int }

// Cost returns what a call with some arguments will take. False where one of them is larger than most, with how large that is at least.
func (f *Function) Cost(args []any, most tree.Size) (Cost, tree.Size, bool) {
	c := Call{args: args, left: most.Nodes}
	for _, a := range args {
		size, ok := Measure(a, !f.shallow, most)
		if !ok {
			return Cost{}, size, false
		}
		c.size.Nodes += size.Nodes
		c.size.Bytes += size.Bytes
		c.size.Lines += size.Lines
		c.size.Height = max(c.size.Height, size.Height)
	}
	cost := Cost{Steps: c.size.Bytes / bytesPerStep, Bytes: c.size.Bytes}
	if f.shallow {
		cost.Steps += c.size.Nodes / elementsPerStep
	} else {
		cost.Steps += c.size.Nodes - len(args)
	}
	if f.steps != nil {
		cost.Steps = saturated(cost.Steps, f.steps(c))
	}
	if f.makes != nil && cost.Steps <= c.left { // to find matches of an expression takes as long as the call itself
		cost.Bytes = f.makes(c)
	}
	return cost, c.size, true
}

// Made returns how many bytes the result of a call counts as. False where it is larger than most.
func (f *Function) Made(result any, most tree.Size) (int, tree.Size, bool) {
	const node = 16
	if text, ok := result.(string); ok || result == nil || plain(result) {
		return len(text), tree.Size{}, true
	}
	size, ok := Measure(result, !f.shallow, most)
	return saturated(size.Bytes, size.Nodes, node), size, ok
}

// Measure returns the size of a value: of all of it, or, if not deep, its own length. False where it is larger than most.
func Measure(v any, deep bool, most tree.Size) (tree.Size, bool) {
	if text, ok := v.(string); ok {
		return tree.Size{Nodes: 1, Bytes: len(text), Lines: strings.Count(text, "\n")}, true
	}
	switch {
	case v == nil || plain(v):
		return tree.Size{Nodes: 1}, true
	case deep:
		return tree.Measure(v, most)
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.String:
		return tree.Size{Nodes: rv.Len()}, true
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

// others counts the elements of a list that are no plain values: these uniq compares one by one.
func others(c Call) int {
	if len(c.args) == 0 {
		return 0
	}
	rv := reflect.ValueOf(c.args[0])
	if rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		return 0
	}
	n := 0
	for i := range rv.Len() {
		if !plain(rv.Index(i).Interface()) {
			n++
		}
	}
	return n
}

// comparisons is the steps of comparing all elements of a list with the other arguments.
func comparisons(c Call) int {
	steps := 0
	for _, list := range c.args {
		n := elements(list)
		for _, a := range c.args {
			if plain(a) {
				steps += n / equalsPerStep
			} else {
				steps += n
			}
		}
	}
	return steps
}

// byCharacter is the steps of what looks at one character after the other.
func byCharacter(c Call) int { return c.size.Bytes / charsPerStep }

// quoted is the steps of printf, which looks at each verb, and at each character where it puts a text into quotes.
func quoted(c Call) int {
	const perVerb = 16
	steps := saturated(printedOut(c), perVerb, strings.Count(c.text(0), "%"))
	if strings.Contains(c.text(0), "q") {
		steps = saturated(steps, 1, byCharacter(c))
	}
	return steps
}

// escaped is the steps of printing with escapes.
func escaped(c Call) int { return saturated(printedOut(c), 1, byCharacter(c)) }

// read is the steps of reading a number; what is none is printed with its Go types, for an error that nobody reads.
func read(c Call) int { return saturated(byCharacter(c), 4, printedOut(c)) }

// dated is the steps of reading or writing a date by a layout, whose zone may be looked up.
func dated(c Call) int { return saturated(200, 2, c.size.Bytes) }

// ofElements is the steps of putting the elements of maps into order, or into another map.
func ofElements(c Call) int { return saturated(0, 12, c.size.Nodes) }

// printedOut is the further steps of printing: of maps and lists it goes through the values by reflection.
func printedOut(c Call) int {
	if c.size.Nodes == len(c.args) {
		return 0
	}
	return byReflection(c)
}

// byReflection is the further steps of what goes through values by reflection.
func byReflection(c Call) int { return saturated(0, 8, c.size.Nodes) }

// sorted is the further steps of sorting what is printed first.
func sorted(c Call) int { return saturated(0, 2, c.size.Nodes) }

// trimmed is the steps of looking for each character of a text in a set.
func trimmed(c Call) int { return saturated(0, len(c.text(0)), len(c.text(1))) / trimmedPerStep }

// slow is the steps of what takes long by design, or makes keys: about 50 ms.
const slow = 250_000

func slowly(Call) int { return slow }

// keyed is the steps of making a key: seconds, for those that are made of primes of 2048 bits.
func keyed(c Call) int {
	if kind := c.text(0); kind == "" || kind == "rsa" || kind == "dsa" {
		return 40 * slow
	}
	return 2 * slow
}

// printed is the bytes of a value in several lines.
func printed(c Call) int { return c.size.Printed() }

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

// rounds is how many numbers are listed at most. Numbers so large that counting would overflow count as endless.
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

// formatted is how many bytes printf makes beyond its arguments: by widths, by arguments that are named by their number, and by
// escapes.
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

// readYAML is the steps of reading a text as YAML.
func readYAML(c Call) int { return 100 + int(budget.Steps([]byte(c.text(0)))) }
