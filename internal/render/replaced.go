package render

import (
	"fmt"
	"reflect"
	"time"

	"github.com/Masterminds/sprig/v3"

	"github.com/validationtool/validationtool/internal/tree"
)

// replacedFunctions are functions of sprig made anew, because theirs depend on the order of a map or on the time zone of the machine,
// or take long.
func replacedFunctions() map[string]any {
	dateInZone := sprig.TxtFuncMap()["dateInZone"].(func(string, any, string) string)
	return map[string]any{
		"keys": keys, "values": values, "uniq": uniq, "mustUniq": uniq,
		"date":     func(layout string, v any) string { return dateInZone(layout, v, "UTC") },
		"htmlDate": func(v any) string { return dateInZone(time.DateOnly, v, "UTC") },
		"toDate": func(layout, text string) time.Time {
			t, _ := time.Parse(layout, text) // as sprig's does, which has mustToDate for the others
			return t
		},
		"mustToDate": func(layout, text string) (time.Time, error) { return time.Parse(layout, text) },
	}
}

// keys are those of the maps, of each in order.
func keys(maps ...map[string]any) []string {
	all := []string{}
	for _, m := range maps {
		all = append(all, tree.Keys(m)...)
	}
	return all
}

// values are those of a map, in the order of the keys.
func values(m map[string]any) []any {
	all := []any{}
	for _, k := range tree.Keys(m) {
		all = append(all, m[k])
	}
	return all
}

// uniq is sprig's, without comparing every element with every other.
func uniq(list any) ([]any, error) {
	rv := reflect.ValueOf(list)
	if rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		return nil, fmt.Errorf("can't find what is unique in %s", describe(list))
	}
	out := []any{}
	seen := map[any]bool{}
	var rest []any // what is no plain value
	for i := range rv.Len() {
		v := rv.Index(i).Interface()
		if plain(v) {
			if !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
			continue
		}
		known := false
		for _, r := range rest {
			known = known || reflect.DeepEqual(r, v)
		}
		if !known {
			rest, out = append(rest, v), append(out, v)
		}
	}
	return out, nil
}
