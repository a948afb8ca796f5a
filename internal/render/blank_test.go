package render_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// TestTemplatesWithoutCRsAreBounded: what the templates of a reference take before anything is compared ends with a fault of the one that is too much,
// and no number of ordinary templates gets there.
func TestTemplatesWithoutCRsAreBounded(t *testing.T) {
	compiled := func(n int, body string, shared ...*refconfig.FunctionFile) (*render.Engine, []refconfig.Problem) {
		ref := &refconfig.Reference{Functions: shared}
		for i := range n {
			name := fmt.Sprintf("t%d.yaml", i)
			text := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: n%d}\n%s", i, body)
			ref.Templates = append(ref.Templates, &refconfig.Template{Path: name, File: name, Source: []byte(text)})
		}
		return render.Compile(context.Background(), ref)
	}
	e, problems := compiled(500, "{{ range until 1900000 }}{{ end }}")
	if n := len(e.Templates()); len(problems) != 1 || problems[0].Code != code.LimitBlank || n < 3 || n > 30 {
		t.Errorf("%d templates, %v", n, problems)
	}
	texts := `{{ range $i := until 500 }}{{ $x := upper (printf "%d kindSecret: [&x ` + strings.Repeat("[", 190) + strings.Repeat("]", 190) + `]" $i) }}{{ end }}`
	if e, problems = compiled(500, texts); len(problems) != 1 || problems[0].Code != code.LimitBlank || len(e.Templates()) < 3 {
		t.Errorf("that make texts which take long to search for Secrets: %d templates, %v", len(e.Templates()), problems)
	}
	calls := ""
	for i := range 3000 {
		calls += fmt.Sprintf("{{ define \"f%d\" }}{{ if .x }}{{ template \"f%d\" . }}{{ end }}{{ end }}\n", i, (i+1)%3000)
	}
	shared := []*refconfig.FunctionFile{{Path: "f.tmpl", File: "f.tmpl", Source: []byte(calls)}}
	if e, problems = compiled(4000, "data: {{ template \"f0\" . }}\n", shared...); len(problems) != 1 || problems[0].Code != code.LimitBlank || len(e.Templates()) < 100 {
		t.Errorf("that call many others: %d templates, %v", len(e.Templates()), problems)
	}
	if e, problems = compiled(1000, "data:\n  a: \"{{ .data.a }}\"\n  {{- range .spec.list }}\n  {{ . }}: {{ . | quote }}\n  {{- end }}\n"); len(problems) > 0 || len(e.Templates()) != 1000 {
		t.Errorf("ordinary ones: %d, %v", len(e.Templates()), problems)
	}
}
