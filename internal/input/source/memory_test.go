package source

import "testing"

func TestBuffersAreUsedAgain(t *testing.T) {
	b := &Buffers{}
	first := b.Take(10)
	if len(first) != 10 {
		t.Fatalf("%d bytes", len(first))
	}
	first[0] = 7
	b.Give(first)
	if again := b.Take(20); len(again) != 20 || again[0] != 7 {
		t.Error("memory that was given back is not used again")
	}
	if large := b.Take(3 << 20); len(large) != 3<<20 {
		t.Error("another length")
	}
	var none *Buffers
	none.Give(none.Take(5))
}
