package budget

import "math"

// Work is how many steps the clusters of a run may take: beyond those that are free for each object, and of all steps together. They take them
// one after the other, each of what those before it left. A cluster that takes more than is left leaves nothing.
type Work struct {
	limit, left int64
	all         int64 // steps of any kind that are left
	given       int64 // bytes of the inputs as they are given, so far
	short       bool  // a cluster took more than was left
}

// All steps together may be TimesLimit times the limit, and OfGiven for each byte of the inputs as they are given, which is before they are
// unpacked; of what is beyond Small, OfLarge. What is not packed has far more than its objects take, and so has every archive that a cluster was
// gathered into; a few kilobytes that unpack to hundreds of thousands of objects have not. With the default limit, what is given in no more than
// Small bytes takes some ten seconds of a processor.
const (
	TimesLimit = 12
	OfGiven    = 100
	OfLarge    = 3000
	Small      = 1 << 20
)

// DefaultWork is how many steps there are where nothing else is asked for.
const DefaultWork = 40_000_000

// NewWork is a Work of so many steps.
func NewWork(limit int64) *Work { return &Work{limit: limit, left: limit, all: math.MaxInt64} }

// Bound says how many bytes were given of the inputs, or of some more of them. Without it all steps together are not bounded.
func (w *Work) Bound(given int64) {
	const most = math.MaxInt64 / 4 // what nobody takes
	if w.all == math.MaxInt64 {
		w.all = TimesLimit * min(w.limit, most/TimesLimit)
	}
	before := w.given
	w.given = min(before, most) + min(given, most)
	large := max(0, w.given-Small) - max(0, before-Small)
	w.all = min(w.all, most) + OfGiven*min(w.given-before-large, Small) + OfLarge*min(large, most/OfLarge)
}

// Reading is how many steps reading inputs may take that are given in so many bytes, where the limit is limit: half of all steps.
func Reading(limit, given int64) int64 {
	w := NewWork(limit)
	w.Bound(given)
	return w.all / 2
}

// Trial is a Work of some of the steps for inputs of so many bytes, to see whether they are enough.
func (w *Work) Trial(steps, given int64) *Work {
	trial := NewWork(steps)
	trial.Bound(given)
	trial.limit = w.limit
	return trial
}

// Limit is how many steps there are for all clusters.
func (w *Work) Limit() int64 { return w.limit }

// Left is how many steps there are for the next cluster: one at least.
func (w *Work) Left() int64 { return max(1, w.left) }

// All is how many steps of any kind there are for the next cluster, the free ones too: one at least.
func (w *Work) All() int64 { return max(1, w.all) }

// Spend takes steps, and says how many they were with those that were free. Where these are all that were left, nobody can tell whether they
// were enough.
func (w *Work) Spend(steps, all int64) {
	w.short = w.short || steps >= w.Left() || all >= w.All()
	w.left, w.all = max(0, w.left-steps), max(0, w.all-all)
}

// Short reports whether a cluster may have taken more than was left.
func (w *Work) Short() bool { return w.short }
