package generate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/finding"
)

// TestWhatNobodyResetsIsCompared: a CR that clusters make is compared where somebody can change it for good.
func TestWhatNobodyResetsIsCompared(t *testing.T) {
	const release = "annotations: {include.release.openshift.io/self-managed: 'true'}"
	version := func(of, overrides string) string {
		return "---\napiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version, " + release + "}\nspec: {overrides: [" +
			overrides + "]}\nstatus: {desired: {version: " + of + "}}\n"
	}
	node := func(name, labels, spec string) string {
		return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {" + labels + "}, annotations: {a: '" + labels + "'}}\n" +
			"spec: {externalID: e, podCIDR: 10.0.0.0/2" + fmt.Sprint(len(spec)%10) + spec + "}\n"
	}
	space := func(labels string) string {
		return "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: openshift-dns, labels: {" + labels + "}, " + release + "}\n"
	}
	volume := func(uid, policy string) string {
		return "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pvc-1, uid: " + uid +
			", annotations: {pv.kubernetes.io/provisioned-by: csi.example.com}}\nspec: {persistentVolumeReclaimPolicy: " + policy + "}\n"
	}
	deployment := func(replicas int) string {
		return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: dns, namespace: openshift-dns, " + release + "}\nspec: {replicas: " +
			fmt.Sprint(replicas) + "}\n"
	}
	definition := func(group, labels, served string) string {
		return "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: odds." + group + ", labels: {" + labels +
			"}}\nspec: {group: " + group + ", scope: Cluster, names: {kind: Odd, plural: odds}, versions: [{name: v1, storage: true, served: " + served +
			", schema: {openAPIV3Schema: {type: object}}}]}\n"
	}
	bundle := func(label, data string) string {
		return "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ca, namespace: shop, labels: {config.openshift.io/inject-trusted-cabundle: '" +
			label + "'}}\ndata: {" + data + "}\n"
	}
	const left = "{group: apps, kind: Deployment, namespace: openshift-dns, name: dns, unmanaged: true}"
	same := version("4.16.1", "")
	for name, c := range map[string]struct {
		base, other string
		want        []string
	}{
		"a label of a node":      {node("a-1", "k: one", ""), node("a-1", "k: two", ""), []string{"metadata.labels.k"}},
		"a taint":                {node("a-1", "k: one", ""), node("a-1", "k: one", ", taints: [{key: gpu, effect: NoSchedule}]"), []string{"spec.taints"}},
		"a taint of the state":   {node("a-1", "k: one", ""), node("a-1", "k: one", ", taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]"), nil},
		"a cordon":               {node("a-1", "k: one", ""), node("a-1", "k: one", ", unschedulable: true"), []string{"spec.unschedulable"}},
		"a label of a feature":   {node("a-1", "k: one", ""), node("a-1", "k: one, feature.node.kubernetes.io/cpu: a", ""), nil},
		"another node":           {node("a-1", "k: one", ""), node("b-1", "k: two", ""), nil},
		"a label of a Namespace": {space("a: b") + same, space("a: c") + same, []string{"metadata.labels.a"}},
		"a label more":           {space("a: b") + same, space("a: b, pod-security.kubernetes.io/enforce: privileged") + same, []string{`metadata.labels."pod-security.kubernetes.io/enforce"`}},
		"a label of a release":   {space("a: b") + same, space("a: c") + version("4.17.1", ""), nil},
		"the same Namespace":     {space("a: b") + same, space("a: b") + same, nil},
		"a volume":               {volume("u", "Delete"), volume("u", "Retain"), []string{"spec.persistentVolumeReclaimPolicy"}},
		"another volume":         {volume("u", "Delete"), volume("v", "Retain"), nil},
		"a Deployment":           {deployment(1) + same, deployment(2) + same, nil},
		"left alone here":        {deployment(1) + version("4.16.1", left), deployment(2) + version("4.17.1", ""), []string{"spec.replicas"}},
		"left alone there":       {deployment(1) + same, deployment(2) + version("4.16.1", left), []string{"spec.replicas"}},
		"not left alone":         {deployment(1) + same, deployment(2) + version("4.16.1", strings.Replace(left, "true", "false", 1)), nil},
		"left alone and equal":   {deployment(1) + version("4.16.1", left), deployment(1) + version("4.16.1", left), nil},
		"a bundle":               {bundle("true", "ca-bundle.crt: a"), bundle("true", "ca-bundle.crt: b"), nil},
		"a bundle of a person":   {bundle("false", "ca-bundle.crt: a"), bundle("false", "ca-bundle.crt: b"), []string{`data."ca-bundle.crt"`}},
		"a name of the release": {"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: revision-status-1, namespace: shop}\ndata: {k: one}\n",
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: revision-status-1, namespace: shop}\ndata: {k: two}\n", []string{"data.k"}},
		"such a name in the release": {"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: etcd-pod, namespace: openshift-etcd}\ndata: {k: one}\n",
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: etcd-pod, namespace: openshift-etcd}\ndata: {k: two}\n", nil},
		"a ReplicaSet of a person": {"---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, namespace: shop}\nspec: {replicas: 1}\n",
			"---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, namespace: shop}\nspec: {replicas: 2}\n", []string{"spec.replicas"}},
		"a copy of a user": {"---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: r, namespace: shop, " + release + "}\nspec: {replicas: 1}\n",
			"---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: r, namespace: shop, " + release + "}\nspec: {replicas: 2}\n", []string{"spec.replicas"}},
		"a generated name": {"---\napiVersion: example.com/v1\nkind: Odd\nmetadata: {name: r-x2345, generateName: r-}\nspec: {a: b}\n",
			"---\napiVersion: example.com/v1\nkind: Odd\nmetadata: {name: r-x2345, generateName: r-}\nspec: {a: c}\n", []string{"spec.a"}},
		"other generated names": {"---\napiVersion: example.com/v1\nkind: Odd\nmetadata: {name: r-x2345, generateName: r-}\nspec: {a: b}\n",
			"---\napiVersion: example.com/v1\nkind: Odd\nmetadata: {name: r-z2345, generateName: r-}\nspec: {a: c}\n", nil},
		"a definition of a user": {definition("example.com", "", "true"), definition("example.com", "", "false"), []string{"spec.versions.0.served"}},
		"the same definition":    {definition("example.com", "", "true"), definition("example.com", "", "true"), nil},
		"one of the release":     {definition("a.openshift.io", "", "true"), definition("a.openshift.io", "", "false"), nil},
		"one of an operator":     {definition("example.com", "olm.managed: 'true'", "true"), definition("example.com", "olm.managed: 'true'", "false"), nil},
		"only there":             {"", definition("example.com", "", "true"), nil},
		"beside a bundle":        {bundle("true", "ca-bundle.crt: a, k: one"), bundle("true", "ca-bundle.crt: a, k: two"), []string{"data.k"}},
	} {
		users := clusterOf("a.example.com", "{}") + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: a}\ndata: {a: b}\n"
		run := between(t, users+c.base, users+c.other)
		if diff := cmp.Diff(c.want, paths(run)); diff != "" || run.Summary.MissingCRs+run.Summary.Objects.Unmatched > 0 {
			t.Errorf("%s: (-want +got)\n%s%+v", name, diff, run.Summary)
		}
		if run := between(t, users+c.other, users+c.other); len(paths(run)) > 0 {
			t.Errorf("%s: a cluster differs from itself: %q", name, paths(run))
		}
	}
}

// TestMoreRightsAreDrift: what a list that allows something has more is no extra content, also if the first cluster has
// no such list.
func TestMoreRightsAreDrift(t *testing.T) {
	for kind, c := range map[string]struct{ version, base, other string }{
		"SecurityContextConstraints": {"security.openshift.io/v1", "users: []\ngroups: [a]", "users: [b]\ngroups: [a, 'system:authenticated']\nvolumes: ['*']"},
		"Group":                      {"user.openshift.io/v1", "users: [a]", "users: [a, eve]"},
		"OAuthClient":                {"oauth.openshift.io/v1", "redirectURIs: ['https://a']", "redirectURIs: ['https://a', 'https://evil.org']"},
		"OAuth":                      {"config.openshift.io/v1", "spec: {}", "spec: {identityProviders: [{name: evil}]}"},
		"NetworkPolicy":              {"networking.k8s.io/v1", "spec: {podSelector: {}}", "spec: {podSelector: {}, ingress: [{}]}"},
		"EgressFirewall":             {"k8s.ovn.org/v1", "spec: {egress: [{type: Deny}]}", "spec: {egress: [{type: Deny}, {type: Allow}]}"},
		"AdminNetworkPolicy":         {"policy.networking.k8s.io/v1alpha1", "spec: {priority: 1}", "spec: {priority: 1, ingress: [{action: Allow}]}"},
		"ClusterRoleBinding":         {"rbac.authorization.k8s.io/v1", "roleRef: {kind: ClusterRole, name: a}", "roleRef: {kind: ClusterRole, name: a}\nsubjects: [{kind: User, name: eve}]"},
		"ClusterRole": {"rbac.authorization.k8s.io/v1", "aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}",
			"aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}, {matchLabels: {c: d}}]}"},
	} {
		in := ""
		if kind == "NetworkPolicy" || kind == "EgressFirewall" {
			in = ", namespace: shop"
		}
		text := func(of string) string {
			return clusterOf("a.example.com", "{}") + "---\napiVersion: " + c.version + "\nkind: " + kind + "\nmetadata: {name: a" + in + ", labels: {a: b}}\n" + of + "\n"
		}
		run := between(t, text(c.base), text(c.other))
		var all []finding.Category
		for _, one := range run.Comparisons {
			for _, d := range one.Differences {
				all = append(all, d.Category)
			}
		}
		if len(all) == 0 || slices.ContainsFunc(all, func(of finding.Category) bool { return of != finding.Drift }) {
			t.Errorf("%s: %v", kind, all)
		}
		if run := between(t, text(c.other), text(c.other)); len(paths(run)) > 0 {
			t.Errorf("%s differs from itself: %v", kind, paths(run))
		}
	}
}
