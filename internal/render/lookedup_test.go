package render_test

import (
	"testing"

	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
)

// A template must not change the objects that a lookup returns, because all CRs share them.
func TestNoTemplateChangesWhatItLooksUp(t *testing.T) {
	for _, template := range []string{
		`{{ $_ := set (lookupCR "v1" "Thing" "" "x").a "b" 2 }}`, `{{ range lookupCRs "v1" "Thing" "" "" }}{{ $_ := unset .a "b" }}{{ end }}`,
		`{{ $o := lookupCR "v1" "Thing" "" "x" }}{{ $_ := mergeOverwrite $o.a (dict "b" 3) }}`,
		`{{ define "x" }}{{ $_ := set . "b" 2 }}{{ end }}{{ include "x" (lookupCR "v1" "Thing" "" "x").a }}`,
		`{{ $_ := set (oldCR).a "b" 2 }}`,
	} {
		other := object(t, "{a: {b: 1}}")
		before := tree.Copy(other)
		opt := render.Options{
			Lookup: func(_, _, _, _ string) []map[string]any { return []map[string]any{other} },
			Old:    func() map[string]any { return other },
		}
		if _, err := compile(t, header+"# "+template).Execute(object(t, "{s: x}"), opt); err != nil {
			t.Errorf("%s: %v", template, err)
		}
		if !tree.Equal(before, other) {
			t.Errorf("%s changed what it looked up to %v", template, other)
		}
	}
}
