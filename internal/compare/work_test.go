package compare

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/input/manifest"
)

// TestLookupsVisitOnlyWhatTheyFind checks that a lookup visits only the objects that it finds.
func TestLookupsVisitOnlyWhatTheyFind(t *testing.T) {
	var objects []*manifest.Object
	for i := range 40 {
		objects = append(
			objects,
			&manifest.Object{
				ID: manifest.ID{
					APIVersion: "v1",
					Kind:       "A",
					Namespace:  fmt.Sprint("n", i%4),
					Name:       fmt.Sprint("a", i%20),
				},
			},
			&manifest.Object{ID: manifest.ID{APIVersion: "v1", Kind: "A", Name: fmt.Sprint("c", i)}},
		)
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

// TestEveryTextIsSearchedOnce checks that inline diff functions, overrides and fixes do not search
// texts for Secrets again.
func TestEveryTextIsSearchedOnce(t *testing.T) {
	texts, stated := "", ""
	for i := range 200 {
		texts += fmt.Sprintf(
			"k%d: 'kindSecret: [&x%d %s%s]', ", i, i, strings.Repeat("[", 190), strings.Repeat("]", 190),
		)
		stated += fmt.Sprintf("{{ violation \"ORG-1\" \"data.k%d\" \"no\" }}", i)
	}
	drift := strings.ReplaceAll(texts, "kindSecret", "a")
	allocated := func(config, template string, opt Options) uint64 {
		files := map[string]string{
			"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml" + config + "}]}]}]\n",
			"a.yaml":        template,
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := runFiles(t, files, configMap("ns", "a", texts), opt)
		runtime.ReadMemStats(&after)
		if len(res.Comparisons) != 1 || res.Comparisons[0].Error != nil {
			t.Fatalf("%s: %v", config, res.Comparisons)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	for name, c := range map[string]struct {
		config, template string
		opt              Options
	}{
		"inline diff functions": {", config: {perField: [{pathToKey: data.*, inlineDiffFunc: regex}]}", configMap("ns", "a", drift), Options{}},
		"overrides":             {"", configMap("ns", "a", drift) + stated, Options{Accept: &patch.Request{}}},
		"fixes":                 {"", configMap("ns", "a", "more: x"), Options{Fix: true}},
	} {
		once := allocated("", c.template, Options{})
		if n := allocated(c.config, c.template, c.opt); n > once+once/2 {
			t.Errorf("%s: %d KiB are allocated, and %d without", name, n>>10, once>>10)
		}
	}
}
