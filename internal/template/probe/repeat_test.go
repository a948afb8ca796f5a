package probe

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestRepeatedCallsChangeNothing: a run without a field that repeats recorded calls finds what a run
// finds that executes them, and counts the same work.
func TestRepeatedCallsChangeNothing(t *testing.T) {
	const named = `
{{- define "at" }}{{ $v := . }}{{ range list "a" "b" }}{{ $v = index $v . }}{{ end }}{{ $v }}{{ end }}
{{- define "own" }}{{ if .x }}{{ .y | default "z" }}{{ end }}{{ end }}
{{- define "set" }}{{ $_ := set (index . 0) "k" (index . 1).x }}{{ end }}
{{- define "checks" }}{{ if not .c }}{{ violation "T-C" "no" }}{{ end }}{{ end }}
{{- define "fails" }}{{ if not .d.e }}{{ fail "d.e is required" }}{{ end }}{{ .d.e }}{{ end }}
{{- define "around" }}{{ template "own" . }}{{ include "at" . }}{{ template "checks" . }}{{ end }}
`
	texts := []string{
		`v: {{ include "at" . }}
w: {{ include "own" . }}
u: {{ .u }}`,
		`{{ $m := dict }}{{ template "set" (list $m .) }}v: {{ $m.k }}
w: {{ include "own" . }}
u: {{ .c }}{{ .d }}`,
		`{{ if not .g }}{{ template "checks" . }}{{ end }}{{ template "checks" . }}v: {{ include "fails" . }}
w: {{ .h }}`,
		`{{ range .l }}{{ template "around" . }}{{ end }}{{ template "around" . }}v: {{ .a.b }}`,
		`{{ range $k := list "x" "y" }}{{ if index $ $k }}{{ template "own" (dict "x" $k "y" $.y) }}{{ end }}{{ end }}
v: {{ include "around" . | quote }}`,
		`v: {{ include (print "o" "wn") . }}{{ include .n . }}
w: {{ include "own" (dict "x" .x "y" (default .a .b)) }}`,
		`{{ $l := lookupCR "v1" "ConfigMap" "a" .x }}v: {{ include "at" $l }}
w: {{ include "at" $l }}{{ include "own" (merge (dict) $l) }}{{ .a.b }}{{ .y }}`,
	}
	var all []*template.Template
	set, problems := template.NewSet([]*refconfig.FunctionFile{{File: "n.tmpl", Source: []byte(named)}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for i, text := range texts {
		one, faults := set.Parse(&refconfig.Template{
			Path: fmt.Sprint(i), File: fmt.Sprint(i), Source: []byte("apiVersion: v1\nkind: T\nmetadata: {name: x}\n" + text),
		})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		all = append(all, one)
	}
	for _, example := range []string{"config-connector", "ran-du", "harvester-cloudinit"} {
		ref, problems := refconfig.Load(os.DirFS("../../../examples/"+example+"/reference"), ".", refconfig.LoadOptions{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		engine, _ := render.Compile(t.Context(), ref)
		for _, one := range engine.Templates() {
			all = append(all, one.Template)
		}
	}
	repeated := 0
	for _, one := range all {
		p := newProbe()
		_, _ = p.explore(t.Context(), one, p.hooks(), &render.Output{})
		with := *p
		with.recordCalls(t.Context(), one)
		for _, call := range with.repeats {
			if call != nil {
				repeated++
			}
		}
		for i, name := range tree.Keys(p.asked) {
			if !testkit.Whole() && i%4 > 0 {
				continue
			}
			want, got := p.asked[name].clone(), p.asked[name].clone()
			work, _ := p.executeWithout(t.Context(), one, want)
			workWith, _ := with.executeWithout(t.Context(), one, got)
			if work != workWith || !slices.Equal(want.When, got.When) || !reflect.DeepEqual(want.Field, got.Field) ||
				want.noDefault != got.noDefault {
				t.Errorf("%s without %s: %d steps and %+v, want %d and %+v", one.Body.File.Name, name, workWith, got.Field, work, want.Field)
			}
		}
	}
	if repeated < 500 {
		t.Errorf("only %d calls can be repeated", repeated)
	}
}

// TestUnionOfFew: lists of few origins have the same union as lists of many, and no list is changed.
func TestUnionOfFew(t *testing.T) {
	var all []origin
	for i := range 5 {
		for _, via := range [][]string{nil, {"a"}} {
			all = append(all, origin{text: fmt.Sprint(i), use: Use{At: "f:1", Via: via}})
		}
	}
	many := []origin{}
	for i := range fewOrigins {
		many = append(many, origin{text: fmt.Sprint("m", i)})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var lists [][]origin
		for range random.IntN(4) {
			var l []origin
			for range random.IntN(4) {
				l = append(l, all[random.IntN(len(all))])
			}
			lists = append(lists, l)
		}
		before := slices.Concat(lists...)
		got := union(lists...)
		want := union(append(lists, many)...)
		if want = want[:len(want)-len(many)]; !slices.EqualFunc(got, want, isSameOrigin) {
			t.Fatalf("%v: got %v, want %v", lists, got, want)
		}
		if _ = append(got, origin{text: "new"}); !slices.EqualFunc(before, slices.Concat(lists...), isSameOrigin) {
			t.Fatalf("%v: a list is changed", lists)
		}
	}
}

func isSameOrigin(a, b origin) bool { return isIn([]origin{a}, &b) }
