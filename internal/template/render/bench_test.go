package render_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// benchmarkTemplate has some 50 lines with a condition, a loop and a function.
func benchmarkTemplate(i int) string {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"apiVersion: v1\nkind: Thing%d\nmetadata:\n  name: {{ .metadata.name }}\nspec:\n  owner: {{ .spec.owner | default \"nobody\" | quote }}\n",
		i,
	)
	b.WriteString(
		"  {{- if .spec.paused }}\n  paused: true\n  {{- end }}\n  list:\n  {{- range .spec.list }}\n  - {{ . }}\n  {{- end }}\n  settings:\n",
	)
	for n := range 40 {
		fmt.Fprintf(&b, "    setting-%d: value of it\n", n)
	}
	return b.String()
}

// BenchmarkCompile compiles a reference of 98 templates.
func BenchmarkCompile(b *testing.B) {
	ref := &refconfig.Reference{}
	size := 0
	for i := range 98 {
		name := fmt.Sprintf("t%d.yaml", i)
		ref.Templates = append(
			ref.Templates, &refconfig.Template{Path: name, File: name, Source: []byte(benchmarkTemplate(i))},
		)
		size += len(ref.Templates[i].Source)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := render.Compile(context.Background(), ref); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

// BenchmarkExecute renders a template for an object.
func BenchmarkExecute(b *testing.B) {
	t := compile(b, benchmarkTemplate(0))
	o := object(b, "metadata: {name: x}\nspec: {owner: me, paused: true, list: [a, b, c, d, e]}\n")
	b.SetBytes(int64(len(benchmarkTemplate(0))))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := t.Execute(o, render.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
