package compare

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/given"
)

// TestWhichValuesAreChecked changes each value of CRs that agree, also in a document in a text and where
// another template looks, and holds of which a comparison finds the change.
func TestWhichValuesAreChecked(t *testing.T) {
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {Data: []byte(`apiVersion: v2
parts: [{name: p, components: [
  {name: c, allOf: [{path: a.yaml, config: {perField: [{pathToKey: data.doc, embedded: json}]}}]},
  {name: d, anyOf: [{path: b.yaml}, {path: drifts.yaml}]}]}]
`)},
		"a.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: app}\n" +
			"data: {fixed: b, free: '{{ .data.free }}', seen: '{{ .data.seen }}', doc: '{\"in\": 1, \"free\": {{ (fromJson .data.doc).free }} }'}\n")},
		"b.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: app}\n" +
			"data: {seen: '{{ (lookupCR \"v1\" \"ConfigMap\" \"app\" \"a\").data.seen }}'}\n")},
		"drifts.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: drifts, namespace: app}\ndata: {k: a}\n")},
	}, "")
	in := Collected{Objects: given.Objects(t, "in.yaml", `apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: app}
data: {fixed: b, free: c, seen: d, doc: '{"in": 1, "free": 2}'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b, namespace: app}
data: {seen: d}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: drifts, namespace: app}
data: {k: b}
`)}
	var m Mutations
	if _, err := m.Run(t.Context(), ref, engine, in, Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, path := range []string{"a.yaml", "b.yaml", "drifts.yaml"} {
		found := m.Template(path)
		if found == nil {
			got = append(got, path+" not tried")
			continue
		}
		got = append(got, fmt.Sprintf("%s required %v", path, found.Required))
		for _, v := range found.Values {
			got = append(got, fmt.Sprintf("%s %s checked %v many %v", path, v.Path, v.Checked, v.Many))
		}
	}
	want := `a.yaml required true
a.yaml data checked true many true
a.yaml data.doc! checked true many true
a.yaml data.doc!.free checked false many false
a.yaml data.doc!.in checked true many false
a.yaml data.fixed checked true many false
a.yaml data.free checked false many false
a.yaml data.seen checked true many false
a.yaml metadata checked true many true
a.yaml metadata.name checked true many false
a.yaml metadata.namespace checked true many false
b.yaml required false
b.yaml data checked true many true
b.yaml data.seen checked true many false
b.yaml metadata checked true many true
b.yaml metadata.name checked true many false
b.yaml metadata.namespace checked true many false
drifts.yaml required false`
	if diff := cmp.Diff(strings.Split(want, "\n"), got); diff != "" || m.Untried() != 0 {
		t.Errorf("%d untried: %s", m.Untried(), diff)
	}
}
