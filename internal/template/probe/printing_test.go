package probe_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/template/probe"
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
	printing := probe.Print(t.Context(), parsed(t, spec))
	for path, want := range map[string]probe.Presence{
		"spec.image": probe.Always, "spec.a": probe.Perhaps, "spec.b": probe.Perhaps, "spec.c": probe.Perhaps,
		"spec.ports": probe.Always, "spec.ports.0.name": probe.Perhaps, "spec.ports.*.fixed": probe.Perhaps,
		"spec.ports.name": probe.Never, "spec.ports.0.other": probe.Never, "spec.d": probe.Never,
		"spec.open.x": probe.Perhaps, "spec.labels.x": probe.Always, "spec.labels.z": probe.Perhaps,
		"spec.more": probe.Perhaps, "spec.sure": probe.Perhaps, "metadata.nowhere": probe.Never,
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

// TestConditionsAroundPrintedKeys: a key has its own conditions, however deep they are.
func TestConditionsAroundPrintedKeys(t *testing.T) {
	for depth := range 12 {
		var text strings.Builder
		for i := range depth {
			fmt.Fprintf(&text, "{{ if .a%d }}\n", i)
		}
		text.WriteString("{{ if .u }}\nu: 1\n{{ end }}\n{{ if .w }}\nw: 1\n{{ end }}\n" + strings.Repeat("{{ end }}\n", depth))
		root, _ := probe.Print(t.Context(), parsed(t, text.String())).Parts()
		for _, key := range []string{"u", "w"} {
			part := root.Find(refconfig.PathOf(key))
			if part == nil || len(part.When) != depth+1 || part.When[depth].Text != "."+key {
				t.Errorf("%s, %d deep: %+v", key, depth, part)
			}
		}
	}
}

// An unusual template must not make a probe or Printing panic, or take long or much memory.
func TestOddTemplates(t *testing.T) {
	for _, text := range []string{
		`{{ .a | indent -1 }}{{ .a | indent 1000000000 }}{{ .a | nindent .b }}{{ range .a }}{{ .a | indent 2 }}{{ end }}`,
		`{{ $d := dict }}{{ $_ := set $d "self" $d }}{{ $_ := set $d .a .b }}{{ $d.x }}{{ range $d }}{{ . }}{{ end }}`,
		`{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}{{ template "x" 1 }}`,
		`{{ if .a }}{{ break }}{{ end }}`, `{{ range .a }}{{ if .b }}{{ continue }}{{ else }}{{ break }}{{ end }}{{ . }}{{ end }}`,
		`{{ range $i, $_ := until 100000 }}{{ $i }}{{ end }}{{ .a.b | default (index .c .d) | ternary 1 2 }}`,
		`{{ len .a | until }}{{ first (list) }}{{ last .a }}{{ index (list .a .b) 1 }}{{ get (dict "a" .b) .c }}`,
		`{{ printf .a .b }}{{ call .a }}{{ (now).Year }}{{ .a.b.c.d | keys | first }}{{ dig "a" .b "c" .d }}`,
		`{{ index }}{{ list }}{{ dict "a" }}{{ dict 1 2 }}{{ dig "a" }}{{ default }}{{ ternary 1 }}{{ hasKey . }}{{ has }}{{ set }}{{ first }}`,
		`{{ and }}{{ or }}{{ not }}{{ eq }}{{ eq 1 }}{{ ne .a }}{{ lookupCR }}{{ lookupCRs .a }}{{ maxListLength }}{{ kindIs }}{{ coalesce }}`,
		`{{ .a 1 2 }}{{ (index .a 0).b.c 3 }}{{ .a | .b }}{{ $ }}{{ $x := 1 }}{{ $x.y }}{{ nil | default . }}`,
		`{{ range $i, $e := until 1000000000 }}{{ $e }}{{ end }}{{ .a | toYaml | indent 1000000000 }}{{ repeat 1000000000 .a }}`,
		`{{ range . }}{{ break }}{{ continue }}{{ . }}{{ else }}{{ .x }}{{ end }}{{ with . }}{{ . }}{{ end }}`,
		`{{ define "a" }}{{ template "b" . }}{{ template "b" . }}{{ end }}{{ define "b" }}{{ template "a" . }}{{ template "a" .x }}{{ end }}{{ template "a" . }}`,
		`{{ if .a }}{{ template "nowhere" . }}{{ include "nowhere" . }}{{ end }}{{ include .a .b }}{{ include (print "a") . }}`,
		`{{ fromJson "{" }}{{ semver "x" }}{{ regexMatch "(" .a }}{{ int64 .a | int }}{{ trunc -1 "a" }}{{ b64dec "?" }}{{ toJson . }}`,
		`{{ block "own" . }}{{ .x }}{{ end }}{{ template "own" (list 1 . (dict "a" .b)) }}{{ 1.5 }}{{ 'a' }}{{ 1i }}{{ true }}`,
		`{{ $l := list }}{{ range .a }}{{ $l = append $l . }}{{ $l = list $l . }}{{ end }}{{ $l }}` + strings.Repeat(`{{ .a.b | default .c }}`, testkit.Tries(5000)),
		deep(25),
		`{{ .a` + strings.Repeat(` | quote`, 200) + ` }}{{ "` + strings.Repeat(`\n`, 5000) + `" | indent 90 | nindent 90 | toJson | quote }}`,
		`{{ .a` + strings.Repeat(` | trim`, testkit.Tries(30_000)) + ` }}`,
	} {
		one, ok := parse("# " + text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		if ok {
			probe.Print(t.Context(), one)
			probe.Execute(t.Context(), one)
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
