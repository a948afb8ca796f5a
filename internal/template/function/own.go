package function

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/Masterminds/sprig/v3"

	"github.com/validationtool/validationtool/internal/value/tree"
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
		return nil, fmt.Errorf("a list is expected, not %s", Describe(list))
	}
	out := []any{}
	seen := map[string]bool{}
	for i := range rv.Len() {
		v := rv.Index(i).Interface()
		if text := fmt.Sprintf("%T %#v", v, v); !seen[text] {
			seen[text] = true
			out = append(out, v)
		}
	}
	return out, nil
}

// toDate returns the zero time for an invalid text, as sprig's toDate does; mustToDate reports an
// error.
func toDate(layout, text string) time.Time {
	t, _ := mustToDate(layout, text)
	return t
}

// mustToDate returns the time in a text. A text without a zone is in UTC. time.Parse would look at
// the zone of the machine even if the text has one.
func mustToDate(layout, text string) (time.Time, error) {
	return time.ParseInLocation(layout, text, time.UTC)
}

// now returns the present time in UTC.
func now() time.Time { return sprig.TxtFuncMap()["now"].(func() time.Time)().UTC() }

// inZone formats a time like sprig's dateInZone: the present time if the value is none, and in UTC if
// the zone is unknown. The zone of the machine, Local, is unknown to templates.
func inZone(layout string, v any, zone string) string {
	if zone == "Local" {
		zone = ""
	}
	return sprig.TxtFuncMap()["dateInZone"].(func(string, any, string) string)(layout, v, zone)
}

// slice returns item[i:j] like text/template. As with sprig's slice, a slice of an empty list is
// always nil, an index may be a number as text, and a third index has no effect.
func slice(v any, at ...any) (any, error) {
	rv := reflect.ValueOf(v)
	switch kind := rv.Kind(); {
	case v == nil, kind == reflect.Slice && rv.Len() == 0:
		return nil, nil
	case kind != reflect.Slice && kind != reflect.String:
		return nil, fmt.Errorf("a list or text is expected, not %s", Describe(v))
	}
	bounds := []int{0, rv.Len()}
	for i, x := range at[:min(2, len(at))] {
		text, _ := x.(string)
		n, err := strconv.Atoi(text)
		whole, isWhole := Whole(x)
		if err != nil && !isWhole {
			return nil, fmt.Errorf("an index must be a whole number, not %s", Describe(x))
		}
		bounds[i] = n + whole // one of them is 0
	}
	if bounds[0] < 0 || bounds[0] > bounds[1] || bounds[1] > rv.Len() {
		return nil, fmt.Errorf("the indexes %v exceed the length %d", bounds, rv.Len())
	}
	return rv.Slice(bounds[0], bounds[1]).Interface(), nil
}
