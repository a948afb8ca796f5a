package refdiff

import (
	"testing"

	"github.com/validationtool/validationtool/internal/template/probe"
)

// TestStricter: only what allows all that was allowed is no must.
func TestStricter(t *testing.T) {
	value := func(v any) *any { return &v }
	length := func(n int) []probe.Constraint { return []probe.Constraint{{By: "maxListLength", Values: []any{n}}} }
	regex := []probe.Constraint{{By: "regexMatch", Values: []any{"a"}}}
	for name, c := range map[string]struct {
		old, new probe.Field
		want     bool
	}{
		"mandatory":                   {probe.Field{Need: probe.Optional}, probe.Field{Need: probe.Mandatory}, true},
		"optional":                    {probe.Field{Need: probe.Mandatory}, probe.Field{Need: probe.Optional}, false},
		"optional with a default":     {probe.Field{Need: probe.Mandatory}, probe.Field{Need: probe.Optional, Default: value(1)}, true},
		"optional, an empty default":  {probe.Field{Need: probe.Mandatory}, probe.Field{Need: probe.Optional, Default: value(0)}, false},
		"a default":                   {probe.Field{Need: probe.Optional}, probe.Field{Need: probe.Optional, Default: value(1)}, true},
		"the same default":            {probe.Field{Need: probe.Optional, Default: value(1)}, probe.Field{Need: probe.Optional, Default: value(1)}, false},
		"a longer list":               {probe.Field{Constraints: length(1)}, probe.Field{Constraints: length(2)}, false},
		"a shorter list":              {probe.Field{Constraints: length(2)}, probe.Field{Constraints: length(1)}, true},
		"a longer list and a default": {probe.Field{Constraints: length(1)}, probe.Field{Constraints: length(2), Default: value(1)}, true},
		"a constraint less":           {probe.Field{Constraints: regex}, probe.Field{}, false},
		"a constraint more":           {probe.Field{}, probe.Field{Constraints: regex}, true},
		"another type":                {probe.Field{Type: "string"}, probe.Field{Type: "list"}, true},
		"no type":                     {probe.Field{Type: "string"}, probe.Field{}, false},
		"a condition more": {
			probe.Field{Need: probe.Conditional, When: []string{"a"}}, probe.Field{Need: probe.Conditional, When: []string{"a", "b"}}, true,
		},
	} {
		for _, f := range []*probe.Field{&c.old, &c.new} {
			if f.Need == "" {
				f.Need = probe.Optional
			}
		}
		if got := stricter(&c.old, &c.new); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
