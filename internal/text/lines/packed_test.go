package lines

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSidesAreUnpackedAsTheyWere holds for whatever stands in them, as in a saved report that was
// changed by hand, and for the document too.
func TestSidesAreUnpackedAsTheyWere(t *testing.T) {
	texts := []string{"", "a: b", "<b>&\u2028\"é", string(make([]byte, 300))}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		line := func() *Line {
			if r.IntN(2) == 0 {
				return nil
			}
			l := &Line{Indent: r.IntN(4) - 1, Text: texts[r.IntN(len(texts))]}
			if n := r.IntN(4); n > 0 {
				words := make([]Span, n-1)
				for i := range words {
					words[i] = Span{Start: r.IntN(9) - 1, End: r.Int()}
				}
				l.Words = &words
			}
			return l
		}
		var all []Side
		for range r.IntN(6) {
			s := Side{
				Category: Category(texts[r.IntN(2)]),
				Path:     texts[r.IntN(3)],
				Left:     line(),
				Right:    line(),
				Note:     line(),
				Hidden:   r.IntN(3) - 1,
				Indent:   -r.IntN(300),
			}
			if r.IntN(3) == 0 {
				s.Right = s.Left
			}
			all = append(all, s)
		}
		packed := Pack(all)
		if diff := cmp.Diff(all, packed.Each()); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		for i, s := range packed.Each() {
			if (all[i].Left == all[i].Right) != (s.Left == s.Right) {
				t.Fatalf("seed %d: lines that were one are two", seed)
			}
		}
		asList, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		document, err := json.Marshal(packed)
		if err != nil || len(all) > 0 && string(document) != string(asList) {
			t.Fatalf("seed %d: %v: %s is not %s", seed, err, document, asList)
		}
		var read Packed
		if err := json.Unmarshal(document, &read); err != nil || !cmp.Equal(all, read.Each()) {
			t.Fatalf("seed %d: %v: %s", seed, err, cmp.Diff(all, read.Each()))
		}
	}
}
