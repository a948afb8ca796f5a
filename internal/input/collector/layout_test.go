package collector

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
		{MustGather, []string{"must-gather.local.12/quay-io-x-sha256-ab"}, []string{
			image + "version", image + "cluster-scoped-resources/core/nodes/a.yaml", image + "namespaces/default/core/pods.yaml"}},
		{
			MustGather,
			[]string{""},
			[]string{"gather.logs", "cluster-scoped-resources/core/namespaces/namespaces/x.yaml"},
		},
		{MustGather, []string{"a/hostedcluster-x", "a/img", "b/img"}, []string{
			"event-filter.html", "b/img/namespaces/x/x.yaml", "a/img/cluster-scoped-resources/c/d/e.yaml", "a/hostedcluster-x/namespaces/x/core/pods.yaml"}},
		{Inspect, []string{"inspect.local.7"}, []string{"inspect.local.7/namespaces/x/apps/deployments.yaml"}},
		{Inspect, []string{""}, []string{"namespaces/x/route.openshift.io/routes.yaml"}},
		{
			SupportBundleKit,
			nil,
			[]string{"supportbundle_1/yamls/cluster/v1/nodes.yaml", "supportbundle_1/metadata.yaml"},
		},
		{SupportBundleKit, nil, []string{"yamls/namespaced/x/v1/pods.yaml"}},
		{Troubleshoot, nil, []string{"sb/version.yaml", "sb/cluster-resources/pods/default.json"}},
		{
			Velero,
			nil,
			[]string{"metadata/version", "resources/pods/namespaces/default/a.json", "resources/nodes/cluster/b.json"},
		},
		{Velero, nil, []string{"metadata/version", "resources/nodes/cluster/b.json"}},
		{Insights, []string{""}, []string{"config/id", "cluster-scoped-resources/core/nodes/a.json"}},
		{Insights, nil, []string{"insights-operator/gathers.json", "config/pod/x/y.json"}},
		{SOS, nil, []string{"sosreport-x/sos_commands/kubernetes/kubectl_get"}},
		{ClusterInfo, nil, []string{"dump/nodes.json", "dump/default/pods.json"}},
		{"", nil, []string{"dump/nodes.json", "other/default/pods.json"}},
		{"", []string{"", "clusters/a"}, []string{"namespaces/team-a/quota.yaml", "clusters/a/namespaces/b/c/d.yaml"}},
		{
			"",
			nil,
			[]string{
				"namespaces/team-a.yaml",
				"a.yaml",
				"resources/x.yaml",
				"resources/cluster/x.yaml",
				"version.yaml",
			},
		},
	}
	shown := map[string]bool{}
	for _, c := range cases {
		shown[c.layout] = true
		for range 2 {
			var names Names
			for _, name := range c.names {
				names.Add(name)
			}
			layout, _ := names.Layout()
			roots := names.Roots()
			if diff := cmp.Diff(c.roots, roots); diff != "" || layout != c.layout {
				t.Errorf("%v: layout %q, want %q; roots %s", c.names, layout, c.layout, diff)
			}
			slices.Reverse(c.names)
		}
	}
	for _, c := range table() {
		if !shown[c.layout] {
			t.Errorf("there is no archive of %s", c.layout)
		}
	}
}

func TestOnlyMarksOfACollectorAreCertain(t *testing.T) {
	for name, want := range map[string]bool{
		"namespaces/x/core/pods.yaml":                           false,
		"a/cluster-scoped-resources/core/nodes/a.yaml":          false,
		"inspect.local.7/namespaces/x/core/pods.yaml":           true,
		"must-gather.local.7/img/namespaces/x/core/pods.yaml":   true,
		"quay-io-x-sha256-ab/namespaces/x/core/pods.yaml":       true,
		"namespaces/x/pods/y/c/c/logs/current.log":              true,
		"namespaces/x/core/pods/y/logs/current.log":             true,
		"yamls/cluster/v1/nodes.yaml":                           false,
		"supportbundle_1/yamls/cluster/v1/nodes.yaml":           true,
		"namespaces/must-gather/core/my-must-gather.local.yaml": false,
		"sosreport-x/sos_commands/kubernetes/kubectl_get":       true,
		"config/id": true,
	} {
		var names Names
		names.Add(name)
		if layout, certain := names.Layout(); layout == "" || certain != want {
			t.Errorf("%s: layout %q, certain: %v", name, layout, certain)
		}
	}
}

func TestMarksAround(t *testing.T) {
	for folder, want := range map[string]string{
		"/a/mg/namespaces":           "/a/mg/gather.logs",
		"/a/mg/namespaces/x/core":    "/a/mg/gather.logs",
		"/sb/cluster-resources/pods": "/sb/version.yaml",
		"/backup/resources/pods":     "/backup/metadata/version",
		"/namespaces":                "/gather.logs",
	} {
		if marks := MarksAround(folder); !slices.Contains(marks, want) {
			t.Errorf("%s: %v", folder, marks)
		}
	}
	for _, folder := range []string{"/", "/a/b", "/my-namespaces/x", "/a/namespaces.d"} {
		if marks := MarksAround(folder); len(marks) > 0 {
			t.Errorf("%s: %v", folder, marks)
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
