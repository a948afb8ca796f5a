package budget

import (
	"math"
	"testing"
)

// TestAllStepsAreBoundedByWhatWasGiven: without that they are not, and every further input adds to them.
func TestAllStepsAreBoundedByWhatWasGiven(t *testing.T) {
	w := NewWork(10)
	if w.All() != math.MaxInt64 {
		t.Error("all steps are bounded before it is known what was given")
	}
	w.Bound(5)
	w.Bound(2)
	if want := int64(TimesLimit*10 + OfGiven*7); w.All() != want {
		t.Errorf("%d steps rather than %d", w.All(), want)
	}
	w.Spend(3, 100)
	if w.Left() != 7 || w.All() != TimesLimit*10+OfGiven*7-100 || w.Short() {
		t.Errorf("left %d, all %d, short %v", w.Left(), w.All(), w.Short())
	}
	if w.Spend(0, w.All()); !w.Short() || w.All() != 1 || w.Left() != 7 {
		t.Errorf("left %d, all %d, short %v", w.Left(), w.All(), w.Short())
	}
	if large := w.Trial(4, Small); large.All() != TimesLimit*4+OfGiven*Small {
		t.Errorf("%d steps for what is still small", large.All())
	}
	large := w.Trial(4, 10)
	for range 3 {
		large.Bound(Small)
	}
	if want := int64(TimesLimit*4 + OfGiven*Small + OfLarge*(2*Small+10)); large.All() != want {
		t.Errorf("%d steps rather than %d for what is large", large.All(), want)
	}
	trial := w.Trial(4, 3)
	if trial.Limit() != 10 || trial.Left() != 4 || trial.All() != TimesLimit*4+OfGiven*3 || trial.Short() {
		t.Errorf("a trial: %+v", trial)
	}
	for _, limit := range []int64{1, math.MaxInt64} {
		w := NewWork(limit)
		for range 3 {
			if w.Bound(math.MaxInt64); w.All() < math.MaxInt64/8 {
				t.Errorf("limit %d overflows to %d", limit, w.All())
			}
		}
	}
}
