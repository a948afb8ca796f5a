package probe

import (
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// TestSharedCallsChangeNothing: what is found with calls that were executed once for all templates is what
// is found where each template executes them.
func TestSharedCallsChangeNothing(t *testing.T) {
	const named = `
{{- define "needs" }}{{ if not .a.b }}{{ violation "T-A" "a.b" "is needed" }}{{ end }}{{ end }}
{{- define "each" }}
{{ range .l }}{{ if eq .k "v" }}{{ note "T-B" "x" "y" }}{{ end }}{{ end }}
{{ end }}
{{- define "sets" }}{{ $m := dict }}{{ $_ := set $m "k" .a.c }}{{ if gt (int $m.k) 3 }}{{ fail "no" }}{{ end }}{{ end }}
{{- define "around" }}{{ template "needs" . }}{{ template "has" (dict "c" .a "speling" 1) }}{{ end }}
{{- define "has" }}{{ if .c }}{{ if has .c.x (list "p" "q") }}{{ note "T-E" "c" }}{{ end }}{{ end }}{{ $y := .spelling }}{{ end }}
{{- define "looks" }}{{ with lookupCR "v1" "ConfigMap" .metadata.namespace .a.n }}{{ if ne .data.k $.a.k }}{{ violation "T-F" "a.k" "other" }}{{ end }}{{ end }}{{ end }}
{{- define "includes" }}{{ $x := include "asJSON" . | fromJson }}{{ if $x.a }}{{ template "needs" $ }}{{ end }}{{ end }}
{{- define "asJSON" }}{{ dict "a" (.a.q | default "z") | toJson }}{{ end }}
{{- define "deep" }}{{ if .deep }}{{ template "deep" .deep }}{{ end }}{{ if eq (kindOf .t) "string" }}{{ note "T-O" "t" }}{{ end }}{{ end }}
{{- define "limits" }}{{ maxListLength 3 .l }}{{ if and .r (lt (int .r) (int .s)) }}{{ note "T-Q" (printf "%v" .r) }}{{ else }}{{ if not .s }}{{ note "T-Q" "s" }}{{ end }}{{ end }}{{ end }}
{{- define "rounds" }}{{ $cr := . }}{{ range $k, $kind := dict "a" "map" "l" "slice" "t" "string" }}{{ if not (kindIs $kind (index $cr $k)) }}{{ violation "T-K" $k "other" }}{{ end }}{{ end }}{{ end }}
{{- define "prints" }}{{ .a.b | default "none" }}{{ end }}
{{- define "computes" }}{{ include (print "ha" .a.s) . }}{{ end }}
{{- define "open" }}{{ template "own" . }}{{ end }}
{{- define "lacks" }}{{ template "empty" }}{{ end }}
{{- define "empty" }}{{ .nothing }}{{ end }}
{{- define "changes" }}{{ $_ := set .a "b" 1 }}{{ end }}
{{- define "loses" }}{{ $text := include "empty" dict }}{{ end }}
{{- define "always" }}{{ if not (include "upper" .) }}{{ violation "T-U" "u" "no" }}{{ end }}{{ end }}
{{- define "upper" }}{{ .u | upper }}{{ end }}
{{- define "one of" }}{{ if .e }}{{ if not (has .e (list "x" "y")) }}{{ violation "T-I" "e" "no" }}{{ end }}{{ end }}{{ end }}
`
	const several = `{{ template "needs" . }}{{ template "each" . }}{{ template "sets" . }}{{ template "around" . }}
{{- template "looks" . }}{{ template "always" . }}{{ template "one of" . }}{{ template "includes" . }}{{ template "deep" . }}{{ template "limits" . }}{{ template "rounds" . }}
`
	texts := []string{
		several,
		"v: {{ .a.b }}\nw: {{ .t | quote }}\n" + several + "u: {{ .a.b | default 1 }}\nx: {{ .l | toJson }}",
		several + several,
		"{{ if .g }}{{ template \"needs\" . }}{{ end }}" + several + "{{ with .a }}{{ template \"deep\" . }}{{ end }}",
		"{{ $m := dict }}{{ range .l }}{{ $_ := set $m .k 1 }}{{ end }}" + several,
		"{{ $_ := set .a \"b\" 2 }}{{ template \"changes\" . }}" + several,
		"v:\n{{ template \"around\" . }}  k: {{ .a.k }}\nw:\n" + several + "  k: {{ .a.k }}",
		"v: {{ .v }}\nw: {{ template \"prints\" . }}\n{{ template \"computes\" . }}{{ template \"lacks\" . }}{{ template \"open\" . }}",
		`{{ define "own" }}{{ if .o }}{{ note "T-W" "o" }}{{ end }}{{ end }}{{ template "open" . }}{{ template "needs" .a }}`,
		`{{ define "own" }}{{ if .p }}{{ note "T-P" "p" }}{{ end }}{{ end }}{{ template "open" . }}{{ template "needs" $ }}`,
		"{{ range $i, $n := list 1 2 }}{{ template \"around\" $ }}{{ end }}" + several + `v: {{ include "asJSON" . }}`,
		`{{ $l := lookupCR "v1" "ConfigMap" .metadata.namespace .a.n }}v: {{ $l.data.z }}` + "\n" + several,
		`{{ template "loses" . }}{{ template "changes" . }}{{ template "has" (dict "c" .a "speling" 1) }}`,
		`{{ define "again" }}{{ if .deep }}{{ template "13" .deep }}{{ end }}{{ end }}{{ template "again" . }}` + several,
	}
	set, problems := template.NewSet([]*refconfig.FunctionFile{{File: "n.tmpl", Path: "n.tmpl", Source: []byte(named)}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var all []*template.Template
	for i, text := range texts {
		one, faults := set.Parse(&refconfig.Template{
			Path: fmt.Sprint(i), File: fmt.Sprint(i), Source: []byte("apiVersion: v1\nkind: T\nmetadata: {name: x}\n" + text),
		})
		if one == nil {
			t.Fatal(faults)
		}
		all = append(all, one)
	}
	shared := sharedOf(t, all)
	for _, example := range []string{"config-connector", "ran-du", "references/codes", "references/nested"} {
		ref, problems := refconfig.Load(os.DirFS("../../../examples/"+example+"/reference"), ".", refconfig.LoadOptions{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		engine, _ := render.Compile(t.Context(), ref)
		all = nil
		for _, one := range engine.Templates() {
			all = append(all, one.Template)
		}
		shared += sharedOf(t, all)
	}
	if shared < 14 {
		t.Errorf("only %d calls are shared", shared)
	}
}

// sharedOf compares both ways to execute the templates of a set, and returns how many calls they share.
func sharedOf(t *testing.T, all []*template.Template) (shared int) {
	var prober Prober
	for _, one := range all {
		want, got := Execute(t.Context(), one), prober.Execute(t.Context(), one)
		for _, found := range []*Probed{want, got} {
			for _, f := range found.Fields {
				for i := range f.Uses {
					f.Uses[i].in = nil // what a call reads is compared by itself
				}
				for i := range f.Constraints {
					f.Constraints[i].Use.in = nil
				}
			}
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s:\n%+v, want\n%+v", one.Body.Name, got, want)
		}
	}
	for _, known := range prober.calls.Range {
		if known.(func() *sharedCall)() != nil {
			shared++
		}
	}
	return shared
}
