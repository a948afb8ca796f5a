package cli

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/crew"
	"github.com/validationtool/validationtool/internal/dialogue"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/fleet"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/meter"
	"github.com/validationtool/validationtool/internal/reference"
	"github.com/validationtool/validationtool/internal/remark"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/terminal"
	"github.com/validationtool/validationtool/refconfig"
)

// comparer says how inputs are compared with a reference.
func (o *options) comparer(ref *refconfig.Reference, engine *render.Engine, opt compare.Options) fleet.Comparer {
	if opt.Wanted == nil {
		opt.Wanted = compare.Wants(ref, engine, opt)
	}
	return fleet.Comparer{Trim: opt.Wanted.Trim, Run: func(ctx context.Context, in gather.Collected, room *crew.Room) *finding.Run {
		opt := opt
		opt.Room = room
		run, _ := compare.Run(ctx, ref, engine, in, opt) // the run says itself where it was interrupted
		return run
	}}
}

// compare is the main job.
func (p *program) compare(ctx context.Context, l command.Line, o *options) error {
	if err := p.check(ctx, l, o); err != nil {
		return err
	}
	drop, err := p.openOutputs(o)
	if err != nil {
		return err
	}
	defer drop()
	if o.timings {
		p.timings = meter.NewTimings()
		defer p.timings.Print(p.io.Err)
	}
	p.startProgress(o.inputs)
	defer p.progress.End()
	in := fleet.Read(ctx, p.fleetOptions(o))
	after, cancel := afterwards(ctx)
	defer cancel()
	ref, engine, opt, err := p.sought(after, o)
	if err != nil {
		in.Abandon()
		return err
	}
	p.timings.Done("load reference")
	var asked *dialogue.Dialogue
	if o.interactive {
		asked = dialogue.New(ctx, p.io.In, p.io.Err, p.textOptions(o, p.io.Err))
		opt.Choose = func(q finding.Question) (int, bool) {
			p.progress.Hide()
			return asked.Choose(q)
		}
	}
	opt.Progress = p.progress.Compare()
	found := &finding.Report{Tool: p.tool(), Reference: finding.ReferenceOf(ref), FailOn: o.failOn}
	if found.Runs, found.Passed, err = in.Runs(o.comparer(ref, engine, opt)); err != nil {
		return p.inputError(err)
	}
	o.impact.rate(ctx, found.Runs)
	p.progress.Hide()
	o.mark(found)
	if asked != nil {
		asked.Save(o.diffConfig)
	}
	found.Codes = remark.Told(found, ref.Codes)
	found.Conclude()
	p.tellUnmet(opt.Accept, found)
	err = p.report(found, o)
	p.timings.Done("report")
	if p.status == exitTrouble && ctx.Err() == nil {
		err = errors.Join(err, reference.SwappedArchive(ctx, ref, o.inputs))
	}
	return err
}

// afterwards is a context that goes on for a while when another has ended: what was read until then is compared, with a reference that is
// loaded as a whole.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	after, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(gather.AfterInterrupt, func() { cancel(context.Cause(ctx)) })
	})
	return after, func() {
		stop()
		cancel(nil)
	}
}

// sought loads the reference, and what belongs to it.
func (p *program) sought(ctx context.Context, o *options) (*refconfig.Reference, *render.Engine, compare.Options, error) {
	ref, engine, err := p.loadReference(ctx, o)
	if err != nil {
		return nil, nil, compare.Options{}, err
	}
	opt, err := p.comparison(o, ref)
	if err != nil {
		return nil, nil, opt, err
	}
	if opt.Accept, err = p.accept(o, ref, engine); err != nil {
		return nil, nil, opt, err
	}
	opt.Fix = o.writes("fix")
	switch {
	case o.showSuppressed:
		opt.Suppressed = compare.Listed
	case o.verbose:
		opt.Suppressed = compare.Counted
	}
	return ref, engine, opt, nil
}

// textOptions are the options of a text that goes to a stream.
func (p *program) textOptions(o *options, stream io.Writer) text.Options {
	width := o.width
	if width == 0 {
		width = terminal.WidthFor(stream, p.io.Err, p.io.Env)
	}
	return text.Options{
		Width: max(width, text.MinWidth), Color: terminal.Colored(o.color, stream, p.io.Env), Summary: o.summary, Verbose: o.verbose, Unified: o.unified,
		ShowExpected: o.showExpected, AllCandidates: o.allCandidates, LongestLine: o.limits.Count("line"), NoGroup: o.noGroup, Filter: o.filter, Command: p.name,
	}
}
