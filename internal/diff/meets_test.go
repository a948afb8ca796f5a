package diff

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
)

// TestWhatMeetsHasNoDrift: whatever two values hold, laid over each other they have neither drift
// nor anything missing, and nothing secret was printed, where the one is said to meet the other.
func TestWhatMeetsHasNoDrift(t *testing.T) {
	met, not := 0, 0
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 4))
		expected := some(r, 4)
		notes := noted(r, expected)
		value := more(r, expected)
		differences := Flatten(Of(expected, value, notes, secret.Scope{}))
		clean := !slices.ContainsFunc(differences, func(d Difference) bool {
			return d.Category == finding.Drift || d.Category == finding.Missing
		}) && !PrintedSecret(notes)
		switch meets := Meets(value, expected, notes); {
		case meets && !clean:
			t.Fatalf(
				"seed %d: %s is said to meet\n%s\nbut there is %+v",
				seed,
				tree.YAML(value),
				tree.YAML(expected),
				differences,
			)
		case meets:
			met++
		case !clean:
			not++
		}
	}
	if met < 1000 || not < 1000 {
		t.Errorf("%d values meet what is expected of them, and %d do not", met, not)
	}
}

// some is a value of few keys and scalars, so that many are alike.
func some(r *rand.Rand, deep int) any {
	switch n := r.IntN(4); {
	case deep == 4 || deep > 0 && n == 0:
		m := map[string]any{}
		for range r.IntN(4) {
			m[[]string{"a", "b", "data", "kind"}[r.IntN(4)]] = some(r, deep-1)
		}
		return m
	case deep > 0 && n == 1:
		l := []any{}
		for range r.IntN(4) {
			l = append(l, some(r, deep-1))
		}
		return l
	}
	return []any{"x", "Secret", "Secret", int64(1), 1.0, true, nil, ""}[r.IntN(8)]
}

// more is a value with more keys in some of its maps, and seldom with something else in it.
func more(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, k := range tree.Keys(v) {
			if r.IntN(25) > 0 {
				out[k] = more(r, v[k])
			}
		}
		if r.IntN(3) == 0 {
			out[[]string{"c", "data", "kind"}[r.IntN(3)]] = some(r, 2)
		}
		return out
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, more(r, x))
		}
		if r.IntN(8) == 0 {
			r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		}
		return out
	}
	if r.IntN(25) == 0 {
		return some(r, 1)
	}
	return v
}

// noted are notes of the shape of a value.
func noted(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			out := map[string]any{}
			for _, k := range tree.Keys(v) {
				out[k] = noted(r, v[k])
			}
			return out
		}
	case []any:
		if len(v) > 0 {
			out := []any{}
			for _, x := range v {
				out = append(out, noted(r, x))
			}
			return out
		}
	}
	n := provenance.Note{Variable: r.IntN(2) == 0, Print: r.IntN(3), Secret: r.IntN(60) == 0}
	if r.IntN(60) == 0 {
		n.Finding = &provenance.Finding{Message: "a check does not hold"}
	}
	return n
}
