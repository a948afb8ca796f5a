package collector

import "testing"

func TestSamples(t *testing.T) {
	for _, c := range []struct {
		layout, group, kind string
		listed, want        bool
	}{
		{MustGather, "", "Namespace", false, true},
		{MustGather, "", "ConfigMap", false, true},
		{MustGather, "", "ConfigMap", true, false},
		{MustGather, "", "Node", false, false},
		{Inspect, "rbac.authorization.k8s.io", "ClusterRole", false, true},
		{Inspect, "operator.openshift.io", "Network", false, true},
		{Inspect, "operator.openshift.io", "IngressController", false, false},
		{Inspect, "machineconfiguration.openshift.io", "MachineConfig", false, false},
		{SupportBundleKit, "", "Secret", true, true},
		{SupportBundleKit, "harvesterhci.io", "Setting", true, true},
		{SupportBundleKit, "", "ConfigMap", true, false},
		{Troubleshoot, "", "Secret", true, true},
		{Troubleshoot, "apps", "Deployment", true, false},
		{Insights, "config.openshift.io", "Proxy", false, true},
		{Velero, "", "Service", false, true},
		{ClusterInfo, "", "Node", true, false},
		{"", "", "Namespace", false, false},
	} {
		if got := Samples(c.layout, c.group, c.kind, c.listed); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestGroupsOfCustomKinds(t *testing.T) {
	for group, want := range map[string]bool{
		"": false, "apps": false, "storage.k8s.io": false, "metallb.io": true, "config.openshift.io": true, "route.openshift.io": false,
		"operators.coreos.com": true, "packages.operators.coreos.com": false, "openshift.io": true,
	} {
		if got := IsCustom(group); got != want {
			t.Errorf("%q: %v", group, got)
		}
	}
	if !HasAllDefinitions(MustGather, "clusteroperators.config.openshift.io") ||
		HasAllDefinitions(MustGather, "ptpconfigs.ptp.openshift.io") ||
		HasAllDefinitions(Troubleshoot, "clusteroperators.config.openshift.io") {
		t.Error("which definition stands for all")
	}
}
