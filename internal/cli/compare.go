package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// comparison is the name of the command for comparisons, the default.
const comparison = "compare"

// compareCommand returns the command for comparisons.
func (p *program) compareCommand() *cli.Command {
	o := &compareOptions{
		comparing: comparing{tool: p.name, below: p.referencesBelow},
		reporting: newReporting(formatNames(false)),
	}
	c := command(p, o, p.compareInputs, &cli.Command{
		ArgsUsage: "REFERENCE INPUT...",
		Usage:     "compare the configuration of a cluster with a reference configuration",
		Description: `  REFERENCE  folder with metadata.yaml, folder of CRs or templates, or archive
  INPUT      folder, file, support archive (must-gather), or - (standard input)

Examples:
  validationTool reference must-gather.tar.gz
  validationTool -o json --fail-on drift,extra reference must-gather.tar.gz
  oc get performanceprofile -o yaml | validationTool --given reference -

Exit status: 0 no findings of --fail-on, 1 findings, 2 error or incomplete`,
		Flags: slices.Concat(o.comparing.flags(), o.tellingFlags(), o.contentFlags(), o.reporting.flags(
			"; fix=DIR writes corrected CRs and commands that apply them; overrides accepts the findings, for use with --overrides",
			"drift,missing",
		), o.flags(), []cli.Flag{p.linksFlag(), p.limitFlag()}),
	})
	o.given = func() []string { return originOptions(c.Flags) }
	return c
}

// compareInputs compares the inputs with the reference. With --report-dir it compares each input
// separately.
func (p *program) compareInputs(ctx context.Context, o *compareOptions) error {
	if o.reportDir != "" {
		return p.compareEach(ctx, o)
	}
	return p.compare(ctx, o, p.reported(o))
}

// reported returns a function that writes the report of a comparison.
func (p *program) reported(o *compareOptions) func(*finding.Report) error {
	return func(found *finding.Report) error { return p.report(found, &o.reporting, o.accept) }
}

// compare compares the inputs with the reference, and hands the report to show.
func (p *program) compare(ctx context.Context, o *compareOptions, show func(*finding.Report) error) error {
	if err := p.checkInteractive(o.interactive); err != nil {
		return err
	}
	started := ""
	if p.io.Now != nil && !o.reproducible {
		started = p.io.Now().UTC().Format(time.RFC3339)
	}
	var err error
	if o.read.Inputs, err = o.shard.of(o.read.Inputs); err != nil {
		return err
	}
	if len(o.read.Inputs) == 0 {
		return p.say(o.shard.empty())
	}
	p.use(&o.comparing)
	p.useOption("--baseline", o.baselineFile)
	drop, err := p.openOutputs(o.outputs)
	if err != nil {
		return err
	}
	defer drop()
	if o.impact, err = p.limits.readImpact(ctx, o.impactFiles); err != nil {
		return err
	}
	if err := p.readBaseline(ctx, &o.reporting, o.read.Only); err != nil {
		return err
	}
	if o.timings {
		p.timings = newTimings()
		defer p.timings.Print(p.io.Err)
	}
	p.startProgress(o.read.Inputs)
	defer p.progress.End()
	o.read.Checksums = slices.ContainsFunc(o.outputs, func(to output) bool { return to.status })
	in := p.read(ctx, o.read)
	l, err := p.plan(cluster.Later(ctx), &o.comparing)
	if err == nil {
		err = p.finish(o, &l)
	}
	if err == nil {
		err = checkOutputs(o.outputs)
	}
	if err != nil {
		in.Abandon()
		if several := (severalError{}); errors.As(err, &several) {
			return p.which(ctx, o, several)
		}
		return err
	}
	p.timings.Done("load reference")
	var asked *dialogue
	if o.interactive {
		p.watch.Attended()
		asked = newDialogue(ctx, p.io.In, p.io.Err, p.textOptions(&o.display, p.io.Err))
		l.opt.Choose = func(q finding.Question) (int, bool) {
			p.progress.Hide()
			return asked.choose(q)
		}
	}
	l.opt.Progress = p.progress.Compared
	conclude := func(runs []*finding.Run, more []refconfig.Override) *finding.Report {
		opt := l.opt
		opt.Overrides = slices.Concat(opt.Overrides, more)
		found := &finding.Report{
			Tool: p.tool(), Reference: finding.ReferenceOf(l.ref), FailOn: o.failOn, Origin: o.origin, Runs: runs,
		}
		if l.base != nil {
			found.Reference.Format = "cluster"
		}
		for _, run := range found.Runs {
			run.Options, run.Reference = o.decisive(opt), found.Reference
			run.StartedAt = started
		}
		tellBranch(found)
		found.Passed = in.Passed()
		o.impact.rate(ctx, found.Runs)
		o.mark(found)
		found.Codes = found.UsedCodes(l.ref.Codes)
		found.Conclude()
		return found
	}
	if o.acceptor != nil {
		*o.acceptor = acceptor{
			program: p, options: o, ref: finding.ReferenceOf(l.ref), overrides: l.opt.Overrides, conclude: conclude,
			written: map[string][]refconfig.Override{},
		}
		l.keep = o.acceptor
	}
	runs, err := p.runs(ctx, in, l.comparer())
	if err != nil {
		return err
	}
	found := conclude(runs, nil)
	p.progress.Hide()
	if asked != nil {
		asked.save(o.diffConfig, &p.inUse)
	}
	p.warnUnmatched(l.opt.Accept, found)
	if why := watch.Cause(ctx); ctx.Err() != nil && why.Code == code.Interrupted {
		if o.reportDir != "" {
			return why.And(", and no report was saved")
		}
		p.dropFolders(&o.reporting)
	}
	err = show(found)
	p.timings.Done("report")
	return err
}

// finish adds to a plan what only the command for comparisons needs.
func (p *program) finish(o *compareOptions, l *plan) (err error) {
	if l.opt.Accept, err = p.accept(o, l); err != nil {
		return err
	}
	if l.opt.Validate && (o.failOnWords == nil || slices.Equal(o.failOnWords, []string{"new"})) {
		o.failOn = o.failOn.WithInvalid()
	}
	if o.failOn.Has(finding.FailOnInvalid) && !l.opt.Validate {
		return p.usageError("--fail-on invalid needs --validate, which finds what is invalid")
	}
	l.opt.EveryKind = l.opt.EveryKind || o.failOn.Has(finding.FailOnUnmatchedAll)
	l.fields = o.screen.ShowExpected
	if l.base != nil && o.writes("fix") {
		return p.usageError("--output fix needs a reference: the CRs of another cluster are no corrections")
	}
	l.opt.Show = p.shown(&o.reporting)
	l.opt.Show.NoValues = l.opt.Show.NoValues && o.impact == nil // the impact rules match single differences
	// the browser goes to single fields, and shows what is accepted
	l.opt.Show.Brief = l.opt.Show.Brief && o.acceptor == nil
	l.opt.Show.Accepted = l.opt.Show.Accepted || o.acceptor != nil
	l.opt.ListUnmatched = o.writes("text") || o.unmatched
	l.opt.Fix = o.writes("fix")
	l.opt.Create = o.writes("html") || o.acceptor != nil
	l.opt.Release = l.base == nil
	switch {
	case o.showSuppressed:
		l.opt.Suppressed = compare.Listed
	case o.screen.Verbose:
		l.opt.Suppressed = compare.Counted
	}
	return nil
}

// textOptions returns the options for text on a stream.
func (p *program) textOptions(o *display, stream io.Writer) text.Options {
	opt := o.screen
	if opt.Width == 0 {
		opt.Width = widthFor(stream, p.io.Err, p.io.Env)
	}
	opt.Width = max(opt.Width, text.MinWidth)
	opt.Terminal = p.io.Terminal(stream)
	opt.Color = colored(o.color, isTerminal(stream), p.io.Env)
	opt.LongestLine = p.limits.Count("line")
	opt.Command = p.name
	return opt
}

// checkInteractive returns an error if questions are wanted and there is no terminal for them.
func (p *program) checkInteractive(interactive bool) error {
	what := ""
	switch {
	case !interactive:
		return nil
	case !p.io.Terminal(p.io.In):
		what = "standard input"
	case !p.io.Terminal(p.io.Err):
		what = "the error stream"
	default:
		return nil
	}
	return fmt.Errorf("%s: --interactive needs a terminal, but %s is not one; in a script use --diff-config",
		code.NoTerminal, what)
}
