package render_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// A template that loops without an object must still be compiled; its identity comes from its text.
// A slow loop ends with the context, and with Whole after the five seconds that one may take.
func TestATemplateThatLoopsCostsItsCRsOnly(t *testing.T) {
	for name, loop := range map[string]string{
		"fast": `{{ range until 1500 }}{{ range until 1500 }}{{ end }}{{ end }}`,
		"slow": `{{ range until 100000 }}{{ $x := sha512sum (repeat 1000000 "x") }}{{ end }}`,
	} {
		for place, text := range map[string]string{
			"first": loop + "\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: {{ .metadata.namespace }}\n  name: a\n",
			"last":  "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: {{ .metadata.namespace }}\n  name: a\n" + loop,
		} {
			t.Run(name+" "+place, func(t *testing.T) {
				t.Parallel()
				ref := &refconfig.Reference{
					Templates: []*refconfig.Template{{Path: "other.yaml", File: "other.yaml", Source: []byte("kind: Pod\n")},
						{Path: "loops.yaml", File: "loops.yaml", Source: []byte(text)}},
				}
				ctx := t.Context()
				if name == "slow" && !testkit.Whole() {
					soon, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
					defer cancel()
					ctx = soon
				}
				e, problems := render.Compile(ctx, ref)
				if len(problems) > 0 || len(e.Templates()) != 2 {
					t.Fatalf("%d templates, %v", len(e.Templates()), problems)
				}
				for i, want := range []string{"* Pod * *", "v1 ConfigMap * a"} {
					id := e.Templates()[i].Identity
					if got := fmt.Sprint(id.APIVersion, " ", id.Kind, " ", id.Namespace, " ", id.Name); got != want {
						t.Errorf("template %d is for %s, want %s", i, got, want)
					}
				}
			})
		}
	}
}

// An execution must end with its context, even in a loop and if failing actions are tolerated.
func TestAnExecutionEndsWithItsContext(t *testing.T) {
	const endless = `{{ range until 10000 }}{{ range until 10000 }}`
	for name, body := range map[string]string{
		"nodes":     endless,
		"operands":  endless + `{{ if and ` + strings.Repeat("$ ", 10_000) + `}}{{ end }}`,
		"calls":     endless + `{{ $x := sha512sum (repeat 1000000 "x") }}`,
		"templates": endless + `{{ template "x" . }}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			template := compile(
				t,
				header+`{{ define "x" }}{{ range until 1000 }}{{ end }}{{ end }}{{ if .loop }}`+body+"{{ end }}{{ end }}{{ end }}",
			)
			ctx, cancel := context.WithCancel(t.Context())
			cancelled := make(chan time.Time, 1)
			time.AfterFunc(20*time.Millisecond, func() {
				cancelled <- time.Now()
				cancel()
			})
			limits := render.Limits{
				Steps:  math.MaxInt32,
				Calls:  math.MaxInt32,
				Output: math.MaxInt32,
				Text:   kubeyaml.Limits{Values: 100_000_000},
			}
			_, err := template.Execute(object(t, "loop: true"), render.Options{Context: ctx, Limits: limits})
			var e *render.Error
			if !errors.As(err, &e) || e.Code != code.Interrupted {
				t.Errorf("it ended with %v", err)
			}
			if late := time.Since(<-cancelled); late > 20*time.Second {
				t.Errorf("it ended %s after its context", late)
			}
		})
	}
}
