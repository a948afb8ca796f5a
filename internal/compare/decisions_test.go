package compare

import (
	"testing"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
)

// one returns the metadata of a reference that requires one template, followed by more metadata.
func one(more string) string {
	return "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: t.yaml}]}]}]\n" + more
}

// TestAnOwnerOfAnotherGroupShowsNothing checks that an owner reference proves an object only if it
// has the apiVersion of the template.
func TestAnOwnerOfAnotherGroupShowsNothing(t *testing.T) {
	template := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: ns, name: owner}\n"
	for version, want := range map[string]string{"apps/v1": "", "other.example.com/v1": "C VT3001 t.yaml"} {
		input := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: ns\n  name: owned\n" +
			"  ownerReferences: [{apiVersion: " + version + ", kind: Deployment, name: owner, uid: u}]\n"
		res := runFiles(t, map[string]string{"metadata.yaml": one(""), "t.yaml": template}, input, Options{})
		if got := broken(res); got != want {
			t.Errorf("owned by one of %s: %q, want %q", version, got, want)
		}
	}
}

// TestAClusterVersionInAnotherObjectNamesNoCluster checks that a ClusterVersion inside a policy,
// which may be for another cluster, does not name the cluster.
func TestAClusterVersionInAnotherObjectNamesNoCluster(t *testing.T) {
	text := "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: x}\n"
	for wrapper, want := range map[string]string{"": "x", "Policy p": ""} {
		files := map[string]string{"metadata.yaml": one(""), "t.yaml": configMap("ns", "a", "k: v")}
		ref, engine := loadFiles(t, files)
		objects := given.Objects(t, "in.yaml", text)
		objects[0].Wrapper = wrapper
		res, err := Run(t.Context(), ref, engine, Collected{Objects: objects}, Options{})
		if err != nil || res.Cluster.ID != want {
			t.Errorf("in %q: the cluster is %q, want %q (%v)", wrapper, res.Cluster.ID, want, err)
		}
	}
}

// TestTheNearestIsOfTheAPIGroup checks that the nearest object has the API group of the template,
// and that of several equally near ones the first is named.
func TestTheNearestIsOfTheAPIGroup(t *testing.T) {
	object := func(version, name string) string {
		return "---\napiVersion: " + version + "\nkind: Thing\nmetadata: {namespace: ns, name: " + name + "}\n"
	}
	files := map[string]string{"metadata.yaml": one(""), "t.yaml": object("a.example.com/v1", "thing-a")}
	for _, c := range []struct{ input, want string }{
		{object("a.example.com/v2", "thing-a"), "thing-a"},
		{object("b.example.com/v1", "thing-a"), ""},
		{object("a.example.com/v1", "thing-b") + object("a.example.com/v1", "thing-c"), "thing-b"},
	} {
		res := runFiles(t, files, c.input, Options{})
		var got finding.Object
		if n := res.Rules[0].Missing[0].Nearest; n != nil {
			got = n.Object
		}
		if got.Name != c.want {
			t.Errorf("of %s the nearest is %q, want %q", c.input, got.Name, c.want)
		}
	}
}

// TestAMissingKeyCountsForTheScore checks that a missing mandatory key counts although the text
// does not change: a template that needs no such key fits better.
func TestAMissingKeyCountsForTheScore(t *testing.T) {
	files := map[string]string{
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, oneOf: [{path: a.yaml}, {path: b.yaml}]}]}]",
		"a.yaml":        configMap("ns", "a", "k: v") + "{{ .spec.wanted }}\n",
		"b.yaml":        configMap("ns", "a", "k: v"),
	}
	res := runFiles(t, files, configMap("ns", "a", "k: v"), Options{})
	if got := res.Comparisons[0].Template.Path; got != "b.yaml" {
		t.Errorf("compared with %s, candidates %v", got, res.Comparisons[0].Correlation.Candidates)
	}
}
