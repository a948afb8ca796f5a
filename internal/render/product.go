package render

import (
	"math"
	"reflect"
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/tree"
)

// product is how many bytes a call makes at most, where that may be far more than what it is given.
func product(name string, args []value, total tree.Size) int {
	given := total.Bytes
	switch name {
	case "repeat":
		return saturated(0, numberAt(args, 0), len(textAt(args, 1)))
	case "indent", "nindent":
		return saturated(given, numberAt(args, 0), total.Lines+1)
	case "wrap":
		return saturated(given, len(textAt(args, 1))/max(numberAt(args, 0), 1)+1)
	case "wrapWith":
		return saturated(given, len(textAt(args, 2))/max(numberAt(args, 0), 1)+1, len(textAt(args, 1)))
	case "until", "untilStep":
		return saturated(0, 24, rounds(name, args))
	case "seq":
		return saturated(0, 64, rounds(name, args))
	case "randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randBytes":
		return saturated(0, 8, numberAt(args, 0))
	case "replace":
		return saturated(given, strings.Count(textAt(args, 2), textAt(args, 0)), len(textAt(args, 1)))
	case "join":
		if len(args) == 2 {
			return saturated(given, elements(args[1].v), len(textAt(args, 0)))
		}
	case "printf":
		return saturated(given, formatted(args))
	case "split", "splitn", "splitList", "regexSplit", "mustRegexSplit", "regexFindAll", "mustRegexFindAll":
		return pieces(name, args)
	case "regexReplaceAll", "mustRegexReplaceAll", "regexReplaceAllLiteral", "mustRegexReplaceAllLiteral":
		return replaced(name, args)
	case "toYaml", "toPrettyJson", "mustToPrettyJson", "toToml":
		return total.Printed()
	}
	return given
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

// numberAt is an argument as the whole number that a Go function gets, or 0.
func numberAt(args []value, i int) int {
	if i >= len(args) || args[i].v == nil {
		return 0
	}
	v, ok := convert(args[i].v, reflect.TypeFor[int]())
	if !ok {
		return 0
	}
	return int(v.Int())
}

// text is an argument that is a string, or "".
func textAt(args []value, i int) string {
	if i >= len(args) {
		return ""
	}
	s, _ := args[i].v.(string)
	return s
}

// elements is the number of elements of a list, or 0.
func elements(v any) int {
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return rv.Len()
	}
	return 0
}

// others counts the elements of a list that are no plain values: these uniq compares one by one.
func others(args []value) int {
	if len(args) == 0 {
		return 0
	}
	rv := reflect.ValueOf(args[0].v)
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

// plain reports whether a value is a scalar that compares fast.
func plain(v any) bool {
	switch v.(type) {
	case string, bool, int, int64, float64:
		return true
	}
	return false
}

// rounds is how many numbers until, untilStep and seq list. Numbers so large that counting would overflow count as endless.
func rounds(name string, args []value) int {
	const far = 1 << 40
	from, to, step := 0, numberAt(args, 0), 1
	switch {
	case name == "untilStep":
		from, to, step = numberAt(args, 0), numberAt(args, 1), numberAt(args, 2)
	case name == "seq" && len(args) == 2:
		from, to = numberAt(args, 0), numberAt(args, 1)
	case name == "seq" && len(args) > 2:
		from, step, to = numberAt(args, 0), numberAt(args, 1), numberAt(args, 2)
	}
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
func formatted(args []value) int {
	format := textAt(args, 0)
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
	for _, a := range args[min(1, len(args)):] {
		if s, ok := a.v.(string); ok {
			most = max(most, len(s))
		}
	}
	if strings.Contains(format, "[") {
		bytes = saturated(bytes, verbs, most)
	}
	return saturated(bytes, 5, most)
}

// pieces is how many bytes the parts of a text take, of which each is kept apart.
func pieces(name string, args []value) int {
	const piece = 64
	separator, whole := textAt(args, 0), textAt(args, 1)
	n := 0
	switch {
	case name == "splitn":
		whole = textAt(args, 2)
		n = min(max(numberAt(args, 1), 0), len(whole)+1)
	case strings.HasPrefix(name, "split"):
		n = strings.Count(whole, separator) + 1
	default:
		n = matches(separator, whole, 0) + 1
	}
	return saturated(len(whole), n, piece)
}

// replaced is how many bytes a replacement by an expression makes.
func replaced(name string, args []value) int {
	expression, whole, replacement := textAt(args, 0), textAt(args, 1), textAt(args, 2)
	n := matches(expression, whole, len(replacement))
	bytes := saturated(len(whole), n, len(replacement))
	if strings.HasSuffix(name, "Literal") {
		return bytes
	}
	return saturated(bytes, strings.Count(replacement, "$"), len(whole)) // all groups of all matches together
}

// matches counts how often an expression matches; there is no need to where each match makes few bytes.
func matches(expression, text string, each int) int {
	const small = 1 << 20
	if most := len(text) + 1; most < small/max(each, 1) {
		return most
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return 0
	}
	n := 0
	for at := 0; at <= len(text); n++ {
		loc := re.FindStringIndex(text[at:])
		if loc == nil {
			break
		}
		at += max(loc[1], loc[0]+1)
	}
	return n
}
