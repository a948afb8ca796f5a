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

// enter waits until there is room to compare the object of an index, and returns what gives it back. It is false where the context ended
// before.
func (r *run) enter(at int) (w *weighing, leave func(), ok bool) {
	const timesText = 64 // bytes that comparing an object takes for each of its text, roughly
	w = r.weighing(r.store.distinct[at])
	n := min(timesText*int64(w.of.object.Text()), r.opt.Room.Size())
	if !r.opt.Room.Acquire(r.ctx, n) {
		return w, func() {}, false
	}
	return w, func() { r.opt.Room.Release(n) }, true
}
