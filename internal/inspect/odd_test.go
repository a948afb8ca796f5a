package inspect_test

import (
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/inspect"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// TestOddTemplates follows templates that an execution would end in an error on, or take long over:
// each has its interface, soon.
func TestOddTemplates(t *testing.T) {
	for _, text := range []string{
		`{{ index }}{{ list }}{{ dict "a" }}{{ dict 1 2 }}{{ dig "a" }}{{ default }}{{ ternary 1 }}{{ hasKey . }}{{ has }}{{ set }}{{ first }}`,
		`{{ and }}{{ or }}{{ not }}{{ eq }}{{ eq 1 }}{{ ne .a }}{{ lookupCR }}{{ lookupCRs .a }}{{ maxListLength }}{{ kindIs }}{{ coalesce }}`,
		`{{ .a 1 2 }}{{ (index .a 0).b.c 3 }}{{ .a | .b }}{{ $ }}{{ $x := 1 }}{{ $x.y }}{{ nil | default . }}`,
		`{{ range $i, $e := until 1000000000 }}{{ $e }}{{ end }}{{ .a | toYaml | indent 1000000000 }}{{ repeat 1000000000 .a }}`,
		`{{ range . }}{{ break }}{{ continue }}{{ . }}{{ else }}{{ .x }}{{ end }}{{ with . }}{{ . }}{{ end }}`,
		`{{ define "a" }}{{ template "b" . }}{{ template "b" . }}{{ end }}{{ define "b" }}{{ template "a" . }}{{ template "a" .x }}{{ end }}{{ template "a" . }}`,
		`{{ if .a }}{{ template "nowhere" . }}{{ include "nowhere" . }}{{ end }}{{ include .a .b }}{{ include (print "a") . }}`,
		`{{ fromJson "{" }}{{ semver "x" }}{{ regexMatch "(" .a }}{{ int64 .a | int }}{{ trunc -1 "a" }}{{ b64dec "?" }}{{ toJson . }}`,
		`{{ block "own" . }}{{ .x }}{{ end }}{{ template "own" (list 1 . (dict "a" .b)) }}{{ 1.5 }}{{ 'a' }}{{ 1i }}{{ true }}`,
		`{{ $l := list }}{{ range .a }}{{ $l = append $l . }}{{ $l = list $l . }}{{ end }}{{ $l }}` + strings.Repeat(`{{ .a.b | default .c }}`, 5000),
		deep(25),
		`{{ .a` + strings.Repeat(` | quote`, 200) + ` }}{{ "` + strings.Repeat(`\n`, 5000) + `" | indent 90 | nindent 90 | toJson | quote }}`,
		`{{ .a` + strings.Repeat(` | trim`, 30000) + ` }}`,
	} {
		ref := &refconfig.Reference{Path: "ref"}
		component := &refconfig.Component{Name: "c"}
		ref.Parts = []*refconfig.Part{{Name: "p", Components: []*refconfig.Component{component}}}
		ref.Templates = []*refconfig.Template{
			{
				Path:      "t.yaml",
				File:      "t.yaml",
				Component: component,
				Source:    []byte("kind: A\napiVersion: v1\n# " + text + "\n"),
			},
		}
		engine, problems := render.Compile(context.Background(), ref)
		if len(problems) > 0 {
			t.Errorf("%.80s: %v", text, problems)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		all := inspect.Of(context.Background(), ref, engine, inspect.Options{Nested: true})
		if err := all.Text(io.Discard); err != nil || len(all.Parts[0].Components[0].Templates) != 1 {
			t.Errorf("%.80s: %v", text, err)
		}
		if err := inspect.NeedsOf(context.Background(), "ref", "tool", engine).Text(io.Discard); err != nil {
			t.Error(err)
		}
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 2<<30 {
			t.Errorf("%.80s takes %d bytes", text, bytes)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%.80s takes %s", text, took)
		}
	}
}

// deep is a chain of named templates each of which calls the next one twice.
func deep(n int) string {
	var b strings.Builder
	for i := range n {
		name, next := string(rune('a'+i)), string(rune('b'+i))
		b.WriteString(
			`{{ define "` + name + `" }}{{ template "` + next + `" .x }}{{ template "` + next + `" .y }}{{ end }}`,
		)
	}
	b.WriteString(`{{ define "` + string(rune('a'+n)) + `" }}{{ .z }}{{ end }}{{ template "a" . }}`)
	return b.String()
}
