package template_test

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/template"
)

// TestNormal checks what counts as written in another way, and what does not.
func TestNormal(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x: {{ .spec.x }}", "x: {{.spec.x}}"},
		{"{{- $x := .spec.x }}x: {{ $x }}", "x: {{.spec.x}}"},
		{"{{- $s := .spec }}x: {{ $s.x }}", "x: {{.spec.x}}"},
		{"{{- $s := .spec }}{{ range .l }}{{ $s.x }}{{ .y }}{{ end }}", "{{range .l}}{{$.spec.x}}{{.y}}{{end}}"},
		{"{{ range .l }}{{ $x := .a }}{{ $x }}{{ end }}", "{{range .l}}{{$x := .a}}{{$x}}{{end}}"},
		{"{{ $x := .a }}{{ $x = .b }}{{ $x }}", "{{$x := .a}}{{$x = .b}}{{$x}}"},
		{"{{ $x := .a | quote }}{{ $x }}", "{{$x := .a | quote}}{{$x}}"},
		{"{{ $.spec.x }}", "{{.spec.x}}"},
		{"{{ with .spec.x }}{{ . }}{{ .y }}{{ $.z }}{{ end }}", "{{if .spec.x}}{{.spec.x}}{{.spec.x.y}}{{.z}}{{end}}"},
		{"{{ with $x := .spec.x }}{{ $x }}{{ else }}{{ .y }}{{ end }}", "{{if .spec.x}}{{.spec.x}}{{else}}{{.y}}{{end}}"},
		{"{{ with .spec.x | upper }}{{ . }}{{ .y }}{{ end }}", "{{with .spec.x | upper}}{{.}}{{.y}}{{end}}"},
		{`{{ index .spec "x" }}`, "{{.spec.x}}"},
		{`{{ index (index .spec "x") "y" | quote }}`, "{{.spec.x.y | quote}}"},
		{`{{ index .spec "x-y" }}`, `{{index .spec "x-y"}}`},
		{`{{ index .spec 0 }}`, `{{index .spec 0}}`},
		{"{{ range .spec.m | default dict }}{{ end }}", "{{range .spec.m}}{{end}}"},
		{"{{ range $k, $v := default dict .spec.m }}{{ $k }}{{ end }}", "{{range $k, $v := .spec.m}}{{$k}}{{end}}"},
		{"{{ $m := .spec.m | default dict }}{{ if $m.a }}{{ $m.a }}{{ end }}", "{{if .spec.m.a}}{{.spec.m.a}}{{end}}"},
		{"{{ $m := .spec.m | default dict }}{{ toYaml $m }}", "{{toYaml (.spec.m | default dict)}}"},
		{"{{ .spec.m | default dict | toYaml }}", "{{.spec.m | default dict | toYaml}}"},
		{`{{ if hasKey (.spec.m | default dict) "a" }}{{ end }}`, `{{if hasKey .spec.m "a"}}{{end}}`},
		{"{{ if and .a .a.b }}{{ end }}", "{{if .a.b}}{{end}}"},
		{`{{ if and .a (hasKey .a "b") }}{{ end }}`, `{{if hasKey .a "b"}}{{end}}`},
		{"{{ if and .a .b }}{{ end }}", "{{if and .a .b}}{{end}}"},
		{"{{ if or .a .a.b }}{{ end }}", "{{if or .a .a.b}}{{end}}"},
		{"{{ if (.a) }}{{ end }}", "{{if .a}}{{end}}"},
		{`{{ define "d" }}{{ $x := .a }}{{ $x }}{{ end }}{{ template "d" .spec }}`, "{{template \"d\" .spec}}{{- \ndefine \"d\"}}{{.a}}{{end -}}"},
		{"a\n{{- if .x -}}\n\nb\n{{- end }}\n", "a{{\nif .x}}{{/*\n\n*/}}b{{end}}{{/*\n*/}}\n"},
		{"{{ range .l }}{{ with .x }}{{ . }}{{ end }}{{ end }}", "{{range .l}}{{if .x}}{{.x}}{{end}}{{end}}"},
	} {
		got, differs := template.Normal(c.text)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
		if _, again := template.Normal(got); again {
			t.Errorf("%s differs from its normal form again", got)
		}
		blank := strings.NewReplacer(" ", "", "\n", "", "-", "", "/*", "", "*/", "", "{{}}", "")
		isSame := strings.ReplaceAll(blank.Replace(c.text), "{{}}", "") == strings.ReplaceAll(blank.Replace(c.want), "{{}}", "")
		if isSame == differs {
			t.Errorf("%s: it differs: %v", c.text, differs)
		}
	}
	if text, differs := template.Normal("{{ if }}"); differs || text != "{{ if }}" {
		t.Error("a text that does not parse")
	}
}
