package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/tree"
)

// scalar prints a value that is no map and no list on one line, as YAML. It is safe to print.
func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case int:
		return strconv.Itoa(v)
	case float64:
		return number(v)
	case string:
		return text(v)
	case hiddenValue:
		return string(v)
	}
	return text(fmt.Sprint(v))
}

func number(f float64) string {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return text(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// text prints a string on one line: plain where a YAML 1.1 reader takes it for this string, else in double quotes.
func text(s string) string {
	if tree.Bare(s) && visible(s) == s {
		return s
	}
	return quoted(s)
}

// quoted prints a string in double quotes, with escapes for what cannot be seen.
func quoted(s string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
	return `"` + visible(escaped) + `"`
}

// hiddenValue stands in for a secret value. It is shown as it is, never quoted.
type hiddenValue string

// hide replaces every value in v that is no map and no list. Keys stay.
func hide(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = hide(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = hide(x)
		}
		return out
	case nil:
		return nil
	case string:
		return hiddenValue("(hidden, " + plural(len(v), "byte", "bytes") + ")")
	}
	return hiddenValue("(hidden, " + plural(len(scalar(v)), "byte", "bytes") + ")")
}
