package budget

// Work is how many steps the clusters of a run may take beyond those that are free. They take them one after the other, each of what those
// before it left. A cluster that takes more than is left leaves nothing.
type Work struct {
	limit, left int64
	short       bool // a cluster took more than was left
}

// NewWork is a Work of so many steps.
func NewWork(limit int64) *Work { return &Work{limit: limit, left: limit} }

// Trial is a Work of some of the steps, to see whether they are enough.
func (w *Work) Trial(steps int64) *Work { return &Work{limit: w.limit, left: steps} }

// Limit is how many steps there are for all clusters.
func (w *Work) Limit() int64 { return w.limit }

// Left is how many steps there are for the next cluster: one at least.
func (w *Work) Left() int64 { return max(1, w.left) }

// Spend takes steps. Where these are all that were left, nobody can tell whether they were enough.
func (w *Work) Spend(steps int64) {
	w.short = w.short || steps >= w.Left()
	w.left = max(0, w.left-steps)
}

// Short reports whether a cluster may have taken more than was left.
func (w *Work) Short() bool { return w.short }
