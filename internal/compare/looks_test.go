package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/template"
)

// TestNamesAreLookedAtSoOften: looks at names end, long names count as several, and an ordinary run has enough of them.
func TestNamesAreLookedAtSoOften(t *testing.T) {
	count := func(name string) (n int) {
		r := &run{selection: &selection{}}
		for r.looks(template.Identity{Name: template.Literal("a")}, manifest.ID{Name: name}) {
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

// TestLookupsAreNoSearch: what a lookup goes through is what it finds.
func TestLookupsAreNoSearch(t *testing.T) {
	var objects []*manifest.Object
	for i := range 40 {
		objects = append(objects, &manifest.Object{ID: manifest.ID{APIVersion: "v1", Kind: "A", Namespace: fmt.Sprint("n", i%4), Name: fmt.Sprint("a", i%20)}},
			&manifest.Object{ID: manifest.ID{APIVersion: "v1", Kind: "A", Name: fmt.Sprint("c", i)}})
	}
	s := newStore(objects, false)
	for _, c := range []struct {
		namespace, name string
		want            int
	}{{"", "", 60}, {"n1", "", 5}, {"", "a7", 1}, {"n3", "a7", 1}, {"n1", "a7", 0}, {"", "c7", 1}, {"n1", "c7", 0}} {
		if got := s.places([2]string{"v1", "A"})[[2]string{c.namespace, c.name}]; len(got) != c.want {
			t.Errorf("%q %q: %d", c.namespace, c.name, len(got))
		}
	}
}
