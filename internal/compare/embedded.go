package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/embed"
	"github.com/validationtool/validationtool/internal/finding"
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

// closedWarning warns of the texts of a CR that are compared as they are.
func closedWarning(c *compared) (finding.Warning, bool) {
	if len(c.closed) == 0 {
		return finding.Warning{}, false
	}
	const most = 5
	var told []string
	for _, f := range c.closed[:min(most, len(c.closed))] {
		told = append(told, fmt.Sprintf("%s (%s, %s): %s", f.Path, f.Entry.Said(), f.Entry.Place, f.Why))
	}
	if n := len(c.closed) - most; n > 0 {
		told = append(told, fmt.Sprintf("and %d more", n))
	}
	return finding.Warning{Code: code.EvalClosed, Place: c.object.Place.String(),
		Message: fmt.Sprintf("%s: compared as it is, not by what it holds: %s", c.Object, strings.Join(told, "; "))}, true
}
