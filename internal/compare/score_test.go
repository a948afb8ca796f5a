package compare

import (
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/given"
)

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
	score := one.score
	if got := c.studied(one).Score; got != score || score == 0 {
		t.Errorf("the score %d became %d", score, got)
	}
}
