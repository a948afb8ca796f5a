package patch

import (
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// TestFieldsThatTheServerRefusesToChange: a patch at, above or below a field of the list changes it,
// but not below a field that the list excepts.
func TestFieldsThatTheServerRefusesToChange(t *testing.T) {
	for _, c := range []struct {
		apiVersion, kind, input, patch, want string
		others                               bool
	}{
		{"rbac.authorization.k8s.io/v1", "RoleBinding", "{}", "roleRef: {name: a}\nsubjects: []", "roleRef.name", true},
		{"v1", "PersistentVolumeClaim", "{}", "spec: {resources: {requests: {storage: 2Gi}}, accessModes: [a]}", "spec.accessModes", true},
		{"apps/v1", "StatefulSet", "{}", "spec: {replicas: 2, template: {spec: {a: b}}}", "", true},
		{"apps/v1", "StatefulSet", "{}", "spec: {serviceName: a, replicasX: 1}", "spec.replicasX spec.serviceName", false},
		{"apps/v1", "Deployment", "{}", "spec: null", "spec", false},
		{"apps/v1", "Deployment", "{}", "spec: {selectors: 1}", "", true},
		{"apps/v1", "Deployment", "{}", "spec: {selector: {matchLabels: {a: null}}}", "spec.selector.matchLabels.a", false},
		{"example.com/v1", "Deployment", "{}", "spec: {selector: 1}", "", true},
		{"v1", "ConfigMap", "immutable: true", "data: {a: b}", "data.a", false},
		{"v1", "Secret", "immutable: true", "stringData: {a: b}", "stringData.a", false},
		{"v1", "ServiceAccount", "immutable: true", "data: {a: b}", "", true},
		{"example.com/v1", "Secret", "immutable: true", "data: {a: b}", "", true},
		{"v2", "Secret", "{}", "type: a", "", true},
		{"v1", "ConfigMap", "immutable: false", "data: {a: b}", "", true},
	} {
		fields, others := unchangeable(finding.Object{APIVersion: c.apiVersion, Kind: c.kind}, decoded(t, c.input), decoded(t, c.patch))
		if strings.Join(fields, " ") != c.want || others != c.others {
			t.Errorf("%s %s: %v, %v", c.kind, c.patch, fields, others)
		}
	}
}

// TestImmutableKindsExist: each line of the list is about a built-in kind, and an exception is below
// a field of its line.
func TestImmutableKindsExist(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(immutable, "\n ", " ")), "\n") {
		head, rules, _ := strings.Cut(line, ": ")
		group, kind, _ := strings.Cut(head, " ")
		apiVersion := group + "/v1"
		if group == "v1" {
			apiVersion = group
		}
		if namespaced, wide := lint.Scope(apiVersion, kind); !namespaced && !wide {
			t.Errorf("Kubernetes has no %s", head)
		}
		fields := strings.Fields(rules)
		for _, f := range fields {
			if except, is := strings.CutPrefix(f, "-"); is && !slices.Contains(fields, except[:max(strings.IndexByte(except, '.'), 0)]) {
				t.Errorf("%s: %s excepts nothing", head, f)
			}
		}
	}
}

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	nodes, fault := kubeyaml.Limits{Nesting: 10, Values: 100}.ParseAt([]byte(text), 0)
	if fault != nil {
		t.Fatal(fault)
	}
	return mapOf(nodes[0].Value())
}
