package correlate

import (
	"fmt"
	"testing"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
)

// An object must be compared only with the templates that state its name, or none.
func TestFewTemplatesAreTried(t *testing.T) {
	var all []*render.Template
	for i := range 300 {
		name := template.Literal(fmt.Sprint("b", i))
		all = append(all, &render.Template{Identity: template.Identity{Kind: template.Literal("K"), Name: name}})
	}
	ix := New(all)
	for name, most := range map[string]int{"b12": 1, "q": 0} {
		held := 0
		for _, list := range ix.near(manifest.ID{Kind: "K", Name: name}) {
			held += len(list)
		}
		if held > most {
			t.Errorf("%s is held against %d templates", name, held)
		}
	}
}
