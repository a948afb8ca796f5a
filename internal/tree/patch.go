package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/validationtool/validationtool/refconfig"
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
// as the value and the patch together. What waived says yes to, which may be nil, is a test that need not hold.
func Patch(v any, patch []byte, waived func(*PatchError) bool) (patched any, err error) {
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
	doc, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	p := patcher{doc: doc, options: jsonpatch.NewApplyOptions()}
	p.options.AccumulatedCopySizeLimit = int64(len(doc) + len(patch))
	for {
		done, err := p.apply(ops)
		if err == nil {
			return FromJSON(done)
		}
		failed := p.failed(ops, err)
		if failed == nil {
			return nil, err
		}
		if !failed.holds() && (failed.Op != "test" || waived == nil || !waived(failed)) {
			return nil, failed
		}
		ops = slices.Delete(slices.Clone(ops), failed.at, failed.at+1)
	}
}

// PatchError is the error of an operation of a JSON patch that cannot be applied.
type PatchError struct {
	Op     string
	Path   refconfig.FieldPath // see Pointed
	Value  any                 // of the operation
	Before any                 // what the operations before it made of the value
	at     int                 // which it is
	err    error
}

// Error says what is wrong.
func (e *PatchError) Error() string { return e.err.Error() }

// patcher applies operations to a document.
type patcher struct {
	doc     []byte
	options *jsonpatch.ApplyOptions
}

func (p patcher) apply(ops jsonpatch.Patch) (done []byte, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the JSON patch cannot be applied; simplify its operations")
		}
	}()
	return ops.ApplyWithOptions(p.doc, p.options)
}

// failed finds the first operation that cannot be applied; nil where that is unclear.
func (p patcher) failed(ops jsonpatch.Patch, err error) *PatchError {
	first := sort.Search(len(ops), func(i int) bool {
		_, err := p.apply(ops[:i+1])
		return err != nil
	})
	if first == len(ops) {
		return nil
	}
	before, none := p.apply(ops[:first])
	if none != nil {
		return nil
	}
	value, none := FromJSON(before)
	if none != nil {
		return nil
	}
	e := &PatchError{Op: ops[first].Kind(), Before: value, at: first, err: err}
	pointer, none := ops[first].Path()
	if none != nil {
		return nil
	}
	e.Path = Pointed(pointer)
	if text := ops[first]["value"]; text != nil {
		e.Value, _ = FromJSON(*text)
	}
	return e
}

// holds reports whether the operation is a test that holds after all: the library compares numbers as texts, and no lists with a null in them.
func (e *PatchError) holds() bool {
	found, there := At(e.Before, e.Path)
	return e.Op == "test" && there && Equal(found, e.Value)
}

// Pointed turns a JSON pointer into a path. The place behind the end of a list stands for the list.
func Pointed(pointer string) refconfig.FieldPath {
	if pointer == "" {
		return nil
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	var path refconfig.FieldPath
	for _, word := range strings.Split(pointer[1:], "/") {
		if word == "-" {
			break
		}
		step := refconfig.Key(unescape.Replace(word))
		if parsed, err := refconfig.ParseFieldPath(word); err == nil && len(parsed) == 1 {
			step.Index = parsed[0].Index
		}
		path = append(path, step)
	}
	return path
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
