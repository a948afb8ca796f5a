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

// hide is what stands in the place of a secret value, of which only the length shows: for a map or list that of its YAML.
func hide(v any) any {
	n := 0
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		n = len(v)
	case map[string]any, []any:
		n = len(tree.YAML(v))
	default:
		n = len(scalar(v))
	}
	return hiddenValue("(hidden, " + plural(n, "byte", "bytes") + ")")
}
