package source

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLayout(t *testing.T) {
	image := "must-gather.local.12/quay-io-x-sha256-ab/"
	cases := []struct {
		layout string
		roots  []string
		names  []string
	}{
		{LayoutMustGather, []string{"must-gather.local.12/quay-io-x-sha256-ab"}, []string{
			image + "version", image + "cluster-scoped-resources/core/nodes/a.yaml", image + "namespaces/default/core/pods.yaml"}},
		{LayoutMustGather, []string{""}, []string{"gather.logs", "cluster-scoped-resources/core/namespaces/namespaces/x.yaml"}},
		{LayoutMustGather, []string{"a/hostedcluster-x", "a/img", "b/img"}, []string{
			"event-filter.html", "b/img/namespaces/x/x.yaml", "a/img/cluster-scoped-resources/c/d/e.yaml", "a/hostedcluster-x/namespaces/x/core/pods.yaml"}},
		{LayoutInspect, []string{"inspect.local.7"}, []string{"inspect.local.7/namespaces/x/apps/deployments.yaml"}},
		{LayoutInspect, []string{""}, []string{"namespaces/x/route.openshift.io/routes.yaml"}},
		{LayoutSupportBundleKit, nil, []string{"supportbundle_1/yamls/cluster/v1/nodes.yaml", "supportbundle_1/metadata.yaml"}},
		{LayoutSupportBundleKit, nil, []string{"yamls/namespaced/x/v1/pods.yaml"}},
		{LayoutTroubleshoot, nil, []string{"sb/version.yaml", "sb/cluster-resources/pods/default.json"}},
		{LayoutVelero, nil, []string{"metadata/version", "resources/pods/namespaces/default/a.json", "resources/nodes/cluster/b.json"}},
		{LayoutVelero, nil, []string{"metadata/version", "resources/nodes/cluster/b.json"}},
		{LayoutInsights, []string{""}, []string{"config/id", "cluster-scoped-resources/core/nodes/a.json"}},
		{LayoutInsights, nil, []string{"insights-operator/gathers.json", "config/pod/x/y.json"}},
		{LayoutSOS, nil, []string{"sosreport-x/sos_commands/kubernetes/kubectl_get"}},
		{LayoutClusterInfo, nil, []string{"dump/nodes.json", "dump/default/pods.json"}},
		{"", nil, []string{"dump/nodes.json", "other/default/pods.json"}},
		{"", []string{"", "clusters/a"}, []string{"namespaces/team-a/quota.yaml", "clusters/a/namespaces/b/c/d.yaml"}},
		{"", nil, []string{"namespaces/team-a.yaml", "a.yaml", "resources/x.yaml", "resources/cluster/x.yaml", "version.yaml"}},
	}
	for _, c := range cases {
		for range 2 {
			layout, roots := Layout(slices.Values(c.names))
			if diff := cmp.Diff(c.roots, roots); diff != "" || layout != c.layout {
				t.Errorf("%v: layout %q, want %q; roots %s", c.names, layout, c.layout, diff)
			}
			slices.Reverse(c.names)
		}
	}
}

func TestRootOf(t *testing.T) {
	roots := []string{"", "a", "a/b", "in.tar!"}
	for name, want := range map[string]string{
		"x.yaml": "", "a/x.yaml": "a", "a/b/c/x.yaml": "a/b", "ab/x.yaml": "", "a": "", "in.tar!/x.yaml": "in.tar!", "in.tar/x": "",
	} {
		if got := RootOf(name, roots); got != want {
			t.Errorf("RootOf(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLayoutsOfSeveralArchivesInOneInput(t *testing.T) {
	root := writeTree(t, map[string]string{
		"a.tgz": string(gz(tarOf(entry{name: "yamls/cluster/v1/nodes.yaml", data: config("n")}))),
		"b.tgz": string(gz(tarOf(entry{name: "x/namespaces/n/core/pods.yaml", data: config("p")}))),
	})
	in := walk(t, Options{Want: Candidate}, root).sum.Inputs[0]
	if in.Layout != LayoutSupportBundleKit {
		t.Errorf("layout %q", in.Layout)
	}
	if diff := cmp.Diff([]string{"b.tgz!/x"}, in.Roots); diff != "" {
		t.Error(diff)
	}
	if a, b := in.LayoutOf("a.tgz!/x"), in.LayoutOf("b.tgz!/x"); a != LayoutSupportBundleKit || b != LayoutInspect {
		t.Errorf("layouts %q and %q", a, b)
	}
}

func TestPassedOverFilesTellTheLayoutToo(t *testing.T) {
	got := walkBytes(t, Options{}, "x.tar", tarOf(entry{name: "m/event-filter.html", data: "<html>"}, entry{name: "m/namespaces/x/x.yaml", data: config("x")}))
	if got.sum.Inputs[0].Layout != LayoutMustGather {
		t.Errorf("layout %q", got.sum.Inputs[0].Layout)
	}
}
