package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/refconfig"
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

// Patch returns v with a JSON patch (RFC 6902) applied to it. The patch is JSON text, an array of
// operations. What it copies may be as large as the value and the patch together. A test for null
// holds where a map has no such key, and a negative index counts from the end of a list. What
// waived says yes to, which may be nil, is a test that need not hold.
func Patch(v any, patch []byte, waived func(*PatchError) bool) (patched any, err error) {
	var operations []map[string]json.RawMessage
	if err := json.Unmarshal(patch, &operations); err != nil {
		return nil, fmt.Errorf("not a JSON patch: %w", err)
	}
	p := patcher{root: Copy(v), room: SizeOf(v).Printed() + len(patch)}
	for i, fields := range operations {
		o, err := readOperation(fields)
		if err != nil {
			return nil, fmt.Errorf("operation %d of the JSON patch %w", i+1, err)
		}
		if err = p.apply(o); err == nil {
			continue
		}
		failed := &PatchError{Op: o.kind, Path: Pointed(o.path), Value: o.value, Before: p.root, err: err}
		if o.kind != "test" || waived == nil || !waived(failed) {
			return nil, failed
		}
	}
	return p.root, nil
}

// PatchError is the error of an operation of a JSON patch that cannot be applied.
type PatchError struct {
	Op     string
	Path   refconfig.FieldPath // see Pointed
	Value  any                 // of the operation
	Before any                 // what the operations before it made of the value
	err    error
}

// Error says what is wrong.
func (e *PatchError) Error() string { return e.err.Error() }

// operation is one of a JSON patch.
type operation struct {
	kind, path, from string
	value            any
}

// readOperation reads an operation. What its kind does not know is passed over.
func readOperation(fields map[string]json.RawMessage) (o operation, err error) {
	for _, f := range []struct {
		key  string
		into *string
	}{{"op", &o.kind}, {"path", &o.path}, {"from", &o.from}} {
		text, given := fields[f.key]
		if f.key == "from" && o.kind != "move" && o.kind != "copy" {
			break
		}
		if !given || string(text) == "null" || json.Unmarshal(text, f.into) != nil {
			return o, fmt.Errorf("has no %s, or one that is no text", f.key)
		}
		if f.key != "op" && *f.into != "" && (*f.into)[0] != '/' {
			return o, fmt.Errorf("has the %s %q; it must begin with a slash, like /spec/replicas", f.key, *f.into)
		}
	}
	value, given := fields["value"]
	switch o.kind {
	case "add", "replace", "test":
		if !given {
			return o, fmt.Errorf("(%s) has no value; give it one, which may be null", o.kind)
		}
		o.value, err = FromJSON(value)
	case "remove", "move", "copy":
	default:
		err = fmt.Errorf("has the op %q, which there is not", o.kind)
	}
	return o, err
}

// patcher is a value that operations change, of which nobody else has a part.
type patcher struct {
	root any
	room int // how many bytes may still be copied
}

func (p *patcher) apply(o operation) error {
	nothing := func(pointer string) error {
		return fmt.Errorf("%s operation does not apply: doc is missing key: %s: missing value", o.kind, pointer)
	}
	v, path := o.value, words(o.path)
	switch o.kind {
	case "test":
		found, there := valueOf(p.root, path)
		if !there && len(path) > 0 {
			above, _ := valueOf(p.root, path[:len(path)-1])
			_, there = above.(map[string]any)
		}
		if !there || !Equal(found, v) {
			return fmt.Errorf("testing value %s failed", o.path)
		}
		return nil
	case "move", "copy":
		from, there := words(o.from), false
		if v, there = valueOf(p.root, from); !there {
			return nothing(o.from)
		}
		if o.kind == "copy" {
			if p.room -= SizeOf(v).Printed(); p.room < 0 {
				return errors.New("the JSON patch copies more than it and the value hold together")
			}
			v = Copy(v)
		} else if root, ok := edit(p.root, from, "remove", nil); ok {
			p.root = root
		} else {
			return nothing(o.from)
		}
	}
	root, ok := edit(p.root, path, o.kind, v)
	if !ok {
		return nothing(o.path)
	}
	p.root = root
	return nil
}

// words are the keys and indexes of a JSON pointer.
func words(pointer string) []string {
	if pointer == "" {
		return nil
	}
	all := strings.Split(pointer[1:], "/")
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i, word := range all {
		all[i] = unescape.Replace(word)
	}
	return all
}

// index is the place in a list of some length that a word means.
func index(word string, length int) (int, bool) {
	i, err := strconv.Atoi(word)
	if i < 0 {
		i += length
	}
	return i, err == nil && i >= 0 && i < length
}

// valueOf returns the value at a path.
func valueOf(v any, path []string) (any, bool) {
	for _, word := range path {
		there := false
		switch c := v.(type) {
		case map[string]any:
			v, there = c[word]
		case []any:
			var i int
			if i, there = index(word, len(c)); there {
				v = c[i]
			}
		}
		if !there {
			return nil, false
		}
	}
	return v, true
}

// edit does what an operation does at a path of a value, and returns the value, which it changes.
// It is false where there is no such place.
func edit(v any, path []string, kind string, x any) (any, bool) {
	if len(path) == 0 {
		return x, kind != "remove"
	}
	word, last, ok := path[0], len(path) == 1, false
	switch c := v.(type) {
	case map[string]any:
		below, there := c[word]
		switch {
		case last && kind == "remove":
			delete(c, word)
			return c, there
		case last && kind != "replace":
			c[word] = x
			return c, true
		case !there:
			return v, false
		}
		c[word], ok = edit(below, path[1:], kind, x)
		return c, ok
	case []any:
		adds := last && kind != "replace" && kind != "remove"
		if adds && word == "-" {
			return append(c, x), true
		}
		length := len(c)
		if adds {
			length++
		}
		i, there := index(word, length)
		switch {
		case !there:
			return v, false
		case adds:
			return slices.Insert(c, i, x), true
		case last && kind == "remove":
			return slices.Delete(c, i, i+1), true
		}
		c[i], ok = edit(c[i], path[1:], kind, x)
		return c, ok
	}
	return v, false
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

// JSON is a value as JSON on one line, in which characters that mean something in HTML stand as
// they are.
func JSON(v any) (string, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// FromJSON decodes one JSON value with the number types of this package: an int64 where the number
// is an integer that fits, else a float64.
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

// Plain turns numbers into those of this package: json.Number, int, and a float64 that is a whole
// number into int64, as far as they fit, or float64. What else may be in a value is of its types
// already. It shares strings only.
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
