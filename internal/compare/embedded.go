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
	"github.com/validationtool/validationtool/refconfig"
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
	return c.asTheyAre(code.EvalClosed, "not by what it holds", func(key refconfig.FieldKey) bool { return key == refconfig.Embedded })
}

// asIsWarning warns of the other fields of a CR that are compared as they are.
func asIsWarning(c *compared) (finding.Warning, bool) {
	return c.asTheyAre(code.EvalAsIs, "not as the reference says", func(key refconfig.FieldKey) bool { return key != refconfig.Embedded })
}

// asTheyAre warns of fields that are compared as they are, although an entry of perField with one of some keys says otherwise.
func (c *compared) asTheyAre(cd code.Code, instead string, of func(refconfig.FieldKey) bool) (finding.Warning, bool) {
	const most = 5
	var told []string
	more := 0
	for _, f := range c.closed {
		switch {
		case !of(f.Entry.Key):
		case len(told) == most:
			more++
		default:
			told = append(told, fmt.Sprintf("%s (%s, %s): %s", f.Path, f.Entry.Said(), f.Entry.Place, f.Why))
		}
	}
	if len(told) == 0 {
		return finding.Warning{}, false
	}
	if more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	return finding.Warning{Code: cd, Place: c.object.Place.String(),
		Message: fmt.Sprintf("%s: compared as it is, %s: %s", c.Object, instead, strings.Join(told, "; "))}, true
}
