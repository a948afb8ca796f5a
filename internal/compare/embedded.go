package compare

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/embed"
	"github.com/validationtool/validationtool/internal/overlay"
)

// reveal looks into the texts that differ, for the report to show what they hold. There is room for that until the result is called. It is
// waited for while nothing else of the kind is held, as in measure.
func (w *weighing) reveal(a *attempt) (leave func()) {
	room, n := w.opt.Share.Rendered, min(w.inside(w.of), w.opt.Share.Rendered.Size())
	if !slices.ContainsFunc(a.differences, overlay.Difference.OfTexts) || !room.Acquire(context.Background(), n) {
		return func() {}
	}
	overlay.Reveal(a.differences, &embed.Reader{Memory: n}, w.opt.Show.Secrets)
	return func() { room.Release(n) }
}
