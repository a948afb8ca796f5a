package manifest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// deployment is an object of ordinary size as the tools of Kubernetes print it, without what is
// before metadata.name.
func deployment(i int) string {
	var b strings.Builder
	b.WriteString(
		"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  creationTimestamp: \"2025-03-04T09:30:00Z\"\n  labels:\n    app: web\n  managedFields:\n",
	)
	b.WriteString("  - apiVersion: apps/v1\n    fieldsType: FieldsV1\n    fieldsV1:\n      f:spec:\n        .: {}\n")
	for n := range 20 {
		fmt.Fprintf(&b, "        f:field-%d: {}\n", n)
	}
	fmt.Fprintf(
		&b,
		"    manager: someone\n  name: web-%d\n  namespace: shop\n  resourceVersion: \"%d\"\n  uid: 6f0d1c1e-7d3f-4f0f-8f5d-2d7f5a9b%04d\nspec:\n",
		i,
		i,
		i,
	)
	b.WriteString("  replicas: 3\n  template:\n    spec:\n      containers:\n")
	for n := range 3 {
		fmt.Fprintf(
			&b,
			"      - args:\n        - --v=2\n        - --listen=0.0.0.0:8443\n        env:\n        - name: A\n          value: \"%d\"\n",
			n,
		)
		b.WriteString(
			"        image: registry.example.com/web@sha256:8f3f5b0b6b9f1f0f7c3de8fb1a3d1c7e2a9d4c5b6e7f8091a2b3c4d5e6f70819\n        name: main\n",
		)
		b.WriteString(
			"        command:\n        - /bin/sh\n        - -c\n        - |\n          set -e\n          exec web --name: none\n",
		)
	}
	return b.String()
}

const benchmarkObjects = 400

func yamlList() []byte {
	var b bytes.Buffer
	b.WriteString("apiVersion: v1\nitems:\n")
	for i := range benchmarkObjects {
		b.WriteString("- " + strings.ReplaceAll(strings.TrimSuffix(deployment(i), "\n"), "\n", "\n  ") + "\n")
	}
	b.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	return b.Bytes()
}

func yamlDocuments() []byte {
	var b bytes.Buffer
	for i := range benchmarkObjects {
		b.WriteString("---\n" + deployment(i))
	}
	return b.Bytes()
}

func jsonList() []byte {
	var b bytes.Buffer
	b.WriteString("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n")
	for i := range benchmarkObjects {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(
			&b,
			"        {\n            \"apiVersion\": \"v1\",\n            \"data\": {\n                \"text\": %q\n            },\n",
			strings.Repeat("a line of text\n", 30),
		)
		fmt.Fprintf(
			&b,
			"            \"kind\": \"ConfigMap\",\n            \"metadata\": {\n                \"name\": \"settings-%d\",\n                \"namespace\": \"shop\"\n            }\n        }",
			i,
		)
	}
	b.WriteString("\n    ],\n    \"kind\": \"List\"\n}\n")
	return b.Bytes()
}

// BenchmarkRead finds the objects of a file: by the scan as ever, and without it by decoding
// everything.
func BenchmarkRead(b *testing.B) {
	secret := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\ndata:\n  ca.crt: " + strings.Repeat(
		"QUJD", 4000,
	) + "\n"
	for _, c := range []struct {
		name    string
		text    []byte
		objects int
	}{
		{"List", yamlList(), benchmarkObjects}, {"Documents", yamlDocuments(), benchmarkObjects}, {"JSON", jsonList(), benchmarkObjects},
		{"LongLines", []byte(strings.Repeat("---\n"+secret, 40)), 40},
		{"LongText", []byte("apiVersion: v1\ndata:\n  t: |\n" + strings.Repeat("    a line of text\n", 50_000) + "kind: ConfigMap\nmetadata:\n  name: t\n"), 1},
		{"NotASCII", bytes.ReplaceAll(yamlList(), []byte("someone"), []byte("jemand für alles")), benchmarkObjects},
	} {
		b.Run("scan/"+c.name, func(b *testing.B) { benchmarkRead(b, c.text, c.objects, false) })
		b.Run("decode/"+c.name, func(b *testing.B) { benchmarkRead(b, c.text, c.objects, true) })
	}
}

func benchmarkRead(b *testing.B, text []byte, objects int, decode bool) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if got := read("a.yaml", "", text, Hints{}, decode); len(got.Objects) != objects || len(got.Problems) > 0 {
			b.Fatalf("%d objects, %v", len(got.Objects), got.Problems)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*objects), "ns/object")
}
