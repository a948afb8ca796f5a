package compare

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
)

// TestADriftingCRTakesFewAllocations limits the allocations for comparing a small CR, and checks
// that a clean one takes no more. Nothing about templates or omitted fields is computed again for
// each CR.
func TestADriftingCRTakesFewAllocations(t *testing.T) {
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {
			Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n"),
		},
		"a.yaml": {Data: []byte("apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .metadata.name }}\na: 2\n")},
	}, "")
	allocations := func(count, value int) float64 {
		var in Collected
		for i := range count {
			in.Objects = append(
				in.Objects,
				given.Objects(
					t, "in.yaml", fmt.Sprintf("apiVersion: v1\nkind: A\nmetadata:\n  name: n%d\na: %d\n", i, value),
				)...)
		}
		opt := Options{Workers: 1, Show: diff.Show{Lines: true, Context: 3}}
		opt.Wanted = Wants(ref, engine, opt)
		return testing.AllocsPerRun(3, func() {
			if r, err := Run(t.Context(), ref, engine, in, opt); err != nil || len(r.Comparisons) != count {
				t.Fatal(err)
			}
		})
	}
	const most = 265 // 210, and 255 where races are looked for
	drifting := (allocations(600, 1) - allocations(100, 1)) / 500
	if clean := (allocations(600, 2) - allocations(100, 2)) / 500; drifting > most || clean > drifting {
		t.Errorf("a drifting CR takes %.0f allocations, a clean one %.0f", drifting, clean)
	}
	t.Logf("%.0f allocations", drifting)
}

// TestAClusterTakesNoWorkForTheTemplates checks that what is the same for all clusters is computed
// once.
func TestAClusterTakesNoWorkForTheTemplates(t *testing.T) {
	allocations := func(templates int) float64 {
		files := fstest.MapFS{}
		meta := "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n"
		for i := range templates {
			name := fmt.Sprintf("t%d.yaml", i)
			meta += "    - path: " + name + "\n      config: {perField: [{pathToKey: a, inlineDiffFunc: regex}]}\n"
			files[name] = &fstest.MapFile{
				Data: fmt.Appendf(nil, "apiVersion: v1\nkind: A\nmetadata: {name: t%d}\na: b+\n", i),
			}
		}
		files["metadata.yaml"] = &fstest.MapFile{Data: []byte(meta)}
		ref, engine := given.Load(t, files, "")
		opt := Options{Workers: 1}
		opt.Wanted = Wants(ref, engine, opt)
		return testing.AllocsPerRun(3, func() {
			if _, err := Run(t.Context(), ref, engine, Collected{}, opt); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocations(10), allocations(300); many-few > 2*290 {
		t.Errorf("290 more templates take %.0f more allocations of each cluster", many-few)
	}
}
