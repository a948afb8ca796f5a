package escape

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// Scalar prints a value other than a map or list on one line of YAML that is safe to print.
func Scalar(v any) string {
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
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return String(text)
		}
		return text
	case string:
		return String(v)
	}
	return String(fmt.Sprint(v))
}

// String prints a string on one line: plain if a YAML 1.1 reader reads it as this string, else in
// double quotes.
func String(s string) string { return stringApart(s, "") }

// stringApart does the same as String, and also escapes the characters of alike.
func stringApart(s, alike string) string {
	if tree.Bare(s) && Apart(s, alike) == s {
		return s
	}
	escaped := strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"`, `\"`)
	return `"` + Apart(escaped, alike) + `"`
}
