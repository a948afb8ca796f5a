package compare

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/patch"
)

// TestSearchForOverridesRendersNothingAgain checks that the search for overrides executes no
// template again.
func TestSearchForOverridesRendersNothingAgain(t *testing.T) {
	var template, input strings.Builder
	template.WriteString(
		"apiVersion: v1\nkind: A\nmetadata: {name: \"{{ .metadata.name }}\"}\n{{ range until 4000 }}{{ $x := print . }}{{ end }}",
	)
	for i := range 60 {
		fmt.Fprintf(&template, "k%d: {{ .spec.x%d }}\n", i, i)
	}
	for i := range 20 {
		fmt.Fprintf(&input, "---\napiVersion: v1\nkind: A\nmetadata: {name: a%d}\n", i)
	}
	files := map[string]string{
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}]}]}]\n",
		"a.yaml":        template.String(),
	}
	allocations := func(opt Options) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := runFiles(t, files, input.String(), opt)
		runtime.ReadMemStats(&after)
		for _, c := range res.Comparisons {
			if c.Error != nil ||
				opt.Accept != nil &&
					(c.Acceptance == nil || len(c.Acceptance.Overrides) != 1 || len(c.Acceptance.Left) > 0) {
				t.Fatalf("%s: %v %v", c.Object, c.Error, c.Acceptance)
			}
		}
		return after.Mallocs - before.Mallocs
	}
	if without, with := allocations(Options{}), allocations(Options{Accept: &patch.Request{}}); with > 2*without {
		t.Errorf("%d allocations, and %d without finding overrides", with, without)
	}
}
