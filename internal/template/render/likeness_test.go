package render

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"

	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// peerFunctions returns the functions as text/template would call them.
func peerFunctions(set func() *template.Template) template.FuncMap {
	m := template.FuncMap{}
	for name, f := range sprig.TxtFuncMap() {
		m[name] = f
	}
	table := function.Table()
	for _, name := range []string{"toYaml", "fromYaml", "fromYamlArray", "toJson", "fromJson", "fromJsonArray", "toToml"} {
		m[name] = func(v any) (any, error) {
			in, _, err := table[name].Arguments([]any{v}, func(int) string { return "" })
			if err != nil {
				return nil, err
			}
			return table[name].Call(in)
		}
	}
	m["lookupCR"] = func(_, _, _, _ string) map[string]any { return nil }
	m["include"] = func(name string, data any) (string, error) {
		var b strings.Builder
		err := set().ExecuteTemplate(&b, name, data)
		return b.String(), err
	}
	return m
}

// likeness executes a template here and with text/template. If text/template succeeds, the texts
// must be equal except where it prints nil.
func likeness(t *testing.T, name, text string, functions []*refconfig.FunctionFile, input map[string]any) {
	t.Helper()
	var set *template.Template
	set = template.New(name).Funcs(peerFunctions(func() *template.Template { return set }))
	for _, f := range functions {
		if _, err := set.New(f.Path).Parse(string(f.Source)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := set.Parse(text); err != nil {
		t.Fatalf("text/template does not parse it: %v", err)
	}
	var want strings.Builder
	if err := set.Execute(&want, input); err != nil {
		t.Logf("text/template ends with: %v", err)
		return
	}
	ref := &refconfig.Reference{
		Functions: functions,
		Templates: []*refconfig.Template{{Path: name, File: name, Source: []byte(text)}},
	}
	e, problems := Compile(context.Background(), ref)
	if len(problems) > 0 {
		t.Fatalf("problems: %+v", problems)
	}
	x := &Execution{Template: e.templates[0].Template, Out: &Output{}}
	if err := x.run(Value{V: input, Input: true, pure: true, at: root()}); err != nil {
		t.Fatalf("text/template renders it, and here: %v", err)
	}
	got := string(x.Out.Buf)
	if plain := strings.ReplaceAll(want.String(), "<no value>", ""); got != plain &&
		got != strings.ReplaceAll(want.String(), "<no value>", "null") {
		t.Errorf("input %v\ntext/template:\n%s\nhere:\n%s", input, plain, got)
	}
}

func TestRendersAsTextTemplateDoes(t *testing.T) {
	input := func() map[string]any {
		docs, err := kubeyaml.Parse([]byte(`
s: text
num: 7
f: 2.5
t: true
nothing: null
empty: ""
l: [a, b, 3]
m: {x: 1, y: {z: [1, 2]}, "d.e": 5}
objects:
- {name: one, port: 80}
- {name: two}
`))
		if err != nil {
			t.Fatal(err)
		}
		return docs[0].Value().(map[string]any)
	}
	for _, text := range []string{
		`{{ .s }} {{ .num }} {{ .f }} {{ .t }} {{ .l }} {{ .m }} {{ .objects }}`,
		`{{ .nope }}|{{ .m.nope }}|{{ .empty }}`,
		`{{- .s -}}  x  {{- /* comment */ -}}  y`,
		`{{ if .s }}a{{ else }}b{{ end }}{{ if .empty }}a{{ else if .num }}b{{ else }}c{{ end }}`,
		`{{ range .l }}<{{ . }}>{{ else }}none{{ end }}{{ range .nothing }}{{ else }}none{{ end }}`,
		`{{ range $i, $e := .l }}{{ $i }}={{ $e }} {{ end }}{{ range $k, $v := .m }}{{ $k }}={{ $v }};{{ end }}`,
		`{{ range $i := until 5 }}{{ if eq $i 1 }}{{ continue }}{{ end }}{{ if eq $i 3 }}{{ break }}{{ end }}{{ $i }}{{ end }}`,
		`{{ range 3 }}{{ . }}{{ end }}`,
		`{{ with .m.y }}{{ .z }}{{ $.s }}{{ end }}{{ with .nope }}x{{ else with .s }}{{ . }}{{ end }}`,
		`{{ $x := 1 }}{{ range .l }}{{ $x = . }}{{ end }}{{ $x }}{{ $y := "a" }}{{ if true }}{{ $y := "b" }}{{ end }}{{ $y }}`,
		`{{ range $a, $b := .m }}{{ $a }}{{ end }}`,
		`{{ $c := 1 }}{{ range $a, $b := .nope }}{{ else }}{{ $a }}{{ $b }}{{ end }}{{ range $c = list }}{{ else }}{{ $c }}{{ end }}{{ $c }}`,
		`{{ index .l 1 }}{{ index .m "d.e" }}{{ index .m "y" "z" 1 }}{{ index .s 0 }}`,
		`{{ len .l }}{{ len .m }}{{ len .s }}{{ slice .s 1 3 }}{{ slice .l 1 }}`,
		`{{ eq .num 7 }}{{ eq .num 1 2 7 }}{{ ne .s "x" }}{{ lt .num 8 }}{{ le 7 .num }}{{ gt .f 2.0 }}{{ ge .s "a" }}{{ eq .nope nil }}`,
		`{{ and .s .num }}{{ or .empty .s }}{{ and .empty .s }}{{ not .empty }}{{ or .nope "d" }}`,
		`{{ print .num .s 1 2 }}{{ printf "%d-%s-%v" .num .s .f }}{{ println "x" }}`,
		`{{ html "<a>" }}{{ js "a'b" }}{{ urlquery "a b" }}`,
		`{{ .s | upper | quote }}{{ quote .num }}{{ squote "x" }}{{ .s | repeat 2 | trunc 5 }}`,
		`{{ add 1 .num }}{{ mul 2 3 }}{{ div .num 2 }}{{ max 1 .num 3 }}{{ .f | int }}{{ round .f 0 }}`,
		`{{ list 1 "a" .s | join "," }}{{ dict "a" 1 "b" .s | toJson }}{{ tuple 1 2 }}`,
		`{{ .l | toYaml | nindent 2 }}{{ .m | toYaml }}{{ toJson .m }}{{ .m | toToml }}`,
		`{{ (fromJson "{\"a\": [1, {\"b\": 2}]}").a }}{{ (fromYaml "a: {b: yes}").a.b }}`,
		`{{ has 3 .l }}{{ without .l "a" }}{{ uniq .l }}{{ first .l }}{{ last .l }}{{ rest .l }}{{ append .l 4 }}{{ concat .l .l }}`,
		`{{ keys .m | sortAlpha }}{{ hasKey .m "x" }}{{ get .m "x" }}{{ get .m "no" }}{{ pick .m "x" }}{{ omit .m "x" "y" }}{{ dig "y" "z" "d" .m }}`,
		`{{ default "d" .nope }}{{ .s | default "d" }}{{ coalesce .nope .empty .s }}{{ ternary "a" "b" .t }}{{ empty .empty }}`,
		`{{ $d := dict "a" 1 }}{{ $_ := set $d "b" .s }}{{ $_ := set $d "a" 2 }}{{ $d.a }}{{ $d.b }}{{ $_ := unset $d "a" }}{{ hasKey $d "a" }}`,
		`{{ $l := list }}{{ range .l }}{{ $l = append $l . }}{{ end }}{{ $l }}{{ len $l }}`,
		`{{ define "d" }}[{{ . }}{{ with $ }}!{{ end }}]{{ end }}{{ template "d" .s }}{{ template "d" }}{{ include "d" .num | upper }}`,
		`{{ block "blk" .m }}{{ .x }}{{ end }}`,
		`{{ (semver "1.2.3-rc1").Minor }}{{ semverCompare "^1.2" "1.3.0" }}{{ $v := semver "4.16" }}{{ $v.Original }}{{ $v.Compare (semver "4.15") }}`,
		`{{ range regexFindAll "z" .s -1 }}{{ . }}{{ else }}none{{ end }}{{ regexFindAll "z" .s -1 | toJson }}{{ range $k, $v := split "x" .s }}{{ $k }}{{ $v }}{{ end }}`,
		`{{ regexMatch "^t" .s }}{{ regexReplaceAll "t" .s "T" }}{{ splitList "x" .s }}{{ (split "x" .s)._0 }}{{ contains "ex" .s }}`,
		`{{ kindOf .l }}{{ kindIs "map" .m }}{{ typeOf .num }}{{ toString .num }}{{ atoi "12" }}{{ int64 .f }}{{ b64enc .s | b64dec }}`,
		`{{ until 1e1 }}{{ "a" | repeat 2.0 }}{{ trunc 5e0 .s }}{{ add 1e1 1 }}{{ 1e1 }}{{ substr 0 1e0 .s }}`,
		`{{ 1_000 }}{{ 0x1F }}{{ 1e3 }}{{ 'a' }}{{ -5 }}{{ 1.50 }}`,
		`{{ "a\tb" }}{{ ` + "`raw`" + ` }}{{ true }}{{ len (list 1 2 (list 3)) }}`,
		`{{ .m.y.z | first }}{{ (index .objects 0).name }}{{ (index .objects 1).port }}`,
		`{{ range .objects }}{{ .name }}{{ if .port }}:{{ .port }}{{ end }} {{ end }}`,
		`{{ trimSuffix "t" .s }}{{ "x" | indent 4 }}{{ nospace "a b" }}{{ cat "a" .num }}{{ date "2006" 0 | trunc 0 }}`,
	} {
		likeness(t, "t", "kind: T\n"+text, nil, input())
	}
}

// TestRendersPublishedReferences compares every template of the published references with
// text/template, if they are available, for an empty object and for the CRs of its kind.
func TestRendersPublishedReferences(t *testing.T) {
	refs, _ := filepath.Glob("../../../../shared/conformance/references/*")
	inputs := publishedCRs(t)
	for _, dir := range refs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			ref, problems := refconfig.Load(os.DirFS(dir), ".", refconfig.LoadOptions{Name: dir})
			if ref == nil {
				t.Fatalf("%s: %+v", dir, problems)
			}
			e, compileProblems := Compile(context.Background(), ref)
			if len(compileProblems) > 0 {
				t.Errorf("%s: %+v", dir, compileProblems)
			}
			for _, tpl := range e.Templates() {
				text := string(tpl.Ref.Source)
				likeness(t, tpl.Ref.Path, text, ref.Functions, map[string]any{})
				kind, _ := tpl.Identity.Kind.Exact()
				for _, o := range inputs[kind] {
					likeness(t, tpl.Ref.Path, text, ref.Functions, o)
				}
			}
		})
	}
}

// publishedCRs reads the CRs of the published inputs by kind.
func publishedCRs(t *testing.T) map[string][]map[string]any {
	byKind := map[string][]map[string]any{}
	err := filepath.WalkDir("../../../../shared/conformance/inputs", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		docs, err := kubeyaml.Parse(text)
		if err != nil {
			return nil
		}
		for _, doc := range docs {
			if m, ok := doc.Value().(map[string]any); ok {
				kind, _ := m["kind"].(string)
				byKind[kind] = append(byKind[kind], m)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return byKind
}
