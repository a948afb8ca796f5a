package function

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/sprig/v3"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// call calls a function unless the limits of templates forbid it.
func call(f *Function, args []any) (any, error) {
	in, ok, err := f.Arguments(args, func(int) string { return "" })
	if !ok || err != nil {
		return nil, err
	}
	most := tree.Size{Nodes: 250_000, Bytes: 64 << 20, Height: 100}
	if made, _, ok := f.Makes(args, most); !ok || made.Searched > MostSearched || made.Bytes > most.Bytes {
		return nil, fmt.Errorf("%s makes too much", f.Name)
	}
	return f.Call(in)
}

// steadyArguments returns usual arguments by the type of the parameter.
func steadyArguments(f *Function) []any {
	var args []any
	for i := range f.call.Type().NumIn() {
		switch p := f.call.Type().In(i); p.Kind() {
		case reflect.String:
			args = append(args, "2006-01-02")
		case reflect.Int, reflect.Int64, reflect.Uint32:
			args = append(args, 7+i)
		case reflect.Map:
			args = append(args, map[string]any{"a": 1, "b": 2, "c": 3, "d": 4})
		case reflect.Slice:
			args = append(args, []any{"a", "b"})
		case reflect.Struct:
			args = append(args, time.Unix(1_000_000, 0).UTC()) // templates have no other times
		default:
			args = append(args, "x")
		}
	}
	if f.call.Type().IsVariadic() {
		args = args[:len(args)-1]
	}
	return args
}

// TestUnsteadyFunctionsAreKnown calls every function several times with the same arguments in three
// time zones. A function whose result differs must be marked Unsteady.
func TestUnsteadyFunctionsAreKnown(t *testing.T) {
	here, india := time.Local, time.FixedZone("IST", 5*3600+1800)
	t.Cleanup(func() { time.Local = here })
	all := Table()
	for _, name := range tree.Keys(all) {
		if strings.HasPrefix(name, "gen") || all[name].Engine {
			continue // these create keys and are marked, or are called in internal/template/render
		}
		for _, args := range [][]any{steadyArguments(all[name]), {"2006-01-02 15:04", "2024-05-06 07:08"},
			{"2006-01-02 15:04 -0700", "2024-05-06 07:08 +0530"}, {"2006-01-02 15:04 MST", "2024-05-06 07:08 IST"},
			{"2006-01-02 15:04 MST", 86_400, "Local"}, {86_400, "Local"}, {"%p", map[string]any{}}, {"2006-01-02 15:04 MST", 86_400}, {86_400}, {3}, {0, 1_000_000_000}, {"a-long-text-to-shuffle"}} {
			results := map[string]bool{}
			for i := range 6 {
				time.Local = []*time.Location{time.UTC, india, time.FixedZone("X", -3*3600)}[i%3]
				v, err := call(all[name], slices.Clone(args))
				results[fmt.Sprint(v, err)] = true
				if len(results) > 1 {
					break
				}
			}
			if len(results) > 1 && all[name].Unsteady == "" {
				t.Errorf("%s %v gives %d results, and nothing warns of it", name, args, len(results))
			}
		}
	}
}

// TestEveryRowIsComplete names a function whose row lacks what somebody must have thought about.
func TestEveryRowIsComplete(t *testing.T) {
	all := Table()
	for _, name := range tree.Keys(all) {
		f := all[name]
		if f.is == nil && !f.Engine {
			t.Errorf("%s has no Go function: name one in the field is of its row, or a function of sprig", name)
		}
		if f.Unknown <= 0 || f.Unknown > Remarks {
			t.Errorf("%s does not say what a probe makes of an unknown argument: set the field Unknown of its row", name)
		}
		least := map[Unknown]int{Contains: 2, Limits: 2, Finds: 2, Includes: 2, Digs: 3, Assigns: 3, Enters: 1}
		if n := least[f.Unknown]; f.least < n {
			t.Errorf("%s takes too few arguments for its field Unknown, which needs %d", name, n)
		}
	}
}

// Functions of sprig that read from outside must not exist. Those of this package read nothing,
// because internal/dev/house checks what it imports.
func TestFunctionsReadNothing(t *testing.T) {
	all := Table()
	for _, name := range []string{"env", "expandenv", "getHostByName", "readFile", "glob", "file", "files", "exec", "httpGet", "lookup"} {
		if _, ok := all[name]; ok {
			t.Errorf("there is a function %s", name)
		}
	}
	known := sprig.TxtFuncMap()
	// All functions of sprig are listed, so that an update with a new one fails here.
	for name := range known {
		if _, ok := all[name]; !ok && !slices.Contains([]string{"env", "expandenv", "getHostByName"}, name) {
			t.Errorf("sprig's %s is new: it needs a row in the table, or a reason to have none", name)
		}
	}
	seen := map[string]bool{}
	for _, row := range rows() {
		for entry := range strings.FieldsSeq(row.Name) {
			name, _, _ := strings.Cut(entry, "/")
			if seen[name] {
				t.Errorf("%s has two rows", name)
			}
			seen[name] = true
		}
	}
}
