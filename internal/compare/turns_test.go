package compare

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/given"
	"github.com/validationtool/validationtool/internal/template"
)

// TestFewObjectsAtATimeTakeMuch: CRs for which a template makes much text, or prints many values, wait for their turn, others do
// not; and where there are no steps for those behind, these are given up when their turn comes.
func TestFewObjectsAtATimeTakeMuch(t *testing.T) {
	const crs, few = 60, 5
	for _, c := range []struct {
		name, much string
		steps      int64 // about what it takes
		most       int64 // CRs that are rendered to the end; values are read behind that
	}{
		{"text", `data: {a: "{{ repeat 3000000 "v" }}"}`, 1_600_000, 3 * few},
		{"pieces", `data: {a: "{{ range until 1000 }}` + strings.Repeat("v", 3000) + `{{ end }}"}`, 1_600_000, 3 * few},
		{"arguments", `{{ $x := repeat 1400000 "v" }}{{ $y := upper $x }}data: {a: b}`, 1_600_000, 3 * few},
		{"values", `data: {a: [{{ range until 60 }}` + strings.Repeat("v,", 1000) + `{{ end }}]}`, 1_900_000, crs / 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref, engine := given.Load(t, fstest.MapFS{
				"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml}]}]}]\n")},
				"t.yaml":        {Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: \"{{ .metadata.name }}\"}\n{{ if .much }}" + c.much + "{{ if true }}{{ end }}{{ end }}\n")},
			}, "ref")
			var input strings.Builder
			for i := range crs {
				fmt.Fprintf(&input, "---\napiVersion: v1\nkind: A\nmetadata: {name: a%02d}\nmuch: %v\n", i, i%2 == 0)
			}
			in := Collected{Objects: given.Objects(t, "in.yaml", input.String())}
			synctest.Test(t, func(t *testing.T) {
				turns := budget.NewTurns(1)
				before := turns.Turn(-1, func() bool { return true })
				before.Take(budget.Little + 1)
				var done, whole, ended atomic.Int64
				opt := Options{Workers: crs, Share: Share{Large: turns, Room: budget.NewRoom(1 << 40), Rendered: budget.NewRoom(1 << 40), Work: budget.NewWork(few * c.steps)},
					Progress: func(int, int) { done.Add(1) },
					Reached: func(lists template.Reached) {
						if len(lists) == 3+strings.Count(c.much, "range") {
							whole.Add(1)
						}
					}}
				var result *finding.Run
				go func() {
					result, _ = Run(t.Context(), ref, engine, in, opt)
					ended.Add(1)
				}()
				synctest.Wait()
				if done.Load() != crs/2 || ended.Load() != 0 {
					t.Errorf("%d of %d CRs did not wait for a turn", done.Load(), crs)
				}
				before.End()
				synctest.Wait()
				if ended.Load() != 1 || whole.Load() == 0 || whole.Load() > c.most {
					t.Errorf("ended %d; %d CRs were rendered to the end", ended.Load(), whole.Load())
				}
				if last := result.Comparisons[len(result.Comparisons)-2]; last.Error == nil || last.Error.Code != code.LimitTime {
					t.Errorf("the last one: %+v", last.Error)
				}
			})
		})
	}
}
