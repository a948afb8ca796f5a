package compare

import (
	"github.com/validationtool/validationtool/internal/secret"
)

// weighing is what belongs to the comparisons of one object, beside the run.
type weighing struct {
	*run
	of       *stored
	searched *secret.Searched // its texts
	trace    bool             // keep what explains the comparisons
}

// weighing begins the comparisons of an object.
func (r *run) weighing(e *stored) *weighing {
	return &weighing{run: r, of: e, searched: &secret.Searched{Context: r.ctx}}
}

// enter waits until there is room to compare the object of an index, and returns what gives it
// back. It is false where the context ended before.
func (r *run) enter(at int) (w *weighing, leave func(), ok bool) {
	const timesText = 64 // bytes that comparing an object takes for each of its text, roughly
	w = r.weighing(r.store.distinct[at])
	text := w.of.object.Text()
	for _, other := range w.of.others { // one after the other
		text = max(text, other.object.Text())
	}
	claim, ok := r.opt.Room.Acquire(r.ctx, timesText*int64(text))
	return w, claim.Release, ok
}
