package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
)

// Memory is how much a run may hold. The zero value is for any amount.
type Memory struct {
	Room     *budget.Room // for the objects that are being compared
	Rendered *budget.Room // for reading what templates print
	Report   int64        // bytes of what is found, until it is reported; 0 for any
}

// timesDecoded is how many times the memory of a decoded object the comparison with one template takes: what is expected, copies
// without what is left out, the pairs and the report's part on it.
const timesDecoded = 3

// small is up to which size the text of an object is not looked at to tell what comparing it takes.
const small = 16 << 10

// cost is how much memory comparing an object takes, roughly; 0 for one whose content was let go.
func (r *run) cost(e *stored) int64 {
	if r.opt.Memory.Room == nil {
		return 0
	}
	if n := e.object.Text(); n <= small {
		const ofByte = 64
		return ofByte * int64(n)
	}
	candidates, _ := r.templatesFor(e)
	return int64(1+timesDecoded*max(1, len(candidates))) * e.object.DecodedSize()
}

// roomFor waits until there is room to compare an object, and returns what gives it back. Where there never is, the object gets the error
// that says so. It is false where the context ended before.
func (r *run) roomFor(ctx context.Context, e *stored) (leave func(), ok bool) {
	room, n := r.opt.Memory.Room, r.cost(e)
	if !room.Fits(n) {
		e.large, n = tooLarge(n, room), 0
	}
	if !room.Acquire(ctx, n) {
		return func() {}, false
	}
	return func() { room.Release(n) }, true
}

// decode decodes an object where no other is being compared.
func (r *run) decode(o *manifest.Object) (map[string]any, error) {
	if room := r.opt.Memory.Room; room != nil {
		if n := (1 + timesDecoded) * o.DecodedSize(); !room.Fits(n) {
			return nil, tooLarge(n, room)
		}
	}
	return o.Decode()
}

func tooLarge(n int64, room *budget.Room) error {
	return &manifest.SyntaxError{Code: code.LimitMemory, Message: fmt.Sprintf(
		"comparing it takes about %d bytes of memory, more than the %d that there are for that; leave it out of the input, or raise the limit with --limit memory=N",
		n, room.Size())}
}

// found is what was found about the object of an index.
type found struct {
	at int
	*compared
}

// newShelf is for comparisons. Those that are more than there is memory for are let go, the last ones first.
func (r *run) newShelf() *budget.Shelf[found] {
	size := cmp.Or(r.opt.Memory.Report, math.MaxInt64)
	return budget.NewShelf(size, func(a, b found) int { return a.at - b.at }, func(f found) {
		c := f.compared
		*c.Comparison = finding.Comparison{Object: c.Object, Source: c.Source, Template: c.Template, Override: c.Override,
			Correlation: finding.Correlation{By: c.Correlation.By, Fields: c.Correlation.Fields}, Differences: []finding.Difference{}}
		*c = compared{Comparison: c.Comparison, template: c.template, object: c.object, overrides: c.overrides}
		c.fail(code.LimitMemory, fmt.Sprintf("%s: what was found about the CRs up to this one takes more than %d bytes of memory; "+
			"compare a part of the input, leave components out, or raise the limit with --limit memory=N", c.object.Place, size))
	})
}

// What comparing an object takes is told in steps of a template: so many for each template, and one for so many bytes of the object. They
// were measured.
const (
	comparing  = 500
	bytesAStep = 2
)

// Every object may take freeSteps, and more for each byte of it, so that no input is too large for an honest reference. Objects of
// published references take about 600.
const (
	freeSteps     = 10_000
	freeStepsByte = 2
)

// DefaultWork is how many steps all objects together may take beyond those.
const DefaultWork = 20_000_000

// worked is an object that took steps, and what came of it, nil for one that all its templates refuse.
type worked struct {
	at int
	*stored
	*compared
}

// newWork is for what was compared. What takes more steps than there are for a run is let go, the last first.
func (r *run) newWork() *budget.Shelf[worked] {
	return budget.NewShelf(int64(r.work()), func(a, b worked) int { return a.at - b.at }, func(w worked) {
		if w.compared != nil {
			spent := r.exhausted(w.stored)
			*w.Comparison = *spent.Comparison
			spent.Comparison = w.Comparison
			*w.compared = *spent
		}
	})
}

// work is how many steps all objects may take beyond those that are free.
func (r *run) work() int { return cmp.Or(r.opt.Work, DefaultWork) }

// exhausted is what is told of an object for which no step is left; nil for one without templates.
func (r *run) exhausted(e *stored) *compared {
	candidates, correlation := r.templatesFor(e)
	if len(candidates) == 0 {
		return nil
	}
	c := newCompared(e, correlation).with(candidates[0].Ref)
	c.fail(code.LimitWork, fmt.Sprintf("%s: comparing the CRs up to this one takes more than the %d steps that there are for all of them, beside %d for each; "+
		"let fewer templates fit each CR, compare a part of the input, or raise the limit with --limit work=N", e.object.Place, r.work(), freeSteps))
	return c
}

// take takes in the verdict on the object of an index, and returns it.
func (r *run) take(at int, v verdict) verdict {
	e := r.store.distinct[at]
	if more := v.steps - freeSteps - freeStepsByte*int64(e.object.Text()); more > 0 {
		r.worked.Put(worked{at, e, v.comparison}, more)
	}
	if v.comparison != nil {
		r.found.Put(found{at, v.comparison}, v.comparison.Held())
	}
	return v
}
