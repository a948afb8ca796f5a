package values

import (
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

func TestHolds(t *testing.T) {
	tree := map[string]any{
		"a":    int64(1),
		"list": []any{map[string]any{"b": true}, map[string]any{}},
		"map":  map[string]any{"x": map[string]any{"b": true}},
	}
	for text, want := range map[string][2]bool{
		"a":        {true, false},
		"c":        {false, true},
		"a.b":      {false, true},
		"list.0.b": {true, false},
		"list.2":   {false, true},
		"list.*.b": {true, true},
		"map.*.b":  {true, false},
		"none.*.b": {false, false},
	} {
		path, err := refconfig.ParseFieldPath(text)
		if err != nil {
			t.Fatal(err)
		}
		if is, lacks := holds(tree, path); is != want[0] || lacks != want[1] {
			t.Errorf("%s: is %t, lacks %t; want %v", text, is, lacks, want)
		}
	}
}
