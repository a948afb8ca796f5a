package filename

import (
	"strings"
	"testing"
)

// TestNamesDiffer: whatever is asked for, no two names are alike in small letters, and each says
// what was asked for.
func TestNamesDiffer(t *testing.T) {
	taken, seen := Taken{}, map[string]bool{}
	for _, stem := range []string{"a", "A", "a-2", "a", "b", "A-2", "a-3", "a", "a-2-2", "a-2"} {
		name := taken.Free(stem, ".yaml")
		if low := strings.ToLower(name); seen[low] || !strings.HasPrefix(name, stem) ||
			!strings.HasSuffix(name, ".yaml") ||
			!taken.Has(low) {
			t.Errorf("%s for %s", name, stem)
		} else {
			seen[low] = true
		}
	}
	if first, other := taken.Free("new", ""), taken.Free("NEW", ""); first != "new" || other != "NEW-2" {
		t.Errorf("%s and %s", first, other)
	}
}

func TestDevices(t *testing.T) {
	for name, want := range map[string]bool{"con": true, "CON.yaml": true, "lpt1.a.b": true, "Com9": true, "": true, ".x": true,
		"console": false, "com": false, "com10": false, "a.con": false, "lpt": false} {
		if IsDevice(name) != want {
			t.Errorf("%q is one: %v", name, !want)
		}
	}
}
