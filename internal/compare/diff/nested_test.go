package diff

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/refconfig"
)

// TestSetsInSetsStaySmall checks that the texts of nested sets, by which their items are compared,
// are not escaped again at each level.
func TestSetsInSetsStaySmall(t *testing.T) {
	text := func(depth int, end string) string {
		var v any = end
		var entries []refconfig.FieldFunction
		path := refconfig.FieldPath{}
		for range depth {
			v = []any{"x", v}
			entries = append(
				entries, refconfig.FieldFunction{Path: path, Key: refconfig.List, Function: refconfig.ListSet},
			)
			path = append(path[:len(path):len(path)], refconfig.Step{Any: true, Index: -1})
		}
		return align.Texts([]any{fieldsOf(entries).plain(v)})[0]
	}
	for _, depth := range []int{2, 10, 16} {
		end := strings.Repeat(`a"b`, 30)
		once, again := text(depth, end), text(depth, end)
		if n := len(once); n > 400 {
			t.Errorf("%d sets in each other come to %d bytes", depth, n)
		}
		if once == text(depth, end+"c") || once != again {
			t.Errorf("%d sets in each other do not count as what they hold", depth)
		}
	}
}
