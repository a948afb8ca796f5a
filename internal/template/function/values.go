package function

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"
)

// Describe names the type of a value in the words of YAML.
func Describe(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case map[string]any:
		return "a map"
	case []any:
		return "a list"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int, int64, float64:
		return "a number"
	}
	return fmt.Sprintf("a %T", v)
}

// Empty reports whether a value is empty, and so false in a condition. text/template and sprig
// agree about this.
func Empty(v any) bool {
	truth, _ := template.IsTrue(v)
	return !truth
}

// Whole returns the value of an integer of any Go type, or of a float64 that is whole.
func Whole(v any) (int, bool) {
	i, ok := Convert(v, reflect.TypeFor[int]())
	if !ok {
		return 0, false
	}
	return int(i.Int()), true
}

// Append appends the text of a value as text/template prints it, except that a whole float64 prints
// like an integer: 1000000, not 1e+06.
func Append(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return append(b, v...)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e21 {
			return strconv.AppendFloat(b, v, 'f', -1, 64)
		}
	}
	return fmt.Append(b, v)
}

// IsMisfit reports whether a value is a text in which fmt marks a verb that does not fit its
// argument.
func IsMisfit(v any) bool {
	text, isText := v.(string)
	return isText && strings.Contains(text, "%!")
}

// printf is fmt.Sprintf with verbs for integers that accept a whole float64, and verbs for floats
// that accept integers, because templates need not know which type a number has. It prints no
// addresses of memory, which differ from run to run.
func printf(format string, args ...any) (string, error) {
	plain := true
	for _, verb := range verbsOf(format) {
		if strings.HasSuffix(verb, "p") {
			return "", errors.New("the verb %p prints an address of memory, which differs from run to run")
		}
		plain = plain && strings.Contains("v s q x X T %", verb)
	}
	if !plain {
		for i := range args {
			args[i] = withoutPointers(args[i])
		}
	}
	text := fmt.Sprintf(format, args...)
	if !IsMisfit(text) {
		return text, nil
	}
	for i, a := range args {
		switch a.(type) {
		case int64, float64:
			args[i] = number{a}
		}
	}
	if fit := fmt.Sprintf(format, args...); !IsMisfit(fit) {
		return fit, nil
	}
	return text, nil
}

// verbsOf returns the verbs of a format, "#v" for one that prints Go syntax.
func verbsOf(format string) (all []string) {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return all
		}
		verb := strings.TrimLeft(rest, "+- 0123456789.*[]#")
		_, size := utf8.DecodeRuneInString(verb)
		sharp := ""
		if strings.Contains(rest[:len(rest)-len(verb)], "#") {
			sharp = "#"
		}
		all, format = append(all, sharp+verb[:size]), verb[size:]
	}
}

// withoutPointers returns a value in which the texts of times and versions replace them, because
// verbs for numbers and Go syntax print the addresses that they contain.
func withoutPointers(v any) any {
	switch x := v.(type) {
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = withoutPointers(x[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k := range x {
			out[k] = withoutPointers(x[k])
		}
		return out
	}
	if k := reflect.ValueOf(v).Kind(); k == reflect.Struct || k == reflect.Pointer {
		return fmt.Sprint(v)
	}
	return v
}

// number is an int64 or float64 that prints with the verbs of both.
type number struct{ v any }

// Format implements fmt.Formatter.
func (n number) Format(s fmt.State, verb rune) {
	v, param := n.v, reflect.TypeFor[float64]()
	if strings.ContainsRune("cdoOqU", verb) {
		param = reflect.TypeFor[int64]()
	}
	if strings.ContainsRune("cdoOqUeEfFgG", verb) {
		if of, ok := Convert(v, param); ok {
			v = of.Interface()
		}
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), v)
}

// Compare evaluates eq, ne, lt, le, gt or ge. Numbers compare by value regardless of their Go type.
// The order of nil and another value is unknown, so the result is nil without an error.
func Compare(name string, a any, others ...any) (any, error) {
	if name == "eq" || name == "ne" {
		for _, b := range others {
			same, err := equalValues(a, b)
			if err != nil {
				return nil, err
			}
			if same { // as in text/template, later arguments are not compared
				return name == "eq", nil
			}
		}
		return name == "ne", nil
	}
	if a == nil || others[0] == nil {
		return nil, nil
	}
	c, err := order(a, others[0])
	if err != nil {
		return nil, err
	}
	return map[string]bool{"lt": c < 0, "le": c <= 0, "gt": c > 0, "ge": c >= 0}[name], nil
}

func equalValues(a, b any) (bool, error) {
	if a == nil || b == nil {
		return a == nil && b == nil, nil
	}
	c, err := order(a, b)
	ra, rb := reflect.ValueOf(a), reflect.ValueOf(b)
	switch {
	case err == nil || family(ra.Kind()) != family(rb.Kind()):
		return err == nil && c == 0, err
	case !ra.Comparable() || !rb.Comparable():
		return false, fmt.Errorf("%w; compare their fields", err)
	}
	return a == b, nil
}

// family groups the kinds that can be compared with each other.
func family(k reflect.Kind) string {
	switch {
	case isWhole(k) || isFloat(k):
		return "number"
	case k == reflect.String || k == reflect.Bool:
		return k.String()
	}
	return ""
}

// order compares two values of the same family.
func order(a, b any) (int, error) {
	ra, rb := reflect.ValueOf(a), reflect.ValueOf(b)
	kind := family(ra.Kind())
	switch {
	case kind != family(rb.Kind()) || kind == "":
		return 0, fmt.Errorf("%s and %s cannot be compared", Describe(a), Describe(b))
	case kind == "string":
		return strings.Compare(ra.String(), rb.String()), nil
	case ra.CanInt() && rb.CanInt():
		return cmp.Compare(ra.Int(), rb.Int()), nil
	case ra.CanUint() && rb.CanUint():
		return cmp.Compare(ra.Uint(), rb.Uint()), nil
	}
	return cmp.Compare(toFloat(ra), toFloat(rb)), nil
}

// toFloat converts a number, or true and false to 1 and 0.
func toFloat(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.CanFloat():
		return v.Float()
	case v.Bool():
		return 1
	}
	return 0
}
