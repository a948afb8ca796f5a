package compare

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// change is a copy of an object with one change.
type change struct {
	kind  string
	at    spot // the field that is another one now
	value map[string]any
	list  listChange
}

// listChange is the expected difference of a list whose elements were only added, removed or moved.
type listChange struct {
	at    spot             // the list; nil for another change
	told  finding.Category // Extra or Missing for one element; Drift for any
	value any              // the element
}

// replaced returns a copy of v with x at a spot, or without a value there. It copies only the
// containers on the path.
func replaced(v any, at spot, x any, there bool) any {
	if len(at) == 0 {
		return x
	}
	switch c := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(c)+1)
		for k, y := range c {
			m[k] = y
		}
		k := at[0].(string)
		if len(at) == 1 && !there {
			delete(m, k)
			return m
		}
		m[k] = replaced(c[k], at[1:], x, there)
		return m
	case []any:
		l := slices.Clone(c)
		l[at[0].(int)] = replaced(l[at[0].(int)], at[1:], x, there)
		return l
	}
	return v
}

// variant is another value for a scalar.
type variant struct {
	kind  string
	value any
}

// variants returns other values for a scalar, each unlike it.
func variants(v any) []variant {
	out := []variant{
		{"another string", "audited"},
		{"a map", map[string]any{"audited": true}},
		{"a list", []any{v}},
		{"null", nil},
	}
	switch v := v.(type) {
	case string:
		out = append(out, variant{"a blank more", v + " "}, variant{"a blank in front", " " + v}, variant{"a line break more", v + "\n"},
			variant{"emptied", ""}, variant{"the other case", swapCase(v)}, variant{"a letter less", v[:max(0, len(v)-1)]}, variant{"another type", retyped(v)})
	case int64:
		out = append(out, variant{"one more", v + 1}, variant{"one less", v - 1}, variant{"another type", strconv.FormatInt(v, 10)},
			variant{"a bit more", float64(v) + 0.5}, variant{"emptied", ""})
	case float64:
		out = append(out, variant{"one more", v + 1}, variant{"another type", tree.ScalarOf(v)})
	case bool:
		out = append(out, variant{"the other bool", !v}, variant{"another type", strconv.FormatBool(v)}, variant{"emptied", ""})
	}
	return slices.DeleteFunc(out, func(x variant) bool {
		s, ok := x.value.(string)
		return alike(v, x.value) || ok && !utf8.ValidString(s)
	})
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// retyped returns the number or bool that a string looks like, or the string.
func retyped(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(n, 10) == s {
		return n
	}
	if b, err := strconv.ParseBool(s); err == nil && strconv.FormatBool(b) == s {
		return b
	}
	return s
}

// changer makes the changes of one object.
type changer struct {
	object map[string]any
	f      func(change)
}

func (c changer) make(kind string, at spot, x any, there bool) {
	c.f(change{kind: kind, at: at, value: replaced(c.object, at, x, there).(map[string]any)})
}

// all makes every change at and below a spot.
func (c changer) all(v any, at spot) {
	_, element := last(at).(int)
	if len(at) > 0 && !element {
		c.make("removed", at, nil, false)
	}
	switch v := v.(type) {
	case map[string]any:
		c.inMap(v, at)
	case []any:
		c.inList(v, at)
	default:
		for _, x := range variants(v) {
			c.make("changed: "+x.kind, at, x.value, true)
		}
	}
}

// likeOmitted adds keys that begin like omitted keys.
func (c changer) likeOmitted(omit omits) {
	for _, e := range omit {
		name := e.Path[len(e.Path)-1].Key
		for _, path := range tree.Expand(c.object, e.Path[:len(e.Path)-1]) {
			at := spotOf(path)
			if v, _ := valueAt(c.object, at); reflect.ValueOf(v).Kind() == reflect.Map && name != "" {
				c.make("added: key like an omitted one", at.below(name+"zz"), "new", true)
			}
		}
	}
}

func (c changer) inMap(m map[string]any, at spot) {
	added := at.below("zzAudited")
	c.make("added: key", added, "new", true)
	c.make("added: subtree", added, map[string]any{"a": map[string]any{"b": int64(1)}, "l": []any{"x", "y"}}, true)
	if len(at) > 0 {
		c.make("changed: a map to a scalar", at, "audited", true)
		if len(m) > 0 {
			c.make("changed: map emptied", at, map[string]any{}, true)
		}
	}
	for _, k := range tree.Keys(m) {
		c.all(m[k], at.below(k))
	}
}

func (c changer) inList(l []any, at spot) {
	c.make("changed: a list to a scalar", at, "audited", true)
	if len(l) > 0 {
		c.make("changed: list emptied", at, []any{}, true)
	}
	for i := range len(l) + 1 {
		for _, x := range []any{"audited", map[string]any{"name": "audited", "audited": true}} {
			c.list("added: element", at, slices.Insert(slices.Clone(l), i, x), finding.Extra, x)
		}
	}
	for i, x := range l {
		c.list("removed: element", at, slices.Delete(slices.Clone(l), i, i+1), finding.Missing, x)
		c.list("added: element twice", at, slices.Insert(slices.Clone(l), i, x), finding.Extra, x)
		if i > 0 && !alike(l[i-1], x) {
			swapped := slices.Clone(l)
			swapped[i-1], swapped[i] = x, l[i-1]
			c.list("changed: elements swapped", at, swapped, finding.Drift, nil)
		}
		c.all(x, at.below(i))
	}
}

func (c changer) list(kind string, at spot, l []any, told finding.Category, x any) {
	c.f(change{
		kind:  kind,
		at:    at,
		value: replaced(c.object, at, l, true).(map[string]any),
		list:  listChange{at, told, x},
	})
}

func last(s spot) any {
	if len(s) == 0 {
		return nil
	}
	return s[len(s)-1]
}

// identifies reports whether a change may change the identity of the object.
func identifies(p refconfig.FieldPath) bool {
	switch p.String() {
	case "apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace":
		return true
	}
	return false
}
