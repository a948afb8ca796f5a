package compare

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/embed"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/perfield"
)

// lookInside opens the documents in an object and in what is expected of it, and returns the work that it takes.
func (x *expected) lookInside(memory int64) (work int) {
	o := perfield.Open(x.template.Ref.Config, perfield.Sides{Left: x.Value, Right: x.input, Notes: x.Notes, Kind: x.object.object.ID.Kind, Memory: memory})
	if o == nil {
		return 0
	}
	x.Value, x.printed, x.input, x.Notes, x.closed = o.Left, o.Left, o.Right, o.Notes, o.Closed
	x.Reopen, x.Opened = o.Reopen, o.Paths
	return o.Work
}

// reveal looks into the texts that differ, for the report to show what they hold. There is room for that until the result is called. It is
// waited for while nothing else of the kind is held, as in measure.
func (r *run) reveal(e *stored, a *attempt) (leave func()) {
	room, n := r.opt.Share.Rendered, min(r.inside(e), r.opt.Share.Rendered.Size())
	if !slices.ContainsFunc(a.differences, overlay.Difference.OfTexts) || !room.Acquire(context.Background(), n) {
		return func() {}
	}
	overlay.Reveal(a.differences, &embed.Reader{Memory: n}, r.opt.Show.Secrets)
	return func() { room.Release(n) }
}
