package template_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// parse parses a template whose text starts at line 5 of its file.
func parse(set *template.Set, text string) (*template.Template, []refconfig.Problem) {
	return set.Parse(&refconfig.Template{
		Path:        "t.yaml",
		File:        "ref/t.yaml",
		Source:      []byte("kind: Thing\n" + text + "\n"),
		LinesBefore: 3,
	})
}

// An undefined template must be an error on loading, unless it may never be called, which is only a
// warning.
func TestCallsOfUndefinedTemplates(t *testing.T) {
	fault := func(line int) string { return fmt.Sprintf("fault VT2042 ref/t.yaml:%d", line) }
	warning := func(line int) string { return fmt.Sprintf("warning VT2042 ref/t.yaml:%d", line) }
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"include":               {`v: {{ include "nope" . }}`, []string{fault(5)}},
		"template":              {`v: {{ template "nope" . }}`, []string{fault(5)}},
		"in a pipeline":         {`v: {{ . | include "nope" | quote }}`, []string{fault(5)}},
		"in parentheses":        {`v: {{ (include "nope" .) | quote }}`, []string{fault(5)}},
		"for a variable":        {`{{ $x := include "nope" . }}v: x`, []string{fault(5)}},
		"as a condition":        {`{{ if include "nope" . }}v: x{{ end }}`, []string{fault(5)}},
		"two":                   {"v: {{ include \"nope\" . }}\nw: {{ include \"no\" . }}", []string{fault(5), fault(6)}},
		"by a definition":       {"{{ define \"n\" }}{{ template \"nope\" }}{{ end }}\nv: {{ include \"n\" . }}", []string{fault(5)}},
		"by a function file":    {`v: {{ include "f" . }}`, []string{"fault VT2042 ref/b.tmpl:1"}},
		"in a condition":        {`{{ if .x }}v: {{ include "nope" . }}{{ end }}`, []string{warning(5)}},
		"in an else":            {`{{ if .x }}{{ else }}v: {{ include "nope" . }}{{ end }}`, []string{warning(5)}},
		"in a range":            {`{{ range .x }}{{ template "nope" }}{{ end }}`, []string{warning(5)}},
		"in a with":             {`{{ with .x }}{{ template "nope" }}{{ end }}`, []string{warning(5)}},
		"after and":             {`{{ if and .x (include "nope" .) }}v: x{{ end }}`, []string{warning(5)}},
		"first perhaps":         {"{{ define \"n\" }}{{ template \"nope\" }}{{ end }}{{ if .x }}{{ template \"n\" }}{{ end }}{{ template \"n\" }}", []string{fault(5)}},
		"never called":          {`{{ define "n" }}{{ template "nope" }}{{ end }}v: x`, nil},
		"defined":               {`{{ define "n" }}{{ template "n" }}{{ end }}v: {{ if .x }}{{ include "n" . }}{{ end }}`, nil},
		"in a function file":    {`v: {{ include "g" . }}`, nil},
		"a name that is made":   {`v: {{ if .x }}{{ include (printf "n%d" 1) . }}{{ end }}`, nil},
		"the file's own name":   {`v: {{ if .x }}{{ include "b.tmpl" . }}{{ end }}`, nil},
		"the template's itself": {`v: {{ if .x }}{{ include "t.yaml" . }}{{ end }}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			set, problems := template.NewSet([]*refconfig.FunctionFile{
				{Path: "a.tmpl", File: "ref/a.tmpl", Source: []byte(`{{ define "g" }}x{{ end }}`)},
				{
					Path:   "sub/b.tmpl",
					File:   "ref/b.tmpl",
					Source: []byte(`{{ define "f" }}{{ template "nope" }}{{ end }}`),
				}, // its name is b.tmpl
			})
			_, faults := parse(set, c.text)
			problems = append(problems, faults...)
			var got []string
			for _, p := range problems {
				got = append(got, fmt.Sprintf("fault %s %s", p.Code, p.Place.String()))
			}
			for _, p := range set.Warnings() {
				got = append(got, fmt.Sprintf("warning %s %s", p.Code, p.Place.String()))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestLookups(t *testing.T) {
	for text, want := range map[string]string{
		`{{ .a }}`:                       "",
		`{{ lookupCR "v1" "A" "" "x" }}`: "A",
		`{{ range lookupCRs "v1" "A" "" "" }}{{ (lookupCR "v1" "B" "" .x).y }}{{ end }}`: "A B",
		`{{ define "d" }}{{ lookupCR "v1" "B" }}{{ end }}`:                               "B",
		`{{ lookupCR "v1" .kind "" "" }}`:                                                "A B",
		`{{ "x" | lookupCR "v1" "A" "" }}`:                                               "A",
		`{{ "A" | lookupCR "v1" }}`:                                                      "A B",
		`{{ print lookupCR }}`:                                                           "A B",
		`{{ lookupCR.x }}`:                                                               "A B",
		`{{ lookupCR "v2" "A" "" "" }}`:                                                  "",
	} {
		inTemplate, _ := template.NewSet(nil)
		if _, faults := parse(inTemplate, text); len(faults) > 0 {
			t.Fatal(faults)
		}
		beside, _ := template.NewSet(nil)
		for where, lookups := range map[string]template.Lookups{"a template": inTemplate.Lookups("{{"), "a text": beside.Lookups(text)} {
			var got []string
			for _, kind := range []string{"A", "B"} {
				if lookups.Matches("v1", kind) {
					got = append(got, kind)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s %s: looks up %v, want %s", where, text, got, want)
			}
		}
	}
}

// Places must count lines from the start of the file, also after a byte order mark or with lines
// before the text.
func TestPlaces(t *testing.T) {
	set, _ := template.NewSet(nil)
	ref := &refconfig.Template{
		Path:        "t.yaml",
		File:        "ref/t.yaml",
		Source:      []byte("\ufeffkind: A\n{{ .a }}\n{{ now }}{{ .b }}\n"),
		LinesBefore: 10,
	}
	parsed, faults := set.Parse(ref)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	var got []string
	for _, n := range parsed.Body.Root.Nodes {
		got = append(got, parsed.Body.File.At(n.Position()).String())
	}
	want := []string{
		"ref/t.yaml:11:1",
		"ref/t.yaml:12:4",
		"ref/t.yaml:12:9",
		"ref/t.yaml:13:4",
		"ref/t.yaml:13:13",
		"ref/t.yaml:13:18",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if w := set.Warnings(); len(w) != 1 || w[0].Code != code.RefUnsteady || w[0].Place.String() != "ref/t.yaml:13" {
		t.Errorf("%v", w)
	}
	ref.Source = []byte("kind: A\n{{ if }}\n")
	if _, faults := set.Parse(ref); len(faults) != 1 || faults[0].Place.String() != "ref/t.yaml:12" {
		t.Errorf("%v", faults)
	}
}

// TestIsLike: two templates are alike if all that they may call is the same but for comments and places.
func TestIsLike(t *testing.T) {
	const functions = `{{ define "a" }}{{ template "b" . }}{{ end }}{{ define "b" }}1{{ end }}{{ define "c" }}2{{ end }}`
	one := func(text, functions string) *template.Template {
		set, _ := template.NewSet([]*refconfig.FunctionFile{{Path: "f.tmpl", File: "f.tmpl", Source: []byte(functions)}})
		parsed, faults := parse(set, text)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return parsed
	}
	const text = `v: {{ include "a" . }}{{ if .x }}w{{ end }}`
	for name, c := range map[string]struct {
		text, functions string
		want            bool
	}{
		"the same":                         {text, functions, true},
		"a comment, a blank, another line": {"{{/* a */}}v: {{include\n\"a\" .}}{{ if  .x }}w{{ end }}", functions, true},
		"another template that is called":  {text, strings.Replace(functions, "1", "3", 1), false},
		"one that is not called":           {text, strings.Replace(functions, "2", "3", 1), true},
		"one of the template itself":       {text + `{{ define "c" }}3{{ end }}`, functions, true},
		"another text":                     {strings.Replace(text, "w", "x", 1), functions, false},
		"another condition":                {strings.Replace(text, ".x", ".y", 1), functions, false},
		"a computed name":                  {strings.Replace(text, `"a"`, ".n", 1), functions, false},
	} {
		if got := one(text, functions).IsLike(one(c.text, c.functions)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	const any = `v: {{ include .n . }}`
	if one(any, functions).IsLike(one(any, strings.Replace(functions, "2", "3", 1))) {
		t.Error("what a computed name may call is not compared")
	}
}
