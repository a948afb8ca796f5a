package generate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// assignedCases are the fields to which a cluster may assign values, with what two clusters have of one CR.
// FILE is the annotation with the file that was applied, MANAGER what the manager of a field says.
func assignedCases() map[string]struct {
	base, other string
	want        []string // the paths that differ
	noted       int      // the fields that agree although they differ
} {
	type row = struct {
		base, other string
		want        []string
		noted       int
	}
	const service, claim, volume = "Service; spec: ", "PersistentVolumeClaim; spec: ", "PersistentVolume; spec: "
	const space, account = "Namespace; metadata: {annotations: ", "ServiceAccount; "
	const bound = "; metadata: {annotations: {pv.kubernetes.io/bound-by-controller: 'yes'}}"
	const applied = "; metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: '" +
		`{"spec":{"ports":[{"port":80,"nodePort":30080}]}}` + "'}}"
	managed := func(manager string) string {
		return "; metadata: {managedFields: [{manager: " + manager + `, fieldsV1: {"f:spec": {"f:ports": ` +
			`{'k:{"port":80,"protocol":"TCP"}': {"f:nodePort": {}}}}}}]}`
	}
	port := func(number string) string {
		return "{type: NodePort, ports: [{port: 80, protocol: TCP, nodePort: " + number + "}, {port: 81, protocol: TCP, nodePort: 3" + number + "}]}"
	}
	return map[string]row{
		"addresses": {service + "{clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1]}", service + "{clusterIP: 10.0.0.2, clusterIPs: [10.0.0.2]}", nil, 2},
		"headless": {service + "{clusterIP: None, clusterIPs: [None]}", service + "{clusterIP: 10.0.0.2, clusterIPs: [10.0.0.2]}",
			[]string{"spec.clusterIP", "spec.clusterIPs.0"}, 0},
		"no longer headless":       {service + "{clusterIP: 10.0.0.2}", service + "{clusterIP: None}", []string{"spec.clusterIP"}, 0},
		"headless on both":         {service + "{clusterIP: None}", service + "{clusterIP: None}", nil, 0},
		"no address yet":           {service + "{type: ClusterIP}", service + "{type: ClusterIP, clusterIP: 10.0.0.2}", nil, 1},
		"node ports":               {service + port("1000"), service + port("1001"), nil, 2},
		"a port of a file":         {service + port("30080") + applied, service + port("30081"), []string{"spec.ports.0.nodePort"}, 1},
		"a port of another file":   {service + port("30080"), service + port("30081") + applied, nil, 2},
		"a port of a manager":      {service + port("30080"), service + port("30081") + managed("argocd-controller"), []string{"spec.ports.0.nodePort"}, 1},
		"a port of the same UID":   {service + port("1") + "; metadata: {uid: u}", service + port("2") + "; metadata: {uid: u}", []string{"spec.ports.0.nodePort", "spec.ports.1.nodePort"}, 0},
		"ports of another type":    {service + "{type: ClusterIP, ports: [{port: 80, protocol: TCP}]}", service + "{type: NodePort, ports: [{port: 80, protocol: TCP, nodePort: 1}]}", []string{"spec.type"}, 1},
		"a port for health":        {service + "{healthCheckNodePort: 1}", service + "{healthCheckNodePort: 2}", nil, 1},
		"a claim of a controller":  {claim + "{volumeName: a}" + bound, claim + "{volumeName: b}" + bound, nil, 1},
		"a claim of a person":      {claim + "{volumeName: a}", claim + "{volumeName: b}" + bound, []string{"spec.volumeName"}, 0},
		"a free claim":             {claim + "{storageClassName: a}", claim + "{storageClassName: a, volumeName: b}" + bound, nil, 1},
		"a chosen volume":          {claim + "{storageClassName: a}", claim + "{storageClassName: a, volumeName: b}", []string{"spec.volumeName"}, 0},
		"a volume of a controller": {volume + "{claimRef: {namespace: a, name: a, uid: a}}" + bound, volume + "{claimRef: {namespace: a, name: b, uid: b}}" + bound, nil, 2},
		"a volume of a person":     {volume + "{claimRef: {namespace: a, name: a, uid: a}}", volume + "{claimRef: {namespace: a, name: b, uid: b}}", []string{"spec.claimRef.name"}, 1},
		"a free volume":            {volume + "{storageClassName: a}", volume + "{storageClassName: a, claimRef: {namespace: a, name: b}}" + bound, nil, 2},
		"a storage class": {claim + "{}; metadata: {annotations: {volume.beta.kubernetes.io/storage-class: a}}",
			claim + "{}; metadata: {annotations: {volume.beta.kubernetes.io/storage-class: b}}", []string{`metadata.annotations."volume.beta.kubernetes.io/storage-class"`}, 0},
		"ranges": {space + "{openshift.io/sa.scc.uid-range: 1000650000/10000, openshift.io/sa.scc.mcs: 's0:c26,c5'}}",
			space + "{openshift.io/sa.scc.uid-range: 1000660000/10000, openshift.io/sa.scc.mcs: 's0:c26,c10'}}", nil, 2},
		"a range of a person": {space + "{openshift.io/sa.scc.uid-range: 1000650000/10000}}", space + "{openshift.io/sa.scc.uid-range: 5000/10}}",
			[]string{`metadata.annotations."openshift.io/sa.scc.uid-range"`}, 0},
		"no range yet":          {"Namespace; metadata: {labels: {a: b}}", space + "{openshift.io/sa.scc.uid-range: 1000660000/10000}, labels: {a: b}}", nil, 1},
		"finalizers":            {"Namespace; spec: {finalizers: [kubernetes]}", "Namespace; spec: {finalizers: [example.com/a]}", []string{"spec.finalizers.0"}, 0},
		"a finalizer of a user": {"ConfigMap; data: {a: b}; metadata: {finalizers: [example.com/keep]}", "ConfigMap; data: {a: b}", []string{"metadata.finalizers"}, 0},
		"another finalizer of a user": {"ConfigMap; metadata: {finalizers: [example.com/keep, kubernetes.io/x]}", "ConfigMap; metadata: {finalizers: [kubernetes.io/y, example.com/other]}",
			[]string{"metadata.finalizers.1"}, 1},
		"more finalizers":            {"ConfigMap; data: {a: b}", "ConfigMap; data: {a: b}; metadata: {finalizers: [example.com/keep]}", []string{"metadata.finalizers"}, 0},
		"finalizers in any order":    {"ConfigMap; metadata: {finalizers: [a.com/a, b.com/b]}", "ConfigMap; metadata: {finalizers: [b.com/b, a.com/a]}", nil, 0},
		"finalizers of controllers":  {"ConfigMap; metadata: {finalizers: [kubernetes.io/pvc-protection]}", "ConfigMap; metadata: {finalizers: [service.kubernetes.io/x, machine.machine.openshift.io, external-attacher/csi, a.infrastructure.cluster.x-k8s.io]}", nil, 1},
		"a finalizer while deleting": {"ConfigMap; data: {a: b}", "ConfigMap; data: {a: b}; metadata: {finalizers: [foregroundDeletion]}", nil, 1},
		"a finalizer like theirs":    {"ConfigMap; data: {a: b}", "ConfigMap; data: {a: b}; metadata: {finalizers: [notopenshift.io/a, example.com/k8s.io]}", []string{"metadata.finalizers"}, 0},
		"static APIs": {"OperatorGroup; spec: {staticProvidedAPIs: true}; metadata: {annotations: {olm.providedAPIs: A.v1.a}}", "OperatorGroup; spec: {staticProvidedAPIs: true}; metadata: {annotations: {olm.providedAPIs: B.v1.a}}",
			[]string{`metadata.annotations."olm.providedAPIs"`}, 0},
		"APIs of operators": {"OperatorGroup; spec: {targetNamespaces: [a]}; metadata: {annotations: {olm.providedAPIs: A.v1.a}}", "OperatorGroup; spec: {targetNamespaces: [a]}; metadata: {annotations: {olm.providedAPIs: B.v1.a}}",
			nil, 0},
		"tokens": {account + "secrets: [{name: app-token-abcde}, {name: app-dockercfg-abcde}]; imagePullSecrets: [{name: app-dockercfg-abcde}]",
			account + "secrets: [{name: app-dockercfg-x2345}]; imagePullSecrets: [{name: app-dockercfg-x2345}]", nil, 2},
		"a token of another account": {account + "secrets: [{name: app-dockercfg-abcde}]", account + "secrets: [{name: b-dockercfg-abcde}]",
			[]string{"secrets"}, 1},
		"no token yet": {account + "automountServiceAccountToken: true", account + "automountServiceAccountToken: true; secrets: [{name: app-token-abcde}]", nil, 1},
		"a pull secret": {account + "imagePullSecrets: [{name: app-dockercfg-abcde}, {name: corp}]", account + "imagePullSecrets: [{name: app-dockercfg-x2345}]",
			[]string{"imagePullSecrets.1"}, 1},
		"another pull secret": {account + "imagePullSecrets: [{name: app-dockercfg-abcde}]", account + "imagePullSecrets: [{name: app-dockercfg-x2345}, {name: corp}]",
			[]string{"imagePullSecrets.1"}, 1},
	}
}

// TestWhatAPersonWroteIsNotAssigned: two clusters agree in a value that both assigned, which is listed, and in no
// value that somebody wrote.
func TestWhatAPersonWroteIsNotAssigned(t *testing.T) {
	object := func(text string) string {
		kind, fields, _ := strings.Cut(text, "; ")
		metadata := "{name: app, namespace: shop"
		var rest []string
		for field := range strings.SplitSeq(fields, "; ") {
			if more, is := strings.CutPrefix(field, "metadata: {"); is {
				metadata += ", " + strings.TrimSuffix(more, "}")
			} else {
				rest = append(rest, field)
			}
		}
		if kind == "Namespace" || kind == "PersistentVolume" {
			metadata = strings.Replace(metadata, ", namespace: shop", "", 1)
		}
		version := "v1"
		if kind == "OperatorGroup" {
			version = "operators.coreos.com/v1"
		}
		return "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: " + metadata + "}\n" + strings.Join(rest, "\n") + "\n"
	}
	for name, c := range assignedCases() {
		base, other := object(c.base), object(c.other)
		run := between(t, base, other)
		got := paths(run)
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" || len(run.Base.Fields) != c.noted {
			t.Errorf("%s: (-want +got)\n%s%+v", name, diff, run.Base.Fields)
		}
		if run := between(t, other, other); len(paths(run)) > 0 || len(run.Base.Fields) > 0 {
			t.Errorf("%s: a cluster differs from itself: %q %+v", name, paths(run), run.Base.Fields)
		}
	}
}
