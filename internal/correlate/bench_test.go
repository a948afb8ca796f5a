package correlate

import (
	"fmt"
	"testing"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
)

// BenchmarkFind looks objects up among a hundred templates: one that has a template, and one of a
// kind that has none.
func BenchmarkFind(b *testing.B) {
	var all []*render.Template
	for i := range 100 {
		all = append(all, &render.Template{
			Identity: template.Identity{
				APIVersion: template.Literal("v1"),
				Kind:       template.Literal(fmt.Sprint("Kind", i)),
			},
		})
	}
	ix := New(all)
	for name, want := range map[string]int{"Kind7": 1, "Pod": 0} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			id := manifest.ID{APIVersion: "v1", Kind: name, Namespace: "shop", Name: "x"}
			for b.Loop() {
				if got := ix.Find(id); len(got.Templates) != want {
					b.Fatal(got)
				}
			}
		})
	}
}
