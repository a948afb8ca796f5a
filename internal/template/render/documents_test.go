package render_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
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

// A template with foreign braces that is not listed as a plain CR is an error; the script plain_crs
// has plain CRs.
func TestOnlyAPlainCRIsLiteral(t *testing.T) {
	_, problems := render.Compile(t.Context(), reference("kind: A\nspec: '{{ $x }}'\n"))
	if len(problems) != 1 || problems[0].Code != code.RefTemplateParse {
		t.Errorf("%v", problems)
	}
}
