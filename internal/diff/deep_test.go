package diff

import (
	"testing"

	"github.com/validationtool/validationtool/internal/secret"
)

// TestListsThatLieDeepTakeFewAllocations checks that nested lists of one item are not encoded once
// for each list around them.
func TestListsThatLieDeepTakeFewAllocations(t *testing.T) {
	nested := func(depth int, end int64) any {
		var v any = end
		for range depth {
			v = []any{v}
		}
		return v
	}
	allocations := func(depth int) float64 {
		left, right := nested(depth, 0), nested(depth, 1)
		return testing.AllocsPerRun(3, func() { Of(left, right, nil, secret.Scope{}) })
	}
	if few, many := allocations(100), allocations(400); many > 5*few {
		t.Errorf("four times the depth takes %.0f allocations instead of %.0f", many, few)
	}
}
