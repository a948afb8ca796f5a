package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// builtInTemplates are templates of kinds of Kubernetes without a fault, by their apiVersion and kind.
func builtInTemplates() map[string]string {
	const pod = `
      serviceAccountName: a
      containers:
      - name: a
        image: {{ (index .spec.template.spec.containers 0).image | quote }}
        env: [{name: LEVEL, value: "1"}]
        ports: [{containerPort: 80}]
        resources: {limits: {cpu: 1, memory: 1Gi}}
        volumeMounts: [{name: v, mountPath: /v, readOnly: true}]
        livenessProbe: {httpGet: {path: /, port: http}}
        securityContext: {runAsNonRoot: true, capabilities: {drop: [ALL]}}
      tolerations: [{key: k, operator: Exists, effect: NoSchedule}]
      volumes: [{name: v, configMap: {name: c, defaultMode: 420}}]`
	const selected = "spec:\n  selector: {matchLabels: {app: a}}\n  template:\n    metadata: {labels: {app: a}}\n    spec:"
	return map[string]string{
		"apps/v1 Deployment":                       strings.Replace(selected, "spec:", "spec:\n  replicas: {{ .spec.replicas }}\n  strategy: {type: Recreate}", 1) + pod,
		"apps/v1 DaemonSet":                        strings.Replace(selected, "spec:", "spec:\n  updateStrategy: {type: OnDelete}", 1) + pod,
		"apps/v1 StatefulSet":                      strings.Replace(selected, "spec:", "spec:\n  serviceName: a\n  podManagementPolicy: Parallel", 1) + pod,
		"batch/v1 Job":                             "spec:\n  backoffLimit: 3\n  template:\n    spec:\n      restartPolicy: Never" + pod,
		"batch/v1 CronJob":                         "spec:\n  schedule: \"*/5 * * * *\"\n  concurrencyPolicy: Forbid\n  jobTemplate: {spec: {template: {spec: {containers: [{name: a, image: b}]}}}}",
		"v1 Service":                               "spec:\n  type: ClusterIP\n  selector: {app: a}\n  ports: [{name: p, port: 80, targetPort: http, protocol: TCP}]",
		"v1 Namespace":                             "spec: {finalizers: [kubernetes]}",
		"v1 ServiceAccount":                        "automountServiceAccountToken: false\nimagePullSecrets: [{name: a}]",
		"v1 ConfigMap":                             "data: {a: b}\nbinaryData: {c: YQ==}\nimmutable: true",
		"v1 Secret":                                "type: Opaque\ndata: {a: YQ==}",
		"v1 PersistentVolumeClaim":                 "spec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 5}, limits: {storage: 1.5e3}}\n  storageClassName: fast",
		"v1 PersistentVolume":                      "spec:\n  capacity: {storage: 1Gi}\n  accessModes: [ReadWriteMany]\n  persistentVolumeReclaimPolicy: Retain\n  nfs: {server: a, path: /b}",
		"v1 ResourceQuota":                         "spec: {hard: {pods: 10, requests.cpu: \"4\"}}",
		"v1 LimitRange":                            "spec: {limits: [{type: Container, default: {cpu: 1}, max: {memory: 1Gi}}]}",
		"rbac.authorization.k8s.io/v1 Role":        "rules: [{apiGroups: [\"\"], resources: [pods], verbs: [get]}]",
		"rbac.authorization.k8s.io/v1 RoleBinding": "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: a}\nsubjects: [{kind: ServiceAccount, name: a, namespace: b}]",
		"rbac.authorization.k8s.io/v1 ClusterRole": "aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}\nrules: [{nonResourceURLs: [/a], verbs: [get]}]",
		"rbac.authorization.k8s.io/v1 ClusterRoleBinding": "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: a}\nsubjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: g}]",
		"networking.k8s.io/v1 NetworkPolicy":              "spec:\n  podSelector: {}\n  policyTypes: [Ingress]\n  ingress: [{from: [{podSelector: {matchLabels: {a: b}}}], ports: [{port: 80, protocol: TCP}]}]",
		"networking.k8s.io/v1 Ingress":                    "spec:\n  ingressClassName: a\n  rules: [{host: a.b, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]",
		"storage.k8s.io/v1 StorageClass":                  "provisioner: a\nreclaimPolicy: Delete\nallowVolumeExpansion: true\nvolumeBindingMode: Immediate\nparameters: {a: b}",
		"policy/v1 PodDisruptionBudget":                   "spec: {minAvailable: 50%, selector: {matchLabels: {a: b}}}",
		"scheduling.k8s.io/v1 PriorityClass":              "value: 1000\nglobalDefault: false\ndescription: a",
		"autoscaling/v2 HorizontalPodAutoscaler":          "spec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}\n  maxReplicas: 3",
		"admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration": "webhooks: [{name: a, sideEffects: None, admissionReviewVersions: [v1], failurePolicy: Fail, " +
			"clientConfig: {service: {name: a, namespace: b, port: 443}}, rules: [{apiGroups: [\"*\"], operations: [CREATE], scope: \"*\"}]}]",
		"apiextensions.k8s.io/v1 CustomResourceDefinition": "spec:\n  group: a.b\n  scope: Namespaced\n  names: {kind: A, plural: as}\n" +
			"  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]",
		"apiregistration.k8s.io/v1 APIService": "spec: {group: a.b, version: v1, groupPriorityMinimum: 1, versionPriority: 1, service: {name: a, namespace: b}}",
	}
}

// builtInFlaws lints a template of a kind of Kubernetes.
func builtInFlaws(of, template string) (found []string) {
	apiVersion, kind, _ := strings.Cut(of, " ")
	place := ", namespace: b"
	if _, isClusterWide := Scope(apiVersion, kind); isClusterWide {
		place = ""
	}
	all := fstest.MapFS{
		"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n")},
		"a.yaml":        {Data: []byte("apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: a" + place + "}\n" + template + "\n")},
	}
	for _, f := range lint(all, Options{}).Flaws {
		if f.Code != "VT2048" { // that a role may have further rights
			found = append(found, string(f.Code)+" "+f.Message)
		}
	}
	return found
}

// TestBuiltInKindsAreChecked makes one fault in a template of a kind of Kubernetes, which must be the only
// finding.
func TestBuiltInKindsAreChecked(t *testing.T) {
	templates := builtInTemplates()
	for of, template := range templates {
		if got := builtInFlaws(of, template); len(got) > 0 {
			t.Errorf("%s has no fault: found %q", of, got)
		}
	}
	for _, c := range []struct{ of, old, new, want string }{
		{"apps/v1 Deployment", "  replicas:", "  replica:", `VT2132 no CR can agree: Deployment of Kubernetes 1.37 has no field spec.replica; did you mean "replicas"?`},
		{"apps/v1 Deployment", "{{ .spec.replicas }}", "{{ .spec.replica }}", `VT2132 the template reads a field`},
		{"apps/v1 Deployment", "serviceAccountName", "serviceAcountName", `did you mean "serviceAccountName"?`},
		{"apps/v1 Deployment", "value: \"1\"", "value: true", `VT2133 no CR can agree, because the API server rejects spec.template.spec.containers.*.env.*.value: Invalid value "boolean": must be of type string`},
		{"apps/v1 Deployment", "containerPort: 80", `containerPort: "80"`, `VT2133`},
		{"apps/v1 Deployment", "type: Recreate", "type: recreate", `supported values: "Recreate", "RollingUpdate"; did you mean "Recreate"?`},
		{"apps/v1 Deployment", "- name: a\n        image", "- image", "VT2134 the schema requires spec.template.spec.containers.*.name of Deployment"},
		{"apps/v1 Deployment", "{containerPort: 80}]", "{containerPort: 80}, {protocol: UDP}]", "VT2134 the schema requires spec.template.spec.containers.*.ports.*.containerPort"},
		{"apps/v1 Deployment", "cpu: 1,", "cpu: one,", `containers.*.resources.limits.cpu: Invalid value "one": must be of type quantity`},
		{"apps/v1 Deployment", "cpu: 1,", "cpu: true,", "must be of type integer,number,string"},
		{"v1 PersistentVolumeClaim", "storage: 5", "storage: 1GiB", "must be of type quantity"},
		{"v1 ConfigMap", "a: b}", "a: b, on: c, y1: d}", "VT2056 YAML reads the key on as true; quote it"},
		{"v1 ConfigMap", "a: b}", "a: b, 0o17: c}", "VT2056 YAML reads the key 0o17 as 15; quote it"},
		{"apps/v1 Deployment", "readOnly: true", "readonly: true", "VT2132"},
		{"apps/v1 DaemonSet", "tolerations", "toleration", "VT2132"},
		{"apps/v1 DaemonSet", "configMap: {name", "configMap: {names", "VT2132"},
		{"apps/v1 StatefulSet", "spec:\n  service", "replicas: 3\nspec:\n  service", "has no field replicas; it has spec.replicas"},
		{"batch/v1 Job", "restartPolicy", "restartPolice", "VT2132"},
		{"batch/v1 Job", "backoffLimit: 3", "backoffLimit: many", "VT2133"},
		{"batch/v1 CronJob", "schedule:", "cron:", "VT2132"},
		{"batch/v1 CronJob", "Forbid", "forbid", "VT2133"},
		{"v1 Service", "port: 80", `port: "80"`, "VT2133"},
		{"v1 Service", "type: ClusterIP", "type: {{ .spec.Type | quote }}", "VT2059"},
		{"v1 Service", "selector: {app: a}", "selector: {matchLabels: {app: a}}", "VT2133"},
		{"v1 Service", "protocol: TCP", "protocol: tcp", "VT2133"},
		{"v1 Namespace", "finalizers", "finalizer", "VT2132"},
		{"v1 ServiceAccount", "imagePullSecrets: [{name: a}]", "imagePullSecret: [{name: a}]", "VT2132"},
		{"v1 ConfigMap", "data: {a: b}", "data: {a: [b]}", "VT2092"},
		{"v1 ConfigMap", "immutable", "imutable", "VT2132"},
		{"v1 Secret", "type: Opaque", "typ: Opaque", "VT2132"},
		{"v1 PersistentVolumeClaim", "ReadWriteOnce", "ReadWriteOne", "VT2133"},
		{"v1 PersistentVolumeClaim", "storageClassName", "storageClass", "VT2132"},
		{"v1 PersistentVolume", "Retain", "Keep", "VT2133"},
		{"v1 ResourceQuota", "hard:", "hards:", "VT2132"},
		{"v1 LimitRange", "max:", "maximum:", "VT2132"},
		{"rbac.authorization.k8s.io/v1 Role", "apiGroups", "apiGroup", "VT2132"},
		{"rbac.authorization.k8s.io/v1 Role", "verbs: [get]", "verbs: get", "VT2133"},
		{"rbac.authorization.k8s.io/v1 RoleBinding", "roleRef: {apiGroup", "roleRef: {apigroup", "VT2132"},
		{"rbac.authorization.k8s.io/v1 ClusterRole", "nonResourceURLs", "nonResourceUrls", "VT2132"},
		{"rbac.authorization.k8s.io/v1 ClusterRoleBinding", "subjects: [{kind: Group, apiGroup", "subjects: [{kind: Group, apiVersion", "VT2132"},
		{"networking.k8s.io/v1 NetworkPolicy", "podSelector: {}", "podselector: {}", "VT2132"},
		{"networking.k8s.io/v1 NetworkPolicy", "[Ingress]", "[ingress]", "VT2133"},
		{"networking.k8s.io/v1 Ingress", "port: {number: 80}", "port: 80", "VT2133"},
		{"storage.k8s.io/v1 StorageClass", "provisioner", "provisoner", "VT2132"},
		{"storage.k8s.io/v1 StorageClass", "allowVolumeExpansion: true", `allowVolumeExpansion: "true"`, "VT2133"},
		{"policy/v1 PodDisruptionBudget", "minAvailable: 50%", "minAvailible: 50%", "VT2132"},
		{"scheduling.k8s.io/v1 PriorityClass", "value: 1000", "value: high", "VT2133"},
		{"autoscaling/v2 HorizontalPodAutoscaler", "maxReplicas", "maxReplica", "VT2132"},
		{"admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration", "failurePolicy: Fail", "failurePolicy: Reject", "VT2133"},
		{"apiextensions.k8s.io/v1 CustomResourceDefinition", "scope:", "scop:", "VT2132"},
		{"apiregistration.k8s.io/v1 APIService", "versionPriority", "versionPrio", "VT2132"},
	} {
		template := templates[c.of]
		if !strings.Contains(template, c.old) {
			t.Errorf("%s has no %q", c.of, c.old)
			continue
		}
		got := builtInFlaws(c.of, strings.Replace(template, c.old, c.new, 1))
		if len(got) != 1 || !strings.Contains(got[0], c.want) {
			t.Errorf("%s with %q: found %q, want %s", c.of, c.new, got, c.want)
		}
	}
}

// TestTheExamplesKeepTheSchemasOfKubernetes checks CRs of the examples and of the published inputs against
// the schemas of the kinds of Kubernetes, each as if it were a template.
func TestTheExamplesKeepTheSchemasOfKubernetes(t *testing.T) {
	var files []string
	for _, folder := range []string{"../../../examples", "../../../../shared/conformance/inputs"} {
		_ = filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".yaml" && strings.Contains(path, "cluster") || strings.Contains(path, "inputs/") {
				files = append(files, path)
			}
			return nil // what is not there is not checked
		})
	}
	checked := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(text), "{{") {
			continue
		}
		all := fstest.MapFS{
			"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n")},
			"a.yaml":        {Data: text},
		}
		for _, f := range lint(all, Options{}).Flaws {
			if slices.Contains([]string{"VT2132", "VT2133", "VT2134"}, string(f.Code)) {
				t.Errorf("%s:%d: %s", file, f.Line, f.Message)
			}
		}
		checked++
	}
	if checked == 0 {
		t.Error("no CR was checked")
	}
}

// TestFieldsOfLookedUpKinds checks that an index into what lookupCRs returns is no field.
func TestFieldsOfLookedUpKinds(t *testing.T) {
	const template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata:\n" +
		"  a: {{ (index (lookupCRs \"v1\" \"Node\" \"\" \"*\") 0).metadata.name | quote }}\n" +
		"  b: {{ index (lookupCRs \"v1\" \"Node\" \"\" \"*\") 0 \"spec\" \"unschedulable\" | quote }}\n" +
		"  c: {{ (index (lookupCRs \"v1\" \"Node\" \"\" \"*\") 0).spec.foo | quote }}\n" +
		"  d: {{ (lookupCR \"v1\" \"Node\" \"\" \"a\").spec.bar | quote }}\n"
	all := fstest.MapFS{
		"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n")},
		"a.yaml":        {Data: []byte(template)},
	}
	var got []string
	for _, f := range lint(all, Options{}).Flaws {
		if f.Code == "VT2132" {
			got = append(got, f.Message)
		}
	}
	if len(got) != 2 || !strings.Contains(got[0], "has no field spec.foo") || !strings.Contains(got[1], "has no field spec.bar") {
		t.Errorf("found %q", got)
	}
}

// TestEachFaultIsAtItsLine lints templates with several faults: each has a finding in its line, also if the
// text of a branch is not YAML.
func TestEachFaultIsAtItsLine(t *testing.T) {
	const head = "/v1\nkind: Deployment\nmetadata: {name: a, namespace: b}\nspec:\n"
	for _, c := range []struct{ group, template, want string }{
		{"apps", "  strategy:\n    {{- if eq .spec.strategy.type \"Fast\" }}\n    type: Recreate\n" +
			"    {{- else if eq .spec.strategy.type \"Slow\" }}\n    type: RollingUpdate\n    {{- end }}\n", "6 VT2133, 8 VT2133"},
		{"apps", "  a: {{ index .spec.x 46 }}\n  b: {{ index .spec.y 5000 }}\n", "5 VT2132, 5 VT2132, 6 VT2132, 6 VT2132"},
		{"apps", "  pattern: ^a$\n  x: ^a$\n", "5 VT2132, 6 VT2132, 6 VT2068"},
		{"example.com", "  pipelines:\n    {{- range .spec.pipeline }}\n    - a: {{ .a }}\n    {{- end }}\n", "6 VT2091"},
		{"example.com", "  {{- if .spec.pods }}\n  port: 1\n  {{- end }}\n  {{- if .spec.part }}\n  ports: 2\n  {{- end }}\n", ""},
		{"apps", "  replica: 2\n  {{- if .spec.paused }}\n    paused: true\n  {{- end }}\n  revisionHistoryLimit: \"5\"\n", "5 VT2132, 7 VT2063, 9 VT2133"},
	} {
		d := lint(fstest.MapFS{
			"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n")},
			"a.yaml":        {Data: []byte("apiVersion: " + c.group + head + c.template)},
		}, Options{})
		var got []string
		for _, f := range d.Flaws {
			got = append(got, fmt.Sprint(f.Line, " ", f.Code))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: found %q, want %q", c.template, got, c.want)
		}
	}
}
