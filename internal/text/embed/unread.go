package embed

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// inexact returns what in a node or below it cannot be read exactly, and the line; "" and 0 if all
// of it can. Kubernetes reads numbers as 64-bit integers and floats, and supports only the tags of
// YAML itself. The program that uses the document may read more digits or tags, so two values that
// look equal here could differ for it.
func inexact(n *kubeyaml.Node) (what string, line int) {
	if hasOwnTag(n) {
		return "a tag of its own", n.Line
	}
	const digits = "a number with more digits than can be compared"
	for i, v := range n.Values {
		if n.Kind == kubeyaml.Map && hasOwnTag(n.Keys[i]) {
			return "a tag of its own", n.Keys[i].Line
		}
		if n.Kind == kubeyaml.Map && !isExact(n.Keys[i], kubeyaml.KeyString(n.Keys[i])) {
			return digits, n.Keys[i].Line
		}
		if what, line = inexact(v); line > 0 {
			return what, line
		}
	}
	if n.Kind == kubeyaml.Scalar && !isExact(n, "") {
		return digits, n.Line
	}
	return "", 0
}

// hasOwnTag reports whether a node has a tag that YAML does not define.
func hasOwnTag(n *kubeyaml.Node) bool { return !strings.HasPrefix(cmp.Or(n.Tag(), "!!"), "!!") }

// isExact reports whether a scalar keeps all its digits if it is a number. read is the number as it
// was read; "" for the value of the node.
func isExact(n *kubeyaml.Node, read string) bool {
	switch v := n.Value().(type) {
	case float64:
		return significantDigits(n.Text) == significantDigits(cmp.Or(read, strconv.FormatFloat(v, 'e', -1, 64)))
	case int64:
		written := !strings.ContainsAny(n.Text, ".eE") || strings.ContainsAny(n.Text, "xX") // as an integer
		return written || significantDigits(n.Text) == significantDigits(cmp.Or(read, strconv.FormatInt(v, 10)))
	}
	return true
}

// significantDigits returns the significant digits of a decimal number.
func significantDigits(number string) string {
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	digits := strings.Map(func(c rune) rune {
		if strings.ContainsRune("+-._", c) {
			return -1
		}
		return c
	}, mantissa)
	return strings.Trim(digits, "0")
}
