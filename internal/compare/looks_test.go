package compare

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
)

// TestNamesAreLookedAtSoOften: looks at names end, long names count as several, and an ordinary run has enough of them.
func TestNamesAreLookedAtSoOften(t *testing.T) {
	count := func(name string) (n int) {
		r := &run{}
		for r.looks(render.Identity{Name: render.Literal("a")}, manifest.ID{Name: name}) {
			n++
		}
		return n
	}
	if n := count("b"); n < 100*20_000 || n > 10_000_000 {
		t.Errorf("%d looks", n)
	}
	if n := count(strings.Repeat("b", 64_000)); n > 10_000 {
		t.Errorf("%d looks at long names", n)
	}
}
