package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
)

// A template of several documents is its first one, with a warning, whatever stands in the others.
func TestATemplateIsItsFirstDocument(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int // of the warning; 0 for none
	}{
		"two":                             {header + "v: {{ .a }}\n---\nkind: B\nw: {{ .gone }}\n", 6},
		"with blanks and comments before": {"# about\n---\n" + header + "v: {{ .a }}\n--- # more\nkind: B\n", 8},
		"broken YAML behind":              {header + "v: {{ .a }}\n---\nkind: [B\n", 6},
		"behind three dots":               {header + "v: {{ .a }}\n...\nkind: B\n", 6},
		"nothing behind":                  {header + "v: {{ .a }}\n---\n# the end\n...\n", 0},
		"a definition before":             {"{{ define \"n\" }}a: b{{ end }}\n---\n" + header + "v: {{ .a }}\n", 0},
		"a definition behind":             {header + "v: {{ .a }}\n---\n{{- define \"n\" }}\na: b\n{{ end }}\n", 0},
		"in a condition":                  {header + "v: {{ .a }}\n{{- if .more }}\n---\nkind: B\n{{- end }}\n", 7},
		"in a text":                       {header + "v: {{ .a }}\nw: |\n  ---\n  x\n", 0},
		"windows":                         {strings.ReplaceAll(header+"v: {{ .a }}\n---\nkind: B\n", "\n", "\r\n"), 6},
	} {
		t.Run(name, func(t *testing.T) {
			engine, problems := render.Compile(reference(c.text))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			template := engine.Templates()[0]
			if kind, _ := template.Identity.Kind.Exact(); kind != "Thing" {
				t.Errorf("the kind is %s", kind)
			}
			var want, got []string
			if c.line > 0 {
				want = append(want, fmt.Sprintf("%s ref/t.yaml:%d", code.RefSecondDocument, c.line))
			}
			for _, w := range engine.Warnings() {
				got = append(got, fmt.Sprintf("%s %s", w.Code, w.Place.String()))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("warnings -want +got:\n%s", diff)
			}
			r, err := template.Execute(object(t, "{a: x, more: true}"), render.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Value["v"] != "x" || r.Value["kind"] != "Thing" || len(r.Unplaced) > 0 {
				t.Errorf("%v, %v", r.Value, r.Unplaced)
			}
		})
	}
}

// What the text of a template does not show is still no second CR that nobody looks at.
func TestASecondDocumentThatIsPrintedIsAnError(t *testing.T) {
	_, err := compile(t, header+"v: x\n{{ .more }}\n").Execute(object(t, "{more: \"---\\nkind: B\"}"), render.Options{})
	if err == nil || !strings.Contains(err.Error(), "more than one YAML document") {
		t.Errorf("error %v", err)
	}
}

// A template that is not defined is found when the reference is loaded; one that may never be called is only warned of.
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
		"first perhaps":         {"{{ define \"n\" }}{{ template \"nope\" }}{{ end }}{{ if .x }}{{ template \"n\" }}{{ end }}{{ template \"n\" }}", []string{fault(5), warning(5)}},
		"never called":          {`{{ define "n" }}{{ template "nope" }}{{ end }}v: x`, nil},
		"defined":               {`{{ define "n" }}{{ template "n" }}{{ end }}v: {{ if .x }}{{ include "n" . }}{{ end }}`, nil},
		"in a function file":    {`v: {{ include "g" . }}`, nil},
		"a name that is made":   {`v: {{ if .x }}{{ include (printf "n%d" 1) . }}{{ end }}`, nil},
		"the file's own name":   {`v: {{ if .x }}{{ include "b.tmpl" . }}{{ end }}`, nil},
		"the template's itself": {`v: {{ if .x }}{{ include "t.yaml" . }}{{ end }}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			ref := reference(header+c.text+"\n", `{{ define "g" }}x{{ end }}`, `{{ define "f" }}{{ template "nope" }}{{ end }}`)
			ref.Functions[1].Path = "sub/b.tmpl" // others know a file by its name without the folder
			engine, problems := render.Compile(ref)
			var got []string
			for _, p := range problems {
				got = append(got, fmt.Sprintf("fault %s %s", p.Code, p.Place.String()))
			}
			for _, p := range engine.Warnings() {
				got = append(got, fmt.Sprintf("warning %s %s", p.Code, p.Place.String()))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A plain CR with braces that are not of the template language is compared as it is; lines are those of its file.
func TestAPlainCRThatIsNoTemplateIsLiteral(t *testing.T) {
	ref := reference("kind: PrometheusRule\nmetadata: {name: r}\nspec:\n  text: \"on {{ $labels.instance }}\"\n")
	ref.Templates[0].Plain, ref.Templates[0].LinesBefore = true, 10
	engine, problems := render.Compile(ref)
	if len(problems) > 0 || len(engine.Warnings()) != 1 {
		t.Fatal(problems, engine.Warnings())
	}
	w := engine.Warnings()[0]
	if w.Code != code.RefLiteral || w.Place.String() != "ref/t.yaml:14" || !strings.Contains(w.Message, `undefined variable "$labels"`) {
		t.Errorf("%s %v", w.Code, w)
	}
	r, err := engine.Templates()[0].Execute(object(t, "{}"), render.Options{})
	if err != nil || r.Value["spec"].(map[string]any)["text"] != "on {{ $labels.instance }}" {
		t.Errorf("%v %v", r.Value, err)
	}

	ref.Templates[0].Source = []byte("kind: A\nspec: '{{ template \"slack.title\" . }}'\n") // a template of an alert manager
	if engine, problems = render.Compile(ref); len(problems) > 0 || len(engine.Warnings()) != 1 || engine.Warnings()[0].Place.String() != "ref/t.yaml:12" {
		t.Errorf("%v %v", problems, engine.Warnings())
	}

	ref.Templates[0].Source = []byte("kind: A\nspec: {{ $x }}\n") // no YAML either
	if _, problems = render.Compile(ref); len(problems) != 1 || problems[0].Place.String() != "ref/t.yaml:12" {
		t.Errorf("%v", problems)
	}
	ref.Templates[0].Source, ref.Templates[0].Plain = []byte("kind: A\nspec: '{{ $x }}'\n"), false
	if _, problems = render.Compile(ref); len(problems) != 1 || problems[0].Code != code.RefTemplateParse {
		t.Errorf("%v", problems)
	}
}
