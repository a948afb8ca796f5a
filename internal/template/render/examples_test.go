package render_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/provenance"
)

// TestFunctionExamples runs the example of each of our own functions and checks that the manual
// describes it.
func TestFunctionExamples(t *testing.T) {
	manual, err := os.ReadFile("../../../docs/references.md")
	if err != nil {
		t.Fatal(err)
	}
	nodes := []map[string]any{object(t, "metadata: {name: a}"), object(t, "metadata: {name: b}")}
	lookup := func(_, _, _, name string) []map[string]any {
		if name == "b" {
			return nodes[1:]
		}
		return nodes
	}
	for _, a := range function.Docs() {
		if a.Example == "" {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			r, err := compile(
				t, header+"v: |-\n  "+a.Example+"\n",
			).Execute(object(t, header), render.Options{Lookup: lookup})
			got, _ := r.Value["v"].(string)
			if a.Label == "finds" {
				got = saysOf(r, err)
			} else if err != nil {
				t.Fatal(err)
			}
			if strings.TrimSpace(got) != a.Output {
				t.Errorf("%s gives %q, want %q", a.Example, got, a.Output)
			}
			if !strings.HasPrefix(a.Signature+" ", a.Name+" ") || !strings.Contains(a.Example, a.Name) {
				t.Errorf("%+v is about something else", a)
			}
			if !strings.Contains(string(manual), "`"+a.Name) {
				t.Error("docs/references.md does not name it")
			}
		})
	}
}

// saysOf returns the findings of an execution on the CR as a whole, without locations.
func saysOf(r render.Rendering, err error) string {
	var refused *render.Refused
	if errors.As(err, &refused) {
		return refused.Error()
	}
	if note, _ := r.Node.Child("v").Note(); note.Finding != nil {
		r.Unplaced = append(r.Unplaced, *note.Finding)
	}
	for _, s := range r.Remarks {
		r.Unplaced = append(r.Unplaced, provenance.Finding{Code: s.Code, Path: s.Path, Message: s.Message})
	}
	for _, f := range r.Unplaced {
		message, _, _ := strings.Cut(f.Message, " (ref/")
		return message
	}
	return ""
}
