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

// TestWhichContentIsWanted: that of CRs which are compared, looked up or say which cluster it is, and that
// of all of a kind if a CR without a template is compared with the nearest. Owners of other kinds than
// those of templates say nothing.
func TestWhichContentIsWanted(t *testing.T) {
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n")},
		"a.yaml":        {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ns}\ndata: {x: '{{ (lookupCR \"v1\" \"Secret\" \"ns\" \"s\").type }}'}\n")},
	}, "")
	for _, c := range []struct {
		version, kind, name string
		kept, nearest       bool // nearest: it is kept if the nearest template is asked for
	}{
		{"v1", "ConfigMap", "a", true, true}, {"v1", "ConfigMap", "b", false, true}, {"v1", "Pod", "a", false, false}, {"v1", "Secret", "t", true, true},
		{"config.openshift.io/v1", "ClusterVersion", "version", true, true}, {"example.com/v1", "ClusterVersion", "version", false, false},
		{"config.openshift.io/v1", "Infrastructure", "cluster", true, true}, {"example.com/v1", "Infrastructure", "cluster", false, false},
	} {
		for _, nearest := range []bool{false, true} {
			o := given.Objects(t, "in.yaml", "apiVersion: "+c.version+"\nkind: "+c.kind+"\nmetadata:\n  name: "+c.name+"\n  namespace: ns\n  ownerReferences:\n"+
				"  - {apiVersion: v1, kind: ConfigMap, name: o, uid: u}\n  - {apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: v}\n")[0]
			owners := len(o.Owners)
			Wants(ref, engine, Options{Nearest: nearest}).Trim(o)
			want := c.kept || nearest && c.nearest
			if kept := o.Text() > 0; kept != want || owners != 2 || len(o.Owners) != 1 || o.Owners[0].Kind != "ConfigMap" {
				t.Errorf("%s %s, with the nearest template (%v): kept is %v, owners are %v of %d", c.kind, c.name, nearest, kept, o.Owners, owners)
			}
		}
	}
}
