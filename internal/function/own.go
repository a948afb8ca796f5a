package function

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/validationtool/validationtool/internal/tree"
)

// These functions replace those of sprig that depend on map order or on the time zone of the
// machine, or that are slow. slice replaces the one of text/template, which is not exported.

// keys returns the sorted keys of each map.
func keys(maps ...map[string]any) []string {
	all := []string{}
	for _, m := range maps {
		all = append(all, tree.Keys(m)...)
	}
	return all
}

// values returns the values of a map, sorted by key.
func values(m map[string]any) []any {
	all := []any{}
	for _, k := range tree.Keys(m) {
		all = append(all, m[k])
	}
	return all
}

// uniq does what sprig's uniq does without comparing all pairs of elements.
func uniq(list any) ([]any, error) {
	rv := reflect.ValueOf(list)
	if rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		return nil, fmt.Errorf("can't find what is unique in %s", Describe(list))
	}
	out := []any{}
	seen := map[any]bool{}
	rest := map[string][]any{} // maps, lists and other values, by their printed form
	for i := range rv.Len() {
		v := rv.Index(i).Interface()
		if plain(v) {
			if !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
			continue
		}
		printed := fmt.Sprintf("%#v", v)
		if !slices.ContainsFunc(rest[printed], func(r any) bool { return reflect.DeepEqual(r, v) }) {
			rest[printed], out = append(rest[printed], v), append(out, v)
		}
	}
	return out, nil
}

// toDate returns the zero time for an invalid text, as sprig's toDate does; mustToDate reports an
// error.
func toDate(layout, text string) time.Time {
	t, _ := time.Parse(layout, text)
	return t
}

// slice returns item[i:j] like text/template. As with sprig's slice, a slice of an empty list is
// always nil, and an index may be a number as text.
func slice(v any, at ...any) (any, error) {
	if v == nil {
		return nil, nil
	}
	rv := reflect.ValueOf(v)
	switch kind := rv.Kind(); {
	case kind == reflect.String:
	case kind != reflect.Slice && kind != reflect.Array:
		return nil, fmt.Errorf("can't slice %s", Describe(v))
	case rv.Len() == 0:
		return nil, nil
	}
	if len(at) > 3 || (len(at) == 3 && rv.Kind() == reflect.String) {
		return nil, fmt.Errorf("too many indexes: %d", len(at))
	}
	bounds := []int{0, rv.Len(), rv.Len()}
	if rv.Kind() != reflect.String {
		bounds[2] = rv.Cap()
	}
	for i, x := range at {
		text, _ := x.(string)
		index, ok := Convert(x, reflect.TypeFor[int]())
		if n, err := strconv.Atoi(text); err == nil {
			index, ok = reflect.ValueOf(n), true
		}
		if !ok {
			return nil, fmt.Errorf("an index is a whole number, not %s", Describe(x))
		}
		bounds[i] = int(index.Int())
	}
	if bounds[0] < 0 || bounds[0] > bounds[1] || bounds[1] > rv.Len() || bounds[2] < bounds[1] {
		return nil, fmt.Errorf("indexes %v are outside of a length of %d", bounds[:len(at)], rv.Len())
	}
	if len(at) == 3 {
		return rv.Slice3(bounds[0], bounds[1], bounds[2]).Interface(), nil
	}
	return rv.Slice(bounds[0], bounds[1]).Interface(), nil
}
