package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

// Merge returns target with patch merged into it as a JSON merge patch (RFC 7386): maps merge by key, a null in the
// patch removes the key, anything else replaces. The result shares memory with both arguments.
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

// Patch returns v with a JSON patch (RFC 6902) applied to it. The patch is JSON text, an array of operations. What it copies may be as large
// as the value and the patch together.
func Patch(v any, patch []byte) (patched any, err error) {
	ops, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, fmt.Errorf("not a JSON patch: %w", err)
	}
	for i, op := range ops {
		switch kind := op.Kind(); kind {
		case "add", "replace", "test":
			if _, ok := op["value"]; !ok {
				return nil, fmt.Errorf("operation %d (%s) of the JSON patch has no value; give it one, which may be null", i+1, kind)
			}
		}
	}
	defer func() {
		if recover() != nil {
			patched, err = nil, errors.New("the JSON patch cannot be applied; simplify its operations")
		}
	}()
	doc, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	options := jsonpatch.NewApplyOptions()
	options.AccumulatedCopySizeLimit = int64(len(doc) + len(patch))
	doc, err = ops.ApplyWithOptions(doc, options)
	if err != nil {
		return nil, err
	}
	return FromJSON(doc)
}

// JSON is a value as JSON on one line, in which characters that mean something in HTML stand as they are.
func JSON(v any) (string, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// FromJSON decodes one JSON value with the number types of this package: an int64 where the number is an integer that
// fits, else a float64.
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

// Plain turns numbers into those of this package: json.Number, int, and a float64 that is a whole number into int64, as far as they fit, or
// float64. What else may be in a value is of its types already. It shares strings only.
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
