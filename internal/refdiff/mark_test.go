package refdiff

import (
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

// TestMarkingManyDeepFields: what lies above fields that are changed is noted once, however deep it
// is and however many they are.
func TestMarkingManyDeepFields(t *testing.T) {
	const depth, fields = 300, 200
	var above refconfig.FieldPath
	for range depth {
		above = append(above, refconfig.Key("a"))
	}
	allocations := testing.AllocsPerRun(1, func() {
		marked := map[string]bool{}
		for i := range fields {
			mark(marked, above.Below(refconfig.Step{Index: i}))
		}
		if len(marked) != depth+fields || !marked[key(above.Below(refconfig.Step{Index: 7}))] || marked[key(above)] {
			t.Errorf("%d fields are noted", len(marked))
		}
	})
	if allocations > 20*(depth+fields)*4 {
		t.Errorf("%v allocations", allocations)
	}
}
