package compare

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/template"
)

// TestReachedBranchesAreOfTheMatchingTemplate checks that Reached gets the branches of the template that
// a CR is compared with, and not those of other candidates.
func TestReachedBranchesAreOfTheMatchingTemplate(t *testing.T) {
	files := map[string]string{
		"metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: a.yaml}, {path: b.yaml}]}]}]\n",
		"a.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: n}\ndata:\n  {{ if .data.x }}x: a{{ else }}y: a{{ end }}\n",
		"b.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: n}\ndata:\n  {{ if .data.x }}x: b{{ else }}y: b{{ end }}\n",
	}
	ref, engine := loadFiles(t, files)
	var in Collected
	in.Objects = given.Objects(
		t,
		"in.yaml",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: n}\ndata: {x: a}\n---\n"+
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: two, namespace: n}\ndata: {y: b}\n",
	)
	var mu sync.Mutex
	all := template.Reached{}
	for range 2 {
		_, err := Run(context.Background(), ref, engine, in, Options{Reached: func(r template.Reached) {
			mu.Lock()
			defer mu.Unlock()
			all.Add(r)
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	var walk func(path string, branches []template.Branch)
	walk = func(path string, branches []template.Branch) {
		for _, b := range branches {
			if all.Has(b) {
				got = append(got, path+": "+b.What)
			}
			walk(path, b.Inner)
		}
	}
	for _, one := range engine.Templates() {
		walk(one.Ref.Path, one.Branches())
	}
	if want := []string{"a.yaml: a.yaml", "a.yaml: if .data.x", "b.yaml: b.yaml", "b.yaml: else of if .data.x"}; !slices.Equal(
		got, want,
	) {
		t.Errorf("%q, want %q", got, want)
	}
}
