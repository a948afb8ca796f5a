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

	"github.com/validationtool/validationtool/internal/tree"
)

// toYaml prints a value with the text that Kubernetes' tools give it, since templates use the text:
// by way of JSON, and by go-yaml v2, as sigs.k8s.io/yaml does, without the last line feed. It
// differs from that where that loses something (a control character, a key of more than 1024
// bytes), and where that has a new answer on every call: for keys that the order of go-yaml has in
// a circle. What JSON cannot hold prints as nothing.
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

// forYAML makes of what was decoded from JSON what go-yaml prints: maps in order, and numbers.
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

// yamlNumber is what YAML makes of a number of JSON.
func yamlNumber(text string) any {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return u
	}
	f, _ := strconv.ParseFloat(text, 64) // of JSON's own, which has no others
	return f
}

// naturalOrder is go-yaml's order of keys, in which node9 comes before node10. What decides is the
// first character in which two keys differ: letters come last, digits count as the whole number
// that they are part of.
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
		first = 1 // in the middle of a number a zero is no leading one
	}
	xNumber, xDigits := leadingNumber(first, a[i:])
	yNumber, yDigits := leadingNumber(first, b[i:])
	return cmp.Or(cmp.Compare(xNumber, yNumber), cmp.Compare(xDigits, yDigits), cmp.Compare(x, y))
}

// endsInNumber reports whether a text ends in a number that is not zero.
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

// leadingNumber goes on with a number by the digits that a text begins with, and counts them.
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
