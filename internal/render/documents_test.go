package render_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
)

// Only the first document of a template counts, with a warning, whatever the others contain.
func TestATemplateIsItsFirstDocument(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int // line of the warning; 0 for none
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
			engine, problems := render.Compile(context.Background(), reference(c.text))
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

// A computed second document must be ignored as well.
func TestASecondDocumentThatIsPrintedIsAnError(t *testing.T) {
	_, err := compile(t, header+"v: x\n{{ .more }}\n").Execute(object(t, "{more: \"---\\nkind: B\"}"), render.Options{})
	if err == nil || !strings.Contains(err.Error(), "more than one YAML document") {
		t.Errorf("error %v", err)
	}
}

// A plain CR with foreign braces must be compared as it is, with the line numbers of its file.
func TestAPlainCRThatIsNoTemplateIsLiteral(t *testing.T) {
	ref := reference("kind: PrometheusRule\nmetadata: {name: r}\nspec:\n  text: \"on {{ $labels.instance }}\"\n")
	ref.Templates[0].Plain, ref.Templates[0].LinesBefore = true, 10
	engine, problems := render.Compile(context.Background(), ref)
	if len(problems) > 0 || len(engine.Warnings()) != 1 {
		t.Fatal(problems, engine.Warnings())
	}
	w := engine.Warnings()[0]
	if w.Code != code.RefLiteral || w.Place.String() != "ref/t.yaml:14" ||
		!strings.Contains(w.Message, `undefined variable "$labels"`) {
		t.Errorf("%s %v", w.Code, w)
	}
	r, err := engine.Templates()[0].Execute(object(t, "{}"), render.Options{})
	if err != nil || r.Value["spec"].(map[string]any)["text"] != "on {{ $labels.instance }}" {
		t.Errorf("%v %v", r.Value, err)
	}

	ref.Templates[0].Source = []byte(
		"kind: A\nspec: '{{ template \"slack.title\" . }}'\n",
	) // a template for an alert manager
	if engine, problems = render.Compile(context.Background(), ref); len(problems) > 0 || len(engine.Warnings()) != 1 ||
		engine.Warnings()[0].Place.String() != "ref/t.yaml:12" {
		t.Errorf("%v %v", problems, engine.Warnings())
	}

	ref.Templates[0].Source = []byte("kind: A\nspec: {{ $x }}\n") // not valid YAML either
	if _, problems = render.Compile(context.Background(), ref); len(problems) != 1 ||
		problems[0].Place.String() != "ref/t.yaml:12" {
		t.Errorf("%v", problems)
	}
	ref.Templates[0].Source, ref.Templates[0].Plain = []byte("kind: A\nspec: '{{ $x }}'\n"), false
	if _, problems = render.Compile(context.Background(), ref); len(problems) != 1 ||
		problems[0].Code != code.RefTemplateParse {
		t.Errorf("%v", problems)
	}
}
