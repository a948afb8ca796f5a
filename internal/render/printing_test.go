package render_test

import (
	"testing"

	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// The expected answers are for fields in every branch and in loops.
func TestPrinting(t *testing.T) {
	const spec = `spec:
  image: v1
  {{- if .spec.a }}
  a: {{ .spec.a }}
  {{- if .spec.b }}
  b: 1
  {{- else }}
  c: 1
  {{- end }}
  {{- end }}
  ports:
  {{- range .spec.ports }}
  - name: {{ .name }}
    fixed: 1
  {{- end }}
  open:
{{ .spec.open | toYaml | indent 4 }}
  labels:
    x: y
    {{- toYaml .spec.labels | nindent 4 }}
  {{- include "more" . | nindent 2 }}
{{- define "more" }}{{ if .spec.more }}more: 1{{ end }}
sure: 1{{ end }}
`
	printing := compile(t, header+spec).Printing(t.Context())
	for path, want := range map[string]render.Presence{
		"spec.image": render.Always, "spec.a": render.Perhaps, "spec.b": render.Perhaps, "spec.c": render.Perhaps,
		"spec.ports": render.Always, "spec.ports.0.name": render.Perhaps, "spec.ports.*.fixed": render.Perhaps,
		"spec.ports.name": render.Never, "spec.ports.0.other": render.Never, "spec.d": render.Never,
		"spec.open.x": render.Perhaps, "spec.labels.x": render.Always, "spec.labels.z": render.Perhaps,
		"spec.more": render.Perhaps, "spec.sure": render.Perhaps, "metadata.nowhere": render.Never,
	} {
		field, err := refconfig.ParseFieldPath(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := printing.Has(field); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
}

// An unusual template must not make Printing panic or take long.
func TestOddPrinting(t *testing.T) {
	for _, text := range []string{
		`{{ .a | indent -1 }}{{ .a | indent 1000000000 }}{{ .a | nindent .b }}{{ range .a }}{{ .a | indent 2 }}{{ end }}`,
		`{{ $d := dict }}{{ $_ := set $d "self" $d }}{{ $_ := set $d .a .b }}{{ $d.x }}{{ range $d }}{{ . }}{{ end }}`,
		`{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}{{ template "x" 1 }}`,
		`{{ if .a }}{{ break }}{{ end }}`, `{{ range .a }}{{ if .b }}{{ continue }}{{ else }}{{ break }}{{ end }}{{ . }}{{ end }}`,
		`{{ range $i, $_ := until 100000 }}{{ $i }}{{ end }}{{ .a.b | default (index .c .d) | ternary 1 2 }}`,
		`{{ len .a | until }}{{ first (list) }}{{ last .a }}{{ index (list .a .b) 1 }}{{ get (dict "a" .b) .c }}`,
		`{{ printf .a .b }}{{ call .a }}{{ (now).Year }}{{ .a.b.c.d | keys | first }}{{ dig "a" .b "c" .d }}`,
	} {
		engine, _ := render.Compile(t.Context(), reference(header+"# "+text))
		for _, one := range engine.Templates() { // none if the parser rejects the template
			one.Printing(t.Context())
			one.Probe(t.Context())
		}
	}
}
