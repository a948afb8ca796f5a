package collector

import "testing"

func TestPathID(t *testing.T) {
	const mg = "must-gather.local.1/quay-io-x-sha256-1/"
	for path, want := range map[string]string{
		mg + "cluster-scoped-resources/core/persistentvolumes.yaml":               "persistentvolumes of the cluster",
		mg + "cluster-scoped-resources/core/namespaces/values-x.yaml":             "namespaces/values-x of the cluster",
		mg + "cluster-scoped-resources/config.openshift.io/proxies/cluster.yaml":  "proxies.config.openshift.io/cluster of the cluster",
		"cluster-scoped-resources/config.openshift.io/proxies.json":               "proxies.config.openshift.io of the cluster",
		mg + "namespaces/ns/ns.yaml":                                              "namespaces/ns of the cluster",
		mg + "namespaces/ns/core/configmaps.yaml":                                 "configmaps of namespace ns",
		mg + "namespaces/ns/core/configmaps/compose-x.yaml":                       "configmaps/compose-x of namespace ns",
		mg + "namespaces/ns/apps/deployments.yaml":                                "deployments.apps of namespace ns",
		mg + "namespaces/ns/ptp.openshift.io/ptpconfigs/a.yml":                    "ptpconfigs.ptp.openshift.io/a of namespace ns",
		mg + "namespaces/ns/pods/web-1/web-1.yaml":                                "pods/web-1 of namespace ns",
		"hub.tar.gz!namespaces/ns/core/secrets.yaml":                              "secrets of namespace ns",
		"supportbundle_1/yamls/cluster/v1/nodes.yaml":                             "nodes of the cluster",
		"yamls/cluster/node.harvesterhci.io/v1beta1/cloudinits.yaml":              "cloudinits.node.harvesterhci.io of the cluster",
		"b/yamls/namespaced/ns/v1/configmaps.yaml":                                "configmaps of namespace ns",
		"b/yamls/namespaced/ns/apps/v1/deployments.yaml":                          "deployments.apps of namespace ns",
		"gitops/namespaces/values-prod.yaml":                                      "",
		"gitops/namespaces/team/values-prod.yaml":                                 "",
		"gitops/namespaces/team/kustomization.yaml":                               "",
		"gitops/namespaces/team/apps/kustomization.yaml":                          "",
		"gitops/namespaces/team/apps/shop/kustomization.yaml":                     "",
		"gitops/namespaces/team/base/deployments/web.yaml":                        "",
		"gitops/namespaces/team/apps/web/config.json":                             "",
		mg + "namespaces/ns/pods/web-1/web/web/logs/current.log":                  "",
		mg + "namespaces/ns/pods/web-1/other.yaml":                                "",
		mg + "cluster-scoped-resources/x.yaml":                                    "",
		mg + "cluster-scoped-resources/core//x.yaml":                              "",
		mg + "cluster-scoped-resources/machineconfiguration.openshift.io/a/b/c/x": "",
		"yamls/cluster/nodes.yaml":                                                "",
		"yamls/cluster/apps/values/nodes.yaml":                                    "",
		mg + "monitoring/alerts.json":                                             "",
		"x.yaml":                                                                  "",
		"":                                                                        "",
	} {
		id, ok := IDOf(path)
		if ok != (want != "") || ok && id.String() != want {
			t.Errorf("%s: %v %v, want %q", path, id, ok, want)
		}
	}
}

func TestPluralsOfKinds(t *testing.T) {
	for _, c := range []struct {
		kind, plural string
		want         bool
	}{
		{"ConfigMap", "configmaps", true},
		{"Ingress", "ingresses", true},
		{"Proxy", "proxies", true},
		{"Gateway", "gateways", true},
		{"Endpoints", "endpoints", true},
		{"DNS", "dnses", true},
		{"HardwareData", "hardwaredata", true},
		{"SecurityContextConstraints", "securitycontextconstraints", true},
		{"Pod", "podtemplates", false},
		{"Service", "serviceaccounts", false},
		{"Proxy", "proxes", false},
	} {
		if got := (PathID{Plural: c.plural}).OfKind(c.kind); got != c.want {
			t.Errorf("%s %s: %v", c.kind, c.plural, got)
		}
	}
}
