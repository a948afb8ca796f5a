package memory

import "testing"

// TestBlocksAreZeroWhenTakenAgain: values keep their content until they are reused, and those before
// the mark keep it for longer.
func TestBlocksAreZeroWhenTakenAgain(t *testing.T) {
	var b Blocks[int]
	set := func(n int) []int {
		all := b.Take(n)
		for i, x := range all {
			if x != 0 {
				t.Fatalf("of %d values, value %d is %d, want 0", n, i, x)
			}
			all[i] = 1
		}
		return append(all[:n:n], 0)[:n:n] // appending must not touch what is taken next
	}
	sizes := []int{1, 7, 8, 9, 0, 31, 32, 33, 500, 2}
	before := b.Take(3)
	copy(before, []int{1, 2, 3})
	mark := b.Mark
	for range 3 {
		for _, n := range sizes {
			set(n)
		}
		b.Reuse(mark)
		if before[0] != 1 || before[1] != 2 || before[2] != 3 {
			t.Fatalf("the values before the mark are %v", before)
		}
	}
	allocated := testing.AllocsPerRun(10, func() {
		for _, n := range sizes {
			b.Take(n)
		}
		b.Reuse(mark)
	})
	if allocated > 0 {
		t.Errorf("the second time needs %g allocations, want none", allocated)
	}
}

// TestBlocksKeepSomeMemory: after very many values, only some blocks are kept.
func TestBlocksKeepSomeMemory(t *testing.T) {
	var b Blocks[int]
	for range 20_000 {
		b.Take(1)
	}
	b.Reuse(Mark{})
	if n := len(b.all); n > 256 {
		t.Errorf("%d blocks are kept", n)
	}
}
