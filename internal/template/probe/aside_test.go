package probe

import (
	"errors"
	"os"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestAsideNodesChangeNoText: an execution without the nodes that are aside gives the same text, reaches all
// that the other one reaches except in these nodes, and reaches every branch that is said to count.
func TestAsideNodesChangeNoText(t *testing.T) {
	skipped := 0
	for _, name := range []string{
		"config-connector", "ran-du", "harvester-cloudinit", "quickstart", "references/codes", "references/nested",
		"references/lookups", "references/templates",
	} {
		ref, problems := refconfig.Load(os.DirFS("../../../examples/"+name+"/reference"), ".", refconfig.LoadOptions{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		engine, _ := render.Compile(t.Context(), ref)
		for _, one := range engine.Templates() {
			s := &sampler{ctx: t.Context(), template: one, tried: map[string]int{}, reached: template.Reached{}}
			s.grow(Execute(t.Context(), one.Template))
			aside, branches := one.Aside()
			skipped += len(aside)
			counts := template.Reached{}
			var add func(all []template.Branch)
			add = func(all []template.Branch) {
				for _, b := range all {
					counts[b.Body] = true
					add(b.Inner)
				}
			}
			add(branches)
			for i := -1; i < len(s.fields); i++ {
				if s.gone = nil; i >= 0 {
					s.gone = []string{s.fields[i].Path}
				}
				whole, reached, err := s.execute(nil)
				part, fewer, partErr := s.execute(aside)
				var e *render.Error
				if err != nil && !(errors.As(err, &e) && e.Code == code.EvalYAML) {
					continue // it ended before the end of the template
				}
				if (err == nil) != (partErr == nil) || !tree.Equal(any(whole.Value), any(part.Value)) {
					t.Errorf("%s without %s: %v, want %v (%v, want %v)", one.Ref.Path, s.gone, part.Value, whole.Value, partErr, err)
				}
				for l := range fewer {
					if !reached[l] || !counts[l] {
						t.Errorf("%s without %s: %.50s is reached", one.Ref.Path, s.gone, l)
					}
				}
			}
		}
	}
	if skipped < 50 {
		t.Errorf("only %d nodes are aside", skipped)
	}
}
