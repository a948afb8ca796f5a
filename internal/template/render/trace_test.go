package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/template/render"
)

// trace executes a template and prints its trace: the lines with their locations, "~" below printed
// text, "!" on lines with a finding, then the missing keys.
func trace(t *testing.T, tmpl *render.Template, input string) string {
	t.Helper()
	r, err := tmpl.Execute(object(t, input), render.Options{Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range r.Trace.Lines {
		mark := " "
		if len(l.Prints) > 0 {
			mark = "~"
		}
		if l.Finding {
			mark = "!"
		}
		fmt.Fprintf(&b, "%s:%d %s|%s", strings.TrimPrefix(l.From.File, "ref/"), l.From.Line, mark, l.Text)
		for _, p := range l.Prints {
			fmt.Fprintf(&b, "  [%s]", l.Text[p.Start:p.End])
			if p.Path != nil {
				fmt.Fprintf(&b, "=%s", p.Path)
			}
			if !p.Input {
				b.WriteString("=constant")
			}
		}
		b.WriteByte('\n')
	}
	for _, a := range r.Trace.Asked {
		fmt.Fprintf(&b, "asked %s %s:%d", a.Path, a.File, a.Line)
		if a.Needed {
			b.WriteString(" needed")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The lines of the header come first; they are the same in all cases.
func TestTrace(t *testing.T) {
	const traced = `t.yaml:1  |apiVersion: v1
t.yaml:2  |kind: Thing
t.yaml:3  |metadata:
t.yaml:4  |  name: x
`
	shared := "{{ define \"labels\" -}}\nlabels:\n    app: {{ .metadata.name }}\n{{- end }}"
	for _, c := range []struct{ name, template, input, want string }{
		{"text and prints", header + "  labels:\n    a: b\nspec:\n  x: {{ .spec.x }}-{{ \"y\" }}\n", "spec: {x: 1}", `
t.yaml:5  |  labels:
t.yaml:6  |    a: b
t.yaml:7  |spec:
t.yaml:8 ~|  x: 1-y  [1]=spec.x  [y]=constant
`},
		{"what was trimmed moves no line", header + "{{- if .spec }}\nspec:\n{{- range .spec.l }}\n- {{ . }}\n{{- end }}\n{{- end }}\n", "spec: {l: [a, b]}", `
t.yaml:6  |spec:
t.yaml:8 ~|- a  [a]=spec.l.0
t.yaml:8 ~|- b  [b]=spec.l.1
`},
		{"several lines of one action", header + "spec:\n  {{- .spec | toYaml | nindent 2 }}\n", "spec: {a: 1, b: 2}", `
t.yaml:5  |spec:
t.yaml:6 ~|  a: 1  [  a: 1]
t.yaml:6 ~|  b: 2  [  b: 2]
`},
		{"lines of a function file", header + "  {{ template \"labels\" . }}\n", "metadata: {name: web}", `
a.tmpl:2  |  labels:
a.tmpl:3 ~|    app: web  [web]=metadata.name
`},
		{"what is needed and what is optional", header + "spec:\n  # {{ .spec.comment }}\n  x: {{ .spec.x }}\n  {{- if .spec.y }}\n  y: 1\n  {{- end }}\n" +
			"  z: {{ .spec.z | default 3 }}\n  {{- if hasKey .metadata \"annotations\" }}\n  w: 1\n  {{- end }}\n  v: {{ index .spec \"a.b\" }}\n", "{spec: {}, metadata: {}}", `
t.yaml:5  |spec:
t.yaml:6  |  # 
t.yaml:7 !|  x: 
t.yaml:11 ~|  z: 3  [3]
t.yaml:15 !|  v: 
asked spec.comment t.yaml:6
asked spec.x t.yaml:7 needed
asked spec.y t.yaml:8
asked spec.z t.yaml:11
asked metadata.annotations t.yaml:12
asked spec."a.b" t.yaml:15 needed
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.ReplaceAll(trace(t, compile(t, c.template, shared), c.input), "ref/", "")
			if diff := cmp.Diff(traced+c.want[1:], got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The work for a trace must be linear in the number of missing keys.
func TestTraceTakesLinearWork(t *testing.T) {
	input := object(t, "spec: {a: b}")
	allocations := func(n int) float64 {
		text := header
		for i := range n {
			text += fmt.Sprintf("{{ if .spec.k%d }}{{ end }}", i)
		}
		tmpl := compile(t, text+"\n")
		return testing.AllocsPerRun(1, func() {
			if r, err := tmpl.Execute(input, render.Options{Trace: true}); err != nil || len(r.Trace.Asked) != n {
				t.Fatal(err, len(r.Trace.Asked))
			}
		})
	}
	if few, many := allocations(100), allocations(1000); many > 12*few {
		t.Errorf("ten times the keys take %.0f allocations rather than %.0f", many, few)
	}
}
