package compare

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// benchmarkObject is an object of 60 lines; a template if name and owner are actions.
func benchmarkObject(name, owner, limit string) string {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"apiVersion: bench.example.com/v1\nkind: Profile\nmetadata:\n  name: %s\n  namespace: shop\nspec:\n  owner: %s\n  limit: %s\n  settings:\n",
		name,
		owner,
		limit,
	)
	for i := range 20 {
		fmt.Fprintf(&b, "    setting-%d: value of it\n", i)
	}
	b.WriteString("  containers:\n")
	for i := range 5 {
		fmt.Fprintf(
			&b,
			"  - name: main-%d\n    image: registry.example.com/main:1\n    args:\n    - --v=2\n    - --n=%d\n",
			i,
			i,
		)
	}
	return b.String()
}

// benchmarkReference has one template, or more that all fit.
func benchmarkReference(b *testing.B, templates int) (*refconfig.Reference, *render.Engine) {
	fsys := fstest.MapFS{}
	meta := "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n"
	for i := range templates {
		name := fmt.Sprintf("t%d.yaml", i)
		meta += "    - path: " + name + "\n"
		fsys[name] = &fstest.MapFile{
			Data: []byte(benchmarkObject("{{ .metadata.name }}", "{{ .spec.owner }}", fmt.Sprint(i))),
		}
	}
	fsys["metadata.yaml"] = &fstest.MapFile{Data: []byte(meta)}
	ref, engine := given.Load(b, fsys, "")
	return ref, engine
}

// BenchmarkRun compares a thousand objects with no template, with one that they match, with one
// from which they differ, and with several, of which the closest is chosen.
func BenchmarkRun(b *testing.B) {
	const count = 1000
	for _, c := range []struct {
		name, kind, limit string
		templates         int
	}{{"unmatched", "Other", "0", 1}, {"clean", "Profile", "0", 1}, {"differing", "Profile", "9", 1}, {"choice of 5", "Profile", "9", 5}} {
		b.Run(c.name, func(b *testing.B) {
			ref, engine := benchmarkReference(b, c.templates)
			var in Collected
			size := 0
			for i := range count {
				text := strings.Replace(
					benchmarkObject(fmt.Sprint("p-", i), "me", c.limit), "kind: Profile", "kind: "+c.kind, 1,
				)
				size += len(text)
				in.Objects = append(
					in.Objects,
					manifest.Read(fmt.Sprint(i, ".yaml"), "", []byte(text), manifest.Hints{}).Objects...)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				r, err := Run(context.Background(), ref, engine, in, Options{})
				if err != nil || r.Summary.Objects.Read != count || r.Summary.Objects.Error > 0 {
					b.Fatal(r.Summary, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*count), "ns/object")
		})
	}
}
