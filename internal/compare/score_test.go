package compare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/given"
)

// TestHowMuchTextsDifferIsWork: telling which of several templates comes nearest takes long where texts differ much, and little where they
// hardly do.
func TestHowMuchTextsDifferIsWork(t *testing.T) {
	const limit = 10_000_000
	for name, differ := range map[string]bool{"texts that differ": true, "texts that hardly do": false} {
		random := rand.New(rand.NewPCG(1, 2))
		text := func(i int) string {
			if !differ {
				return strings.Repeat("some words ", 300) + fmt.Sprint(i)
			}
			var b strings.Builder
			for range 3000 {
				b.WriteByte("abc "[random.IntN(4)])
			}
			return b.String()
		}
		files, paths := map[string]string{}, ""
		for i := range 10 {
			files[fmt.Sprintf("t%d.yaml", i)] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: \"{{ .metadata.namespace }}\"}\ndata: {k: \"" + text(i) + "\"}\n"
			paths += fmt.Sprintf("{path: t%d.yaml}, ", i)
		}
		files["metadata.yaml"] = "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [" + paths + "]}]}]\n"
		work := budget.NewWork(limit)
		runFiles(t, files, configMap("ns", "a", "k: \""+text(10)+"\""), Options{Share: Share{Work: work}})
		if took := limit - work.Left(); took > 20_000 != differ {
			t.Errorf("%s: %d steps beside those that are free", name, took)
		}
	}
}

// TestAnAttemptIsMeasuredOnce: also where a template of several entries is explained, or may be the nearest.
func TestAnAttemptIsMeasuredOnce(t *testing.T) {
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}]}, {name: D, anyOf: [{path: a.yaml, config: {ignore-unspecified-fields: true}}]}]}]\n")},
		"a.yaml":        {Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\nx: y\n")}}, "ref")
	r := newRun(ref, engine, Collected{Objects: given.Objects(t, "in.yaml", "apiVersion: v1\nkind: A\nmetadata: {name: a}\nx: z\n")}, Options{})
	c := r.weighing(r.store.distinct[0]).weigh()
	if len(c.candidates) != 1 || len(r.entries[c.candidates[0]]) != 2 || len(c.attempts) != 1 {
		t.Fatalf("%d candidates, %d attempts", len(c.candidates), len(c.attempts))
	}
	one := c.attempts[0]
	score, work := one.score, one.work
	if got := c.studied(one).Score; got != score || score == 0 || one.work != work {
		t.Errorf("the score %d became %d, and the work %d became %d", score, got, work, one.work)
	}
}
