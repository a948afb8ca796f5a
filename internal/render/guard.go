package render

import (
	"math"
	"reflect"
	"regexp"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
)

// The functions of templates come from libraries that trust their callers: they make a list of as many numbers, or a
// string of as many copies, as they are asked for, and walk a map that holds itself until the stack is full. Go cannot
// recover from either. So what a call costs is reckoned before the call, and one that costs too much is an error of the
// template on this object. Like steps, costs are counted in bytes, never timed.
const (
	maxValue = maxOutput // bytes that one call may be handed, and may make
	maxWork  = 1 << 30   // bytes that all calls of an execution may read and make
	maxNest  = 1000      // levels of a value
	slot     = 16        // bytes that an element takes, roughly
)

// guard reckons what a call reads and makes, and refuses it where that is too much.
func (x *exec) guard(f function, in []reflect.Value, n parse.Node) error {
	w := walk{budget: maxValue}
	elements, ok := 0, true
	for _, v := range in {
		if isShallow(f.name) {
			elements += lengthOf(v)
			continue
		}
		ok = ok && w.value(v, 0)
	}
	read := float64(maxValue - w.budget)
	made := read + makes(f.name, in) + float64(slot*elements)
	if !ok || made > maxValue {
		return x.errorf(n, code.LimitOutput, "%s may make no more than %d bytes, and of no value that holds itself", f.name, maxValue)
	}
	return x.charge(read+made, n)
}

// guardPrint reckons what printing a value makes.
func (x *exec) guardPrint(v any, n parse.Node) error {
	switch v.(type) {
	case map[string]any, []any:
	default:
		return nil
	}
	w := walk{budget: maxValue}
	if !w.value(reflect.ValueOf(v), 0) {
		return x.errorf(n, code.LimitOutput, "%s is more than %d bytes, or a value that holds itself", n, maxValue)
	}
	return x.charge(float64(maxValue-w.budget), n)
}

// charge adds to the work that was done, and ends the execution where it is too much.
func (x *exec) charge(bytes float64, n parse.Node) error {
	if x.work += bytes; x.work > maxWork {
		x.tolerant = false
		return x.errorf(n, code.LimitSteps, "the functions that the template calls read and make more than %d bytes on this object", maxWork)
	}
	return nil
}

// isShallow reports whether a function looks no deeper than at the elements of its arguments.
func isShallow(name string) bool {
	switch name {
	case "hasKey", "set", "unset", "keys", "values", "pluck", "pick", "omit", "dig", "empty", "all", "any", "not",
		"kindIs", "kindOf", "typeIs", "typeOf", "typeIsLike", "append", "mustAppend", "push", "mustPush", "prepend", "mustPrepend",
		"concat", "slice", "mustSlice", "rest", "mustRest", "initial", "mustInitial", "reverse", "mustReverse", "mustFirst", "mustLast",
		"chunk", "mustChunk", "compact", "mustCompact":
		return true
	}
	return false
}

// lengthOf returns the length of a string, list or map, at least 1.
func lengthOf(v reflect.Value) int {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String, reflect.Slice, reflect.Map, reflect.Array:
		return max(1, v.Len())
	}
	return 1
}

// walk counts the bytes of a value as it would be written out: what stands in it twice counts twice.
type walk struct{ budget int }

// value reports false where the budget is used up or the value is nested too deep, as one that holds itself is.
func (w *walk) value(v reflect.Value, depth int) bool {
	w.budget -= slot
	if w.budget < 0 || depth > maxNest {
		return false
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return v.IsNil() || w.value(v.Elem(), depth+1)
	case reflect.String:
		w.budget -= v.Len()
		return w.budget >= 0
	case reflect.Slice, reflect.Array:
		return w.list(v, depth)
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !w.value(it.Key(), depth+1) || !w.value(it.Value(), depth+1) {
				return false
			}
		}
	}
	return true
}

func (w *walk) list(v reflect.Value, depth int) bool {
	switch v.Type().Elem().Kind() {
	case reflect.Interface, reflect.Pointer, reflect.String, reflect.Slice, reflect.Array, reflect.Map:
	default: // numbers
		w.budget -= slot * v.Len()
		return w.budget >= 0
	}
	for i := range v.Len() {
		if !w.value(v.Index(i), depth+1) {
			return false
		}
	}
	return true
}

// makes returns how many bytes a call makes beyond a multiple of those it is handed. Arguments have the parameters' types.
func makes(name string, in []reflect.Value) float64 {
	switch name {
	case "until":
		return rounds(0, integer(in, 0), 1)
	case "untilStep":
		return rounds(integer(in, 0), integer(in, 1), integer(in, 2))
	case "seq":
		return sequence(in)
	case "repeat":
		return integer(in, 0) * textLength(in, 1)
	case "indent", "nindent":
		return integer(in, 0) * float64(1+strings.Count(textAt(in, 1), "\n"))
	case "randAlpha", "randAlphaNum", "randAscii", "randNumeric", "randBytes":
		return slot * integer(in, 0)
	case "wrapWith":
		return (1 + textLength(in, 2)) * textLength(in, 1)
	case "join":
		return textLength(in, 0) * float64(lengthOf(in[1]))
	case "replace":
		return float64(strings.Count(textAt(in, 2), textAt(in, 0))) * textLength(in, 1)
	case "printf":
		return formatted(in)
	case "split", "splitn", "splitList":
		return 6 * slot * float64(strings.Count(textAt(in, len(in)-1), textAt(in, 0)))
	case "uniq", "mustUniq", "without", "mustWithout":
		return float64(lengthOf(in[0])) * float64(max(lengthOf(in[0]), len(in))) / slot
	case "bcrypt", "htpasswd", "derivePassword", "genPrivateKey", "genCA", "genSelfSignedCert", "genSignedCert":
		return maxValue / 4 // slow by design
	}
	if strings.Contains(strings.ToLower(name), "regex") {
		return expression(name, in)
	}
	return 0
}

// rounds returns the bytes of a list of the numbers from start to stop. A step that leads beyond the last integer never
// ends.
func rounds(start, stop, step float64) float64 {
	switch {
	case step == 0:
		return 0
	case math.Abs(stop)+math.Abs(step) >= math.MaxInt64:
		return math.Inf(1)
	}
	return slot * math.Abs((stop-start)/step)
}

// sequence returns the bytes of sprig's seq: its last argument is where it ends, the middle one of three the step.
func sequence(in []reflect.Value) float64 {
	switch len(in) {
	case 1:
		return 2 * rounds(1, integer(in, 0), 1)
	case 2:
		return 2 * rounds(integer(in, 0), integer(in, 1), 1)
	case 3:
		return 2 * rounds(integer(in, 0), integer(in, 2), integer(in, 1))
	}
	return 0
}

// expression returns the cost of a function whose first argument is a regular expression: finding, which takes time by
// the length of both texts, and what is put in the place of matches.
func expression(name string, in []reflect.Value) float64 {
	if len(in) < 2 {
		return 0
	}
	subject := textLength(in, 1)
	cost := textLength(in, 0) * subject / slot
	switch {
	case strings.Contains(strings.ToLower(name), "replaceall"):
		re, err := regexp.Compile(textAt(in, 0))
		if err != nil {
			return 0
		}
		matches := float64(len(re.FindAllStringIndex(textAt(in, 1), -1)))
		return cost + matches*textLength(in, 2) + float64(strings.Count(textAt(in, 2), "$"))*subject
	case len(in) > 2: // all matches, or the texts between them
		return cost + slot*subject
	}
	return cost
}

// formatted returns the bytes that a format can make of its arguments beyond once each: widths, and verbs that use an
// argument again.
func formatted(in []reflect.Value) float64 {
	format, total, number := textAt(in, 0), 0.0, 0.0
	for i := range len(format) {
		if c := format[i]; c >= '0' && c <= '9' {
			number = min(number*10+float64(c-'0'), 1e6) // which fmt allows at most
			continue
		}
		total, number = total+number, 0
	}
	w := walk{budget: maxValue}
	for _, v := range in[1:] {
		w.value(v, 0)
	}
	if strings.Contains(format, "[") {
		total += float64(strings.Count(format, "%")) * float64(maxValue-w.budget)
	}
	if strings.Contains(format, "*") {
		total += 1e6 * float64(strings.Count(format, "*"))
	}
	return total
}

// textAt returns a string argument; "" for one of another type.
func textAt(in []reflect.Value, i int) string {
	if i < 0 || i >= len(in) {
		return ""
	}
	v := in[i]
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() == reflect.String {
		return v.String()
	}
	return ""
}

func textLength(in []reflect.Value, i int) float64 { return float64(len(textAt(in, i))) }

// integer returns an integer argument; 0 for one of another type.
func integer(in []reflect.Value, i int) float64 {
	if i < len(in) && in[i].CanInt() {
		return float64(in[i].Int())
	}
	return 0
}
