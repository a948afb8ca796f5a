package compare

import (
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/given"
)

// TestWhichDefinitionsAreWanted: the definition of a kind that a template is for is kept if the run
// validates, whatever its plural is; others, and all of a run that does not validate, are not.
func TestWhichDefinitionsAreWanted(t *testing.T) {
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}, {path: b.yaml}]}]}]\n")},
		"a.yaml":        {Data: []byte("apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n")},
		"b.yaml":        {Data: []byte("apiVersion: {{ .apiVersion }}\nkind: Other\nmetadata: {name: a}\n")},
	}, "")
	for _, c := range []struct {
		plural, group, kind string
		want                bool
	}{
		{"things", "example.com", "Thing", true}, {"thingen", "example.com", "Thing", true}, {"things", "example.org", "Thing", false},
		{"others", "example.org", "Other", true}, {"further", "example.com", "Further", false},
	} {
		o := given.Objects(t, "in.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: "+
			c.plural+"."+c.group+"\nspec:\n  names:\n    kind: "+c.kind+"\n")[0]
		for _, validates := range []bool{true, false} {
			if got := Wants(ref, engine, Options{Validate: validates}).Defines(o); got != (c.want && validates) {
				t.Errorf("the definition of %s.%s is wanted by a run that validates (%v): %v", c.plural, c.group, validates, got)
			}
		}
	}
}
