package crdschema

import (
	"encoding/json"
	"testing"

	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestBuiltInKinds checks that each kind of the packed table can be decoded with all that it refers to,
// and fields of some kinds.
func TestBuiltInKinds(t *testing.T) {
	const fewest = 60
	b := NewBuiltIn()
	if len(b.names) < fewest || b.Version() == "" {
		t.Fatalf("%d kinds of version %q", len(b.names), b.Version())
	}
	for of := range b.names {
		k := b.Kind(of.apiVersion, of.kind)
		if k == nil || k.Root.Properties["metadata"] == nil {
			t.Errorf("%v has no schema", of)
		}
	}
	for name, text := range b.texts {
		d := decoder{}
		value, err := tree.FromJSON([]byte(text))
		if err != nil || d.schema(value) == nil || d.err() != nil {
			t.Errorf("%s: %v, %v", name, err, d.err())
		}
		for _, ref := range refsOf(t, text) {
			if b.texts[ref] == "" {
				t.Errorf("%s refers to %s, which is not there", name, ref)
			}
		}
	}
	for _, c := range []struct{ apiVersion, kind, path, want string }{
		{"apps/v1", "Deployment", "spec.replicas", "integer"},
		{"apps/v1", "Deployment", "spec.template.spec.containers.0.ports.0.containerPort", "integer"},
		{"apps/v1", "DaemonSet", "spec.template.spec.tolerations.*.key", "string"},
		{"v1", "Service", "spec.ports.*.targetPort", ""},
		{"v1", "ConfigMap", "data.any", "string"},
		{"v1", "Service", "spec.nowhere", "-"},
		{"batch/v1", "CronJob", "spec.jobTemplate.spec.template.spec.restartPolicy", "string"},
		{"networking.k8s.io/v1", "NetworkPolicy", "spec.policyTypes.0", "string"},
		{"apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec.versions.*.schema.openAPIV3Schema.properties.a.type", "string"},
		{"apiregistration.k8s.io/v1", "APIService", "spec.service.port", "integer"},
	} {
		path, err := refconfig.ParseFieldPath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		s, missed := b.Kind(c.apiVersion, c.kind).At(path)
		got := "-"
		if missed == nil && s != nil {
			got = s.Type
		}
		if got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.kind, c.path, got, c.want)
		}
	}
	if b.Kind("apps/v1", "Nothing") != nil || b.Kind("apps/v2", "Deployment") != nil {
		t.Error("a kind that is not there")
	}
}

// refsOf returns the names to which the schema of a text refers.
func refsOf(t *testing.T, text string) (all []string) {
	t.Helper()
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, below := range v {
				if ref, ok := below.(string); ok && key == "$ref" {
					all = append(all, ref)
				}
				visit(below)
			}
		case []any:
			for _, below := range v {
				visit(below)
			}
		}
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	visit(v)
	return all
}

// BenchmarkBuiltIn measures what a command pays for the schema of one kind.
func BenchmarkBuiltIn(b *testing.B) {
	for b.Loop() {
		if NewBuiltIn().Kind("apps/v1", "Deployment") == nil {
			b.Fatal("no schema")
		}
	}
}
