package compare

import (
	"context"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/secret"
)

// weighing is what belongs to the comparisons of one object, beside the run.
type weighing struct {
	*run
	of       *stored
	turn     *budget.Turn     // that it takes where templates make much; nil for none
	searched *secret.Searched // its texts; nil where nobody counts
	trace    bool             // keep what explains the comparisons
	mended   int64            // steps that it took to find what the object has to become
}

// weighing begins the comparisons of an object, whose texts are counted as they are searched.
func (r *run) weighing(e *stored) *weighing {
	return &weighing{run: r, of: e, searched: &secret.Searched{Most: r.mostSearched(e)}}
}

// enter waits until there is room to compare the object of an index, and returns what gives it back. Where there never is, the object gets the
// error that says so. It is false where the context ended before. Where templates make much for the object, it waits for its turn, which lasts
// until it leaves, whatever is kept of that; by then it may be beyond the limits, and is given up.
func (r *run) enter(ctx context.Context, at int) (w *weighing, leave func(), ok bool) {
	w = r.weighing(r.store.distinct[at])
	room, n := r.opt.Share.Room, r.cost(w.of)
	if !room.Fits(n) {
		w.of.large, n = tooLarge(n, room), 0
	}
	for _, other := range w.of.others { // one after the other
		n = max(n, min(r.cost(other), room.Size()))
	}
	if !room.Acquire(ctx, n) {
		return w, func() {}, false
	}
	w.turn = r.opt.Share.Large.Turn(at, func() bool { return !r.isBeyond(at) })
	return w, func() {
		w.turn.End()
		room.Release(n)
	}, true
}
