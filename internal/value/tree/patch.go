package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
)

// Merge returns target with patch merged into it as a JSON merge patch (RFC 7386): maps merge by
// key, a null in the patch removes the key, anything else replaces. The result shares memory with
// both arguments.
func Merge(target, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	t, _ := target.(map[string]any)
	merged := make(map[string]any, len(t)+len(p))
	maps.Copy(merged, t)
	for k, x := range p {
		if x == nil {
			delete(merged, k)
			continue
		}
		merged[k] = Merge(merged[k], x)
	}
	return merged
}

// JSON returns a value as JSON on one line, without escapes for HTML.
func JSON(v any) (string, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// FromJSON decodes one JSON value with the number types of this package: int64 for an integer that
// fits, else float64.
func FromJSON(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, fmt.Errorf("more text after the JSON value, at byte %d", d.InputOffset())
	}
	return Plain(v), nil
}

// Plain returns a value with the number types of this package: it turns json.Number, int, and
// a float64 without a fraction into int64 if they fit, else into float64. The result shares only
// strings with v.
func Plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, x := range v {
			m[k] = Plain(x)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, x := range v {
			l[i] = Plain(x)
		}
		return l
	case json.Number:
		return number(v.String())
	}
	return plainNumber(v)
}

func plainNumber(v any) any {
	switch v := v.(type) {
	case int:
		return int64(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	return v
}

// number reads a JSON number.
func number(s string) any {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	if strings.ContainsAny(s, ".eE") {
		return plainNumber(f)
	}
	return f
}
