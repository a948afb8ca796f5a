package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
)

// TestWhatReportsAndDepthTakeIsWork: values that lie deep are looked at once for each that they lie in, and what is found is kept and reported. Both are
// steps, so CRs with much of it are not all compared where few steps are left; as large ones without it are.
func TestWhatReportsAndDepthTakeIsWork(t *testing.T) {
	const count = 20
	many := strings.Repeat("0,", 400)
	sets := "        - {pathToKey: x, list: set}\n"
	for i := range 40 {
		sets += "        - {pathToKey: x" + strings.Repeat(".*", i+1) + ", list: set}\n"
	}
	for name, c := range map[string]struct {
		template, value string
		work, given     int64
		ends            bool
	}{
		"flat":         {"[" + many + "]", "[" + many + "1]", 300_000, 1 << 30, false},
		"deep maps":    {strings.Repeat("{a: ", 300) + "[" + many + "]" + strings.Repeat("}", 300), strings.Repeat("{a: ", 300) + "[" + many + "1]" + strings.Repeat("}", 300), 300_000, 1 << 30, true},
		"deep lists":   {strings.Repeat("[", 300) + many + strings.Repeat("]", 300), strings.Repeat("[", 300) + many + "1" + strings.Repeat("]", 300), 300_000, 1 << 30, true},
		"deep sets":    {strings.Repeat("[", 41) + many + strings.Repeat("]", 41), strings.Repeat("[", 41) + many + "1" + strings.Repeat("]", 41), 300_000, 1 << 30, true},
		"few findings": {"[" + many + "]", "[" + many + "]", 100_000, 0, false}, "many findings": {"[" + many + "]", "[1]", 100_000, 0, true},
	} {
		metadata := "apiVersion: v2\nparts:\n- name: P\n  components:\n  - name: C\n    anyOf:\n    - path: a.yaml\n"
		if name == "deep sets" {
			metadata += "      config:\n        perField:\n" + sets
		}
		files := map[string]string{"metadata.yaml": metadata,
			"a.yaml": "apiVersion: v1\nkind: A\nmetadata: {name: \"{{ .metadata.name }}\"}\nx: " + c.template + "\n"}
		var input strings.Builder
		for i := range count {
			fmt.Fprintf(&input, "---\napiVersion: v1\nkind: A\nmetadata: {name: a%d}\nx: %s\n", i, c.value)
		}
		work, given := budget.NewWork(c.work), 0
		work.Bound(c.given)
		for _, c := range runFiles(t, files, input.String(), Options{Share: Share{Work: work}}).Comparisons {
			if c.Error != nil && c.Error.Code == code.LimitTime {
				given++
			}
		}
		if given == count || c.ends != (given > 0) {
			t.Errorf("%s: %d of %d CRs are given up", name, given, count)
		}
	}
}
