package render_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Every function must treat absent arguments by the rule of its row: no call may fail because of
// them, and to print a missing result is a finding.
func TestAbsentArgumentsOfEveryFunction(t *testing.T) {
	table := function.Table()
	for _, name := range tree.Keys(table) {
		f := table[name]
		if f.Absent == function.Follows && name != "index" && name != "get" && name != "first" && name != "last" {
			continue // their results do not depend on a value in this way, or their own tests have them
		}
		for count := 1; count <= 6; count++ {
			if f.CheckCount(count) != nil {
				continue
			}
			call := name + strings.Repeat(" .spec.gone", count)
			inRange := "  a: x\n{{ range " + call + " }}  b: y\n{{ end }}"
			if f.Absent == function.Carries || f.Absent == function.Copes {
				inRange = "  a: x\n" // it may return a text or a list with null
			}
			for _, c := range []struct {
				body  string
				finds bool
			}{
				{"  v: {{ " + call + " }}\n", true},
				{"  v: x-{{ " + call + " }}\n", true},
				{"  v: 'x-{{ " + call + " }}'\n", true},
				{"  v:\n    {{ " + call + " }}\n", true},
				{"  v:\n    {{- " + call + " }}\n", true},
				{"  v: {{ " + call + " | quote | upper }}\n", true},
				{"  v: {{ " + call + " | default \"d\" }}\n", false},
				{"  a: x\n{{ if " + call + " }}  b: y\n{{ end }}", false},
				{inRange, false},
				{"  a: x # {{ " + call + " }}\n", false},
			} {
				finds := c.finds && f.Absent != function.Copes
				r, err := compile(t, "apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec:\n"+c.body).Execute(
					map[string]any{"kind": "A", "spec": map[string]any{}}, render.Options{},
				)
				if err != nil {
					if f.Absent != function.Copes { // a function that copes may refuse what it gets
						t.Errorf("%s: %v", c.body, err)
					}
					continue
				}
				if found := missingKeys(r); (len(found) > 0) != finds {
					t.Errorf("%s: findings %v, want one: %v", c.body, found, finds)
				}
			}
		}
	}
}

// TestNumbersOfAbsentArguments compares numbers that functions make of what the CR lacks with those
// that sprig makes of nil: a check such as lt (int .spec.replicas) 2 must not pass in silence.
func TestNumbersOfAbsentArguments(t *testing.T) {
	table, tried := function.Table(), 0
	for _, name := range tree.Keys(table) {
		f := table[name]
		if f.Engine || f.Unsteady != "" {
			continue
		}
		of, isSprig := sprig.TxtFuncMap()[name]
		for count := 1; isSprig && count <= 2; count++ {
			call := name + strings.Repeat(" .gone", count)
			var want strings.Builder
			peer, err := template.New("").Funcs(template.FuncMap{name: of}).Parse("{{ " + call + " }}")
			if err != nil || f.CheckCount(count) != nil || peer.Execute(&want, map[string]any{}) != nil {
				continue
			}
			if _, err := strconv.ParseFloat(want.String(), 64); err != nil {
				continue
			}
			tried++
			for order, holds := range map[string]bool{"eq": true, "lt": false} {
				body := fmt.Sprintf("a: x\n  {{ if %s (%s | float64) %s. }}b: y{{ end }}\n", order, call, want.String())
				r, err := compile(t, "apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec:\n  "+body).Execute(
					map[string]any{"kind": "A"}, render.Options{},
				)
				if err != nil {
					t.Fatal(body, err)
				}
				if _, has := tree.At(r.Value, refconfig.PathOf("spec", "b")); has != holds {
					t.Errorf("%s: %v, want %v", body, has, holds)
				}
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d calls return a number", tried)
	}
}

// missingKeys returns the messages about missing keys of a rendering.
func missingKeys(r render.Rendering) (all []string) {
	count := func(f *provenance.Finding) {
		if f != nil && f.Code == code.EvalMissingKey {
			all = append(all, fmt.Sprint(f.Path))
		}
	}
	for i := range r.Unplaced {
		count(&r.Unplaced[i])
	}
	for _, f := range r.Node.Findings() {
		count(&f)
	}
	return all
}
