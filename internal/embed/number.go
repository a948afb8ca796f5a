package embed

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/manifest"
)

// inexact returns the line of the first number at or below a node that is not read with all its digits, 0 for none. Kubernetes reads numbers
// as integers of 64 bits and floats of 64 bits, and CRs have no others. Whoever reads the document may read more, so that two numbers
// that are read as one are not the same.
func inexact(n *manifest.Node) int {
	for i, v := range n.Values {
		if n.Kind == manifest.Map && !isExact(n.Keys[i], manifest.KeyString(n.Keys[i])) {
			return n.Keys[i].Line
		}
		if line := inexact(v); line > 0 {
			return line
		}
	}
	if n.Kind == manifest.Scalar && !isExact(n, "") {
		return n.Line
	}
	return 0
}

// isExact reports whether a scalar is no number, or one that is read with all its digits: as they stand in read, or as its value has them.
func isExact(n *manifest.Node, read string) bool {
	switch v := n.Value().(type) {
	case float64:
		return significant(n.Text) == significant(cmp.Or(read, strconv.FormatFloat(v, 'e', -1, 64)))
	case int64:
		written := !strings.ContainsAny(n.Text, ".eE") || strings.ContainsAny(n.Text, "xX") // as an integer
		return written || significant(n.Text) == significant(cmp.Or(read, strconv.FormatInt(v, 10)))
	}
	return true
}

// significant are the significant digits of a decimal number.
func significant(number string) string {
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	digits := strings.Map(func(c rune) rune {
		if strings.ContainsRune("+-._", c) {
			return -1
		}
		return c
	}, mantissa)
	return strings.Trim(digits, "0")
}
