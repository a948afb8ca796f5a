package function

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v2"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// toYaml prints a value exactly as the Kubernetes tools do, because templates use the text: through
// JSON and go-yaml v2, as sigs.k8s.io/yaml does, without the last line feed. It deviates where that
// library loses data (a control character, a key of more than 1024 bytes) and where its result is
// random, because its comparison of keys is not transitive. A value that JSON cannot represent
// prints as "".
func toYaml(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var decoded any
	if err := d.Decode(&decoded); err != nil {
		return ""
	}
	out, err := yaml.Marshal(forYAML(decoded))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(out), "\n")
}

// forYAML converts decoded JSON for go-yaml: ordered maps, and numbers with their type.
func forYAML(v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := tree.Keys(v)
		slices.SortFunc(keys, naturalOrder)
		m := make(yaml.MapSlice, len(keys))
		for i, k := range keys {
			m[i] = yaml.MapItem{Key: k, Value: forYAML(v[k])}
		}
		return m
	case []any:
		for i := range v {
			v[i] = forYAML(v[i])
		}
	case json.Number:
		return yamlNumber(v.String())
	}
	return v
}

// yamlNumber returns a JSON number with the Go type that YAML gives it.
func yamlNumber(text string) any {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return u
	}
	f, _ := strconv.ParseFloat(text, 64) // cannot fail for a valid JSON number
	return f
}

// naturalOrder compares keys like go-yaml, with node9 before node10. The first character that
// differs decides: letters come last, and digits count as the whole number that they belong to.
func naturalOrder(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	for i > 0 && i < len(a) && i < len(b) && !(utf8.RuneStart(a[i]) && utf8.RuneStart(b[i])) {
		i--
	}
	if i == len(a) || i == len(b) {
		return len(a) - len(b)
	}
	x, _ := utf8.DecodeRuneInString(a[i:])
	y, _ := utf8.DecodeRuneInString(b[i:])
	switch xLetter, yLetter := unicode.IsLetter(x), unicode.IsLetter(y); {
	case xLetter && yLetter:
		return cmp.Compare(x, y)
	case xLetter:
		return 1
	case yLetter:
		return -1
	}
	first := int64(0)
	if (x == '0' || y == '0') && endsInNumber(a[:i]) {
		first = 1 // a zero inside a number is not a leading zero
	}
	xNumber, xDigits := leadingNumber(first, a[i:])
	yNumber, yDigits := leadingNumber(first, b[i:])
	return cmp.Or(cmp.Compare(xNumber, yNumber), cmp.Compare(xDigits, yDigits), cmp.Compare(x, y))
}

// endsInNumber reports whether a text ends in a number other than zero.
func endsInNumber(text string) bool {
	for text != "" {
		r, size := utf8.DecodeLastRuneInString(text)
		if !unicode.IsDigit(r) || r != '0' {
			return unicode.IsDigit(r)
		}
		text = text[:len(text)-size]
	}
	return false
}

// leadingNumber appends the leading digits of a text to a number and counts them.
func leadingNumber(n int64, text string) (int64, int) {
	digits := 0
	for _, r := range text {
		if !unicode.IsDigit(r) {
			break
		}
		n = 10*n + int64(r-'0')
		digits++
	}
	return n, digits
}
