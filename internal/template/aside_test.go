package template_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// inCheck is the node of the template "check", which is aside by itself.
const inCheck = `{{if not .x}}{{violation "T-X" "no"}}{{end}}`

// asides returns the nodes of a template that are aside, as text, sorted, without that of "check".
func asides(t *testing.T, text string) (all []string) {
	t.Helper()
	set, problems := template.NewSet([]*refconfig.FunctionFile{{Path: "a.tmpl", File: "ref/a.tmpl", Source: []byte(
		`{{ define "check" }}{{ if not .x }}{{ violation "T-X" "no" }}{{ end }}{{ end }}` +
			`{{ define "text" }}a{{ end }}` +
			`{{ define "calls" }}{{ range .l }}{{ template "check" . }}{{ template "calls" . }}{{ break }}{{ end }}{{ end }}` +
			`{{ define "own" }}{{ $m := dict }}{{ range .l }}{{ $m = set $m . 1 }}{{ end }}{{ keys $m }}{{ end }}` +
			`{{ define "sets" }}{{ $_ := set . "x" 1 }}{{ end }}` +
			`{{ define "deep" }}{{ if include "text" . }}{{ if include "sets" . }}{{ end }}{{ end }}{{ end }}`,
	)}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	one, faults := parse(set, text)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	aside, _ := one.Aside()
	for n := range aside {
		all = append(all, n.String())
	}
	slices.Sort(all)
	return slices.DeleteFunc(all, func(text string) bool { return text == inCheck })
}

// TestAside: a node is aside only if it prints nothing and changes nothing that others read.
func TestAside(t *testing.T) {
	for text, want := range map[string]string{
		`{{ template "check" . }}`:                                     `{{template "check" .}}`,
		`{{ include "check" . }}`:                                      `{{include "check" .}}`,
		`{{ . | include "check" }}`:                                    `{{. | include "check"}}`,
		`{{ include "check" . | quote }}`:                              ``,
		`{{ template "text" . }}`:                                      ``,
		`{{ template "calls" . }}`:                                     `{{template "calls" .}}`,
		`{{ template "calls" (include "text" .) }}`:                    `{{template "calls" (include "text" .)}}`,
		`{{ template "check" (include "own" .) }}`:                     `{{template "check" (include "own" .)}}`,
		`{{ template "check" (include "sets" .) }}`:                    ``,
		`{{ template "sets" . }}`:                                      ``,
		`{{ template "deep" . }}`:                                      ``,
		`{{ template "check" (set . "a" 1) }}`:                         ``,
		`{{ template "check" (merge dict .) }}`:                        ``,
		`{{ if .a }}{{ note "T-A" "a" }}{{ end }}`:                     `{{if .a}}{{note "T-A" "a"}}{{end}}`,
		`{{ if .a }} {{ note "T-A" "a" }}{{ end }}`:                    `{{note "T-A" "a"}}`,
		`{{ if .a }}{{ fail "a" }}{{ else }}b{{ end }}`:                `{{fail "a"}}`,
		`{{ with .a }}{{ maxListLength 1 . }}{{ end }}`:                `{{with .a}}{{maxListLength 1 .}}{{end}}`,
		`{{ $v := 1 }}{{ if .a }}{{ $v = 2 }}{{ end }}v: {{ $v }}`:     ``,
		`{{ if .a }}{{ $v := 1 }}{{ $v = 2 }}{{ end }}`:                `{{if .a}}{{$v := 1}}{{$v = 2}}{{end}}`,
		`{{ if .a }}{{ $m := dict }}{{ $_ := set $m "k" 1 }}{{ end }}`: `{{if .a}}{{$m := dict}}{{$_ := set $m "k" 1}}{{end}}`,
		`{{ if .a }}{{ $m := .m }}{{ $_ := set $m "k" 1 }}{{ end }}`:   ``,
		`{{ $m := dict }}{{ if .a }}{{ $_ := set $m "k" 1 }}{{ end }}`: ``,
		`{{ range .l }}{{ if .a }}{{ break }}{{ end }}b{{ end }}`:      ``,
		`{{ range .l }}{{ if .a }}{{ break }}{{ end }}{{ end }}`:       `{{range .l}}{{if .a}}{{break}}{{end}}{{end}}`,
		`{{ include .name . }}{{ note "T-A" "a" }}`:                    ``, // it may call any template
		`{{ define "n" }}{{ note "T-A" "a" }}b{{ end }}{{ template "n" }}{{ include "n" . | len | note "T-B" }}`: `{{include "n" . | len | note "T-B"}} {{note "T-A" "a"}}`,
	} {
		if got := strings.Join(asides(t, text), " "); got != want {
			t.Errorf("%s: %s is aside, want %s", text, got, want)
		}
	}
}
