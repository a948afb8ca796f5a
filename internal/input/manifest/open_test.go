package manifest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/input/manifest"
)

const sourceCR = `{{- if .x }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name }}
data:
  text: |
    {{ .kept }}
  {{ .key }}: {{ .value | default "a: b" }}
{{- end }}
---
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": {{ .other }}}}
---
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: ${IN_LIST}}
`

func TestPlaceholdersAreRead(t *testing.T) {
	got := manifest.Read("a.yaml", "", []byte(sourceCR), manifest.Hints{Placeholders: true})
	if len(got.Problems) > 0 || len(got.Objects) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []struct {
		name string
		line int
	}{{"{{ .name }}", 2}, {"{{ .other }}", 12}, {"${IN_LIST}", 17}} {
		if o := got.Objects[i]; o.ID.Name != want.name || o.Place.Line != want.line {
			t.Errorf("%v at line %d, want %s at %d", o.ID, o.Place.Line, want.name, want.line)
		}
	}
	value, err := got.Objects[0].Decode()
	want := map[string]any{"text": "{{ .kept }}\n", "{{ .key }}": `{{ .value | default "a: b" }}`}
	if d := cmp.Diff(any(want), value["data"]); err != nil || d != "" {
		t.Error(err, d)
	}
}

// TestPlaceholdersAreTold: without the option, the line about the file says that it exists, where
// it helps.
func TestPlaceholdersAreTold(t *testing.T) {
	got := manifest.Read("a.yaml", "", []byte(sourceCR), manifest.Hints{})
	var messages []string
	for _, p := range got.Problems {
		messages = append(messages, p.Message)
	}
	want := []string{
		"not valid YAML: did not find expected node content; it has placeholders: compare with --placeholders",
		"not valid JSON: expected a key in double quotes; it has placeholders: compare with --placeholders",
		"not valid YAML: did not find expected ',' or '}'; it has placeholders: compare with --placeholders",
	}
	if d := cmp.Diff(want, messages); d != "" {
		t.Error(d)
	}
	if other := manifest.Read("a.yaml", "", []byte("apiVersion: v1\nkind: ConfigMap\na: {{ .x }}\n\tb\n"), manifest.Hints{}); len(
		other.Problems,
	) != 1 ||
		other.Problems[0].Message != "not valid YAML: a tab in the indentation; YAML requires spaces" {
		t.Errorf("%+v", other.Problems)
	}
}
