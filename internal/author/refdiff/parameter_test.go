package refdiff

import (
	"testing"

	"github.com/validationtool/validationtool/internal/template/render"
)

// TestStricter: only what allows all that was allowed is no must.
func TestStricter(t *testing.T) {
	value := func(v any) *any { return &v }
	length := func(n int) []render.Constraint { return []render.Constraint{{By: "maxListLength", Values: []any{n}}} }
	regex := []render.Constraint{{By: "regexMatch", Values: []any{"a"}}}
	for name, c := range map[string]struct {
		old, new render.Field
		want     bool
	}{
		"mandatory":                   {render.Field{Need: render.Optional}, render.Field{Need: render.Mandatory}, true},
		"optional":                    {render.Field{Need: render.Mandatory}, render.Field{Need: render.Optional}, false},
		"optional with a default":     {render.Field{Need: render.Mandatory}, render.Field{Need: render.Optional, Default: value(1)}, false},
		"a default":                   {render.Field{Need: render.Optional}, render.Field{Need: render.Optional, Default: value(1)}, true},
		"the same default":            {render.Field{Need: render.Optional, Default: value(1)}, render.Field{Need: render.Optional, Default: value(1)}, false},
		"a longer list":               {render.Field{Constraints: length(1)}, render.Field{Constraints: length(2)}, false},
		"a shorter list":              {render.Field{Constraints: length(2)}, render.Field{Constraints: length(1)}, true},
		"a longer list and a default": {render.Field{Constraints: length(1)}, render.Field{Constraints: length(2), Default: value(1)}, true},
		"a constraint less":           {render.Field{Constraints: regex}, render.Field{}, false},
		"a constraint more":           {render.Field{}, render.Field{Constraints: regex}, true},
		"another type":                {render.Field{Type: "string"}, render.Field{Type: "list"}, true},
		"no type":                     {render.Field{Type: "string"}, render.Field{}, false},
		"a condition more": {
			render.Field{Need: render.Conditional, When: []string{"a"}}, render.Field{Need: render.Conditional, When: []string{"a", "b"}}, true,
		},
	} {
		for _, f := range []*render.Field{&c.old, &c.new} {
			if f.Need == "" {
				f.Need = render.Optional
			}
		}
		if got := stricter(&c.old, &c.new); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
