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
  {name: d, anyOf: [{path: b.yaml}, {path: drifts.yaml}]},
  {name: e, anyOf: [{path: types.yaml}]}]}]
`)},
		"a.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: app}\n" +
			"data: {fixed: b, free: '{{ .data.free }}', seen: '{{ .data.seen }}', doc: '{\"in\": 1, \"free\": {{ (fromJson .data.doc).free }} }'}\n")},
		"b.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: app}\n" +
			"data: {seen: '{{ (lookupCR \"v1\" \"ConfigMap\" \"app\" \"a\").data.seen }}'}\n")},
		"types.yaml": {Data: []byte("apiVersion: v1\nkind: Thing\nmetadata: {name: types}\nspec: {is: {{ .spec.is }}, num: {{ if gt (int .spec.num) 5 }}6{{ else }}{{ .spec.num }}{{ end }}, f: {{ .spec.f }}, l: [a], none: [], " +
			"half: '{{ .spec.half | trunc 1 }}2', flag: '{{ if eq .spec.flag \"false\" }}true{{ else }}{{ .spec.flag }}{{ end }}', mode: '{{ if eq .spec.mode \"high\" }}low{{ else }}{{ .spec.mode }}{{ end }}', " +
			"v: '{{ if eq .spec.v \"v0\" }}v1{{ else }}{{ .spec.v }}{{ end }}', fixed: true, one: 1, two: 1.5}\n")},
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
---
apiVersion: v1
kind: Thing
metadata: {name: types}
spec: {is: true, num: 3, f: 1.5, l: [a], none: [], half: "12", flag: "true", mode: low, v: v1, fixed: true, one: 1, two: 1.5}
`)}
	var m Mutations
	if _, err := m.Run(t.Context(), ref, engine, in, Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, path := range []string{"a.yaml", "b.yaml", "drifts.yaml", "types.yaml"} {
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
drifts.yaml required false
types.yaml required false
types.yaml metadata checked true many true
types.yaml metadata.name checked true many false
types.yaml spec checked true many true
types.yaml spec.f checked false many false
types.yaml spec.fixed checked true many false
types.yaml spec.flag checked true many false
types.yaml spec.half checked true many false
types.yaml spec.is checked false many false
types.yaml spec.l checked true many true
types.yaml spec.l.0 checked true many false
types.yaml spec.mode checked true many false
types.yaml spec.none checked true many false
types.yaml spec.num checked true many false
types.yaml spec.one checked true many false
types.yaml spec.two checked true many false
types.yaml spec.v checked true many false`
	if diff := cmp.Diff(strings.Split(want, "\n"), got); diff != "" || m.Untried() != 0 {
		t.Errorf("%d untried: %s", m.Untried(), diff)
	}
}
