package refdiff

import (
	"strings"
	"testing"
	"testing/fstest"

	comparing "github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/input/manifest"
)

// TestNewFindingsAreAnnounced edits templates in every way of a table: if a CR agrees with one version and
// not with the next, there is a change that must be made.
func TestNewFindingsAreAnnounced(t *testing.T) {
	var objects []*manifest.Object
	for _, a := range []string{"", "  a: 1\n", "  a: 2\n"} {
		for _, b := range []string{"", "  b: 1\n", "  b: 2\n"} {
			for _, one := range []string{"", "  one: 0\n", "  one: 1\n", "  one: 2\n"} {
				for _, z := range []string{"", "  z: 1\n"} {
					text := "apiVersion: example.com/v1\nkind: Clock\nmetadata: {name: a, namespace: b}\nspec:\n  fixed: 1\n"
					objects = append(objects, given.Objects(t, "in.yaml", text+a+b+one+z)...)
				}
			}
		}
	}
	// Of each expression, FIELD is one of two fields, or both are read.
	expressions := []string{
		"  one: 1\n",
		"  one: 0\n",
		"  one: {{ .spec.FIELD }}\n",
		"  one: {{ .spec.FIELD | default 1 }}\n",
		"  one: {{ .spec.FIELD | default 2 }}\n",
		"  one: {{ .spec.FIELD | toJson }}\n",
		"  z: {{ .spec.z }}{{ if .spec.FIELD }}{{ fail \"no\" }}{{ end }}\n",
		"  one: {{ .spec.one | default 1 }}\n",
		"  {{- if .spec.one }}\n  one: {{ .spec.one }}\n  {{- end }}\n",
		"  {{- if .spec.FIELD }}\n  one: 1\n  {{- end }}\n",
		"  {{- if .spec.FIELD }}\n  one: 1\n  {{- else }}\n  one: 2\n  {{- end }}\n",
		"  {{- with .spec.FIELD }}\n  one: {{ . }}\n  {{- end }}\n",
		"  one: {{ ternary 1 2 (hasKey .spec \"FIELD\") }}\n",
		"  one: {{ .spec.one | default .spec.FIELD }}\n",
		"  one: {{ coalesce .spec.one .spec.FIELD 2 }}\n",
		"  one: {{ dig \"FIELD\" 2 .spec }}\n",
		"  one: {{ len (list .spec.FIELD | compact) }}\n",
		"  one: {{ printf \"%v\" (.spec.FIELD | default 1) | int }}\n",
		"  one: {{ add (.spec.FIELD | default 0) 1 }}\n",
		"  one: {{ add (.spec.a | default 0) (.spec.b | default 1) }}\n",
		"  one: {{ max .spec.FIELD 1 }}\n",
		"  {{- $x := .spec.FIELD }}{{ $y := $x | default 1 }}\n  one: {{ $y }}\n",
		"  {{- $x := 1 }}{{ if .spec.FIELD }}{{ $x = 2 }}{{ end }}\n  one: {{ $x }}\n",
		"  {{- if eq (.spec.FIELD | default 1 | int) 1 }}\n  z: 1\n  {{- end }}\n",
		"  {{- if include \"empty\" .spec.FIELD }}\n  z: 1\n  {{- end }}\n",
		"  {{- if eq (include \"asks\" .) \"yes\" }}\n  z: 1\n  {{- end }}\n",
		"  {{- template \"keys\" . }}\n",
		"  {{- include \"keys\" . }}\n",
		"  one: {{ template \"value\" . }}\n",
		"  one: {{ include \"value\" . }}\n",
		"  one: {{ include \"value\" . | int }}\n",
		"  # {{ .spec.FIELD }}\n",
		"  # {{ if .spec.FIELD }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if .spec.FIELD }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if not .spec.FIELD }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if and .spec.a .spec.b }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if or .spec.a .spec.b }}{{ fail \"no\" }}{{ end }}\n",
		"  {{- if eq (.spec.FIELD | default 1 | int) 2 }}{{ doNotMatch \"no\" }}{{ end }}\n",
		"  {{- range $k, $v := .spec }}{{ if eq $k \"FIELD\" }}\n  z: 1\n  {{- end }}{{ end }}\n",
	}
	const named = `{{- define "empty" }}{{ if . }}1{{ end }}{{ end }}
{{- define "asks" }}{{ if .spec.FIELD }}yes{{ end }}{{ end }}
{{- define "value" }}{{ if .spec.FIELD }}1{{ else }}2{{ end }}{{ end }}
{{- define "keys" }}{{ if .spec.FIELD }}
  one: 1{{ end }}{{ end }}
`
	type one struct {
		Version
		text   string
		agrees []bool // with each CR
	}
	var all []one
	for _, text := range expressions {
		for _, field := range []string{"a", "b"} {
			text := strings.ReplaceAll(text, "FIELD", field)
			whole := strings.ReplaceAll(named, "FIELD", field) + "apiVersion: example.com/v1\nkind: Clock\n" +
				"metadata: {name: a, namespace: b}\nspec:\n  fixed: 1\n" + text
			v := one{text: text, Version: version(t, fstest.MapFS{
				"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: " +
					"[{path: t.yaml, config: {ignore-unspecified-fields: true}}]}]}]\n")},
				"t.yaml": {Data: []byte(whole)},
			}, "ref")}
			for _, o := range objects {
				in := comparing.Collected{Objects: []*manifest.Object{o}}
				run, err := comparing.Run(t.Context(), v.Ref, v.Engine, in, comparing.Options{})
				if err != nil {
					t.Fatal(err)
				}
				v.agrees = append(v.agrees, len((&Diff{}).findings(run, nil)) == 0)
			}
			all = append(all, v)
		}
	}
	pairs := 0
	for i, old := range all {
		for j, new := range all {
			if isNeighbour := i/2 == j/2; i == j || !isNeighbour && !given.All() && (i+j)%7 > 0 {
				continue
			}
			d, err := Of(t.Context(), old.Version, new.Version)
			if err != nil {
				t.Fatal(err)
			}
			for k := range objects {
				if !old.agrees[k] || new.agrees[k] {
					continue
				}
				if pairs++; d.Summary.Must == 0 {
					content, _ := objects[k].Decode()
					t.Errorf("%s%s%v agrees only with the first, and nothing must change: %v",
						old.text, new.text, content["spec"], d.Changes)
				}
				break
			}
		}
	}
	if pairs < 500 {
		t.Errorf("a CR agrees only with the first of %d pairs", pairs)
	}
}
