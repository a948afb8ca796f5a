package refdiff

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/finding/escape"
)

// TestSecretsOfTemplatesDoNotShow: whatever changes in a template of a Secret, or of a CR that
// holds one, nothing of the data shows.
func TestSecretsOfTemplatesDoNotShow(t *testing.T) {
	const head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n"
	wrapped := func(data string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .metadata.name }}\nspec:\n  object:\n    kind: Secret\n    apiVersion: v1\n    data:\n      k: " + data + "\n"
	}
	for _, c := range []struct{ name, old, new string }{
		{"a value", head + "data:\n  k: hush1\n", head + "data:\n  k: hush2\n"},
		{"a value with actions", head + "data:\n  k: hush1{{ .data.x }}\n", head + "data:\n  k: hush2{{ .data.x }}\n"},
		{"a value that may vary", head + "data:\n  k: hush1\n", head + "data:\n  k: {{ .data.k | default \"hush2\" }}\n"},
		{"a default", head + "data:\n  k: {{ .data.k | default \"hush1\" }}\n", head + "data:\n  k: {{ .data.k | default \"hush2\" }}\n"},
		{"an action", head + "data:\n  k: {{ print .data.k \"hush1\" }}\n", head + "data:\n  k: {{ print .data.k \"hush2\" }}\n"},
		{"an action less", head + "data:\n  k: {{ b64enc .data.k }}\n", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  k: {{ replace \"hush1\" \"hush2\" .data.k }}\n"},
		{"a message", head + "data:\n  k: {{ .data.k }}\n{{ if not .data.k }}{{ fail \"hush1\" }}{{ end }}\n", head + "data:\n  k: {{ .data.k }}\n{{ if not .data.k }}{{ fail \"hush2\" }}{{ end }}\n"},
		{"a note", head + "data:\n  k: {{ .data.k }}\n{{ note \"A-B\" \"hush1\" }}\n", head + "data:\n  k: {{ .data.k }}\n{{ note \"A-B\" \"hush2\" }}\n"},
		{"a note of it", head + "data:\n  k: {{ .data.k }}\n{{ note \"A-B\" (print .data.k \"hush1\") }}\n", head + "data:\n  k: {{ .data.k }}\n{{ note \"A-B\" (print .data.k \"hush2\") }}\n"},
		{"a violation", head + "data:\n  k: {{ .data.k }}\n{{ if eq .data.k \"hush1\" }}{{ violation \"A-B\" \"data.k\" \"hush1\" }}{{ end }}\n", head + "data:\n  k: {{ .data.k }}\n{{ if eq .data.k \"hush1\" }}{{ violation \"A-B\" \"data.k\" \"hush2\" }}{{ end }}\n"},
		{"a key more", head + "data:\n  a: b\n", head + "data:\n  a: b\n  k: hush1\n"},
		{"a block more", head + "type: x\n", head + "type: x\nstringData:\n  k: |\n    hush1\n    hush2\n"},
		{"a comparison", head + "data:\n  k: {{ .data.k }}\n", head + "data:\n  k: {{ .data.k }}\n  {{- if eq .data.k \"hush1\" }}\n  {{- fail \"hush2\" }}\n  {{- end }}\n"},
		{"a condition", head + "data:\n  k: {{ .data.k }}\n", head + "data:\n  {{- if eq .data.k \"hush1\" }}\n  k: {{ .data.k }}\n  {{- end }}\n"},
		{"a condition around another key", head + "data:\n  k: hush1\n", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  {{- if eq .data.k \"hush1\" }}\n  labels:\n    a: b\n  {{- end }}\ndata:\n  k: hush1\n"},
		{"a variable", head + "{{- $v := \"hush1\" }}\ndata:\n  k: {{ $v }}\n", head + "{{- $v := \"hush2\" }}\ndata:\n  k: {{ $v }}\n"},
		{"a named template", "{{ define \"n\" }}hush1{{ end }}" + head + "data:\n  k: {{ template \"n\" }}\n", "{{ define \"n\" }}hush2{{ end }}" + head + "data:\n  k: {{ template \"n\" }}\n"},
		{"JSON", `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"k": "hush1"}}`, `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"k": "hush2"}}`},
		{"a Secret in another CR", wrapped("hush1"), wrapped("hush2")},
		{"a Secret less in another CR", wrapped("hush1"), "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .metadata.name }}\n"},
		{"text of a Secret", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  f: |\n    apiVersion: v1\n    kind: Secret\n    data:\n      k: hush1\n",
			"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  f: |\n    apiVersion: v1\n    kind: Secret\n    data:\n      k: hush2\n"},
		{"a template in braces", head + "data: {k: hush1, a: {{ .data.a }}}\n", head + "data: {k: hush2, a: {{ .data.a }}}\n"},
		{"a template over lines", head + "data:\n  {k: hush1,\n  a: {{ .data.a }}}\n", head + "data:\n  {k: hush2,\n  a: {{ .data.a }}}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := func(text string) Version {
				return version(
					t,
					fstest.MapFS{
						"metadata.yaml": {
							Data: []byte(
								"apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n    - path: a.yaml\n",
							),
						},
						"a.yaml": {Data: []byte(text)},
					},
					"ref",
				)
			}
			d, err := Of(t.Context(), one(c.old), one(c.new))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := d.Text(&out); err != nil {
				t.Fatal(err)
			}
			if err := escape.WriteJSON(&out, d); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "hush") || len(d.Changes) == 0 {
				t.Error(out.String())
			}
		})
	}
}
