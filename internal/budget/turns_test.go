package budget

import (
	"slices"
	"testing"
	"testing/synctest"
)

// TestTurnsComeInTheirOrder: at most so many have one at a time, and of those who wait the first in the order is next, not the one that
// came first.
func TestTurnsComeInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(0)
		wanted := func() bool { return true }
		first := turns.Turn(7, wanted)
		first.Take(Little + 1)
		first.Take(Little + 1) // it has it already
		var order []int
		for _, at := range []int{5, 1, 3} {
			go func() {
				mine := turns.Turn(at, wanted)
				mine.Take(Little + 1)
				order = append(order, at)
				mine.End()
				mine.End() // it has none any more
			}()
			synctest.Wait()
		}
		if len(order) > 0 {
			t.Errorf("%v had a turn beside another", order)
		}
		first.End()
		synctest.Wait()
		if !slices.Equal(order, []int{1, 3, 5}) || turns.free != 1 {
			t.Errorf("the order is %v, and %d are free", order, turns.free)
		}
	})
}

func TestTurnsThatNobodyBounds(t *testing.T) {
	var none *Turns
	a, b := none.Turn(0, func() bool { return true }), none.Turn(1, func() bool { return false })
	if !a.Take(Little+1) || b.Take(Little+1) {
		t.Error("only what is wanted goes on")
	}
	if b.Keep(Little); !b.Take(0) || b.Take(1) {
		t.Error("what it keeps does not count")
	}
	a.End()
	var turn *Turn
	if !turn.Take(Little + 1) {
		t.Error("a nil turn is always there")
	}
	turn.Keep(1)
	turn.End()
}
