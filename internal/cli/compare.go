package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/cluster"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/watch"
	"github.com/validationtool/validationtool/internal/workers"
	"github.com/validationtool/validationtool/refconfig"
)

// comparer returns the function that compares inputs with a reference.
func (o *options) comparer(ref *refconfig.Reference, engine *render.Engine, opt compare.Options) comparer {
	if opt.Wanted == nil {
		opt.Wanted = compare.Wants(ref, engine, opt)
	}
	return comparer{
		trim:  opt.Wanted.Trim,
		files: opt.Wanted.Files,
		run: func(ctx context.Context, in cluster.Collected, semaphore *workers.Semaphore) *finding.Run {
			opt := opt
			opt.Semaphore = semaphore
			run, _ := compare.Run(ctx, ref, engine, in, opt) // the run records where it was interrupted
			return run
		},
	}
}

// comparison is the name of the default command.
const comparison = "compare"

// compareCommand returns the command for comparisons.
func (p *program) compareCommand() *cli.Command {
	o := p.newOptions()
	return p.command(o, p.compare, &cli.Command{
		Name: comparison, ArgsUsage: "REFERENCE INPUT...",
		Usage: "compare the configuration of a cluster with a reference configuration",
		Description: `  REFERENCE  folder with metadata.yaml, folder of CRs or templates, or archive
  INPUT      folder, file, support archive (must-gather), or - (standard input)

Examples:
  validationTool reference must-gather.tar.gz
  validationTool -o json --fail-on drift,extra reference must-gather.tar.gz
  oc get performanceprofile -o yaml | validationTool --summary reference -

Exit status: 0 no findings of --fail-on, 1 findings, 2 error or incomplete`,
		Flags: append(
			o.flags(
				"baseline", "quiet", "summary", "context", "full", "unified", "verbose", "cr", "category", "no-group", "sort",
				"show-expected", "show-suppressed", "show-overridden", "show-secrets", "width", "color", "all-resources",
				"cluster", "join", "jobs", "shard", "report-dir", "component", "skip-component", "placeholders", "wrapped", "correlation",
				"diff-config", "validate", "crds", "old", "interactive", "overrides", "impact", "override-reason", "override-for",
				"override-expires", "skip-unreadable", "limit", "nested", "no-scan", "timings", "reference", "filename",
				"recursive",
			),
			o.outputFlag(
				formatNames(false),
				"; fix=DIR writes corrected CRs and commands that apply them; overrides accepts the findings, for use with --overrides",
			),
			o.failOnFlag("drift,missing"),
			&cli.BoolFlag{Name: "version", Category: rare, Usage: "print the version"},
		),
	})
}

// compare compares the inputs with the reference.
func (p *program) compare(ctx context.Context, o *options) error {
	if err := o.setSides(o.args); err != nil {
		return p.usageError("%s", err)
	}
	if err := p.checkInteractive(o); err != nil {
		return err
	}
	if o.failOn.Has(finding.FailOnImpacting) && len(o.impactFiles) == 0 {
		return p.usageError("--fail-on impacting needs --impact, whose rules rate the findings")
	}
	if o.failOn.Has(finding.FailOnNew) && o.baselineFile == "" {
		return p.usageError("--fail-on new needs --baseline, an earlier report to compare with")
	}
	var err error
	if o.read.Inputs, err = o.shard.of(o.read.Inputs); err != nil {
		return err
	}
	if len(o.read.Inputs) == 0 {
		return p.say(o.shard.empty())
	}
	if o.impact, err = readImpact(o.impactFiles, o.limits); err != nil {
		return err
	}
	if err := p.readBaseline(ctx, o); err != nil {
		return err
	}
	drop, err := p.openOutputs(o)
	if err != nil {
		return err
	}
	defer drop()
	if o.timings {
		p.timings = newTimings()
		defer p.timings.Print(p.io.Err)
	}
	p.startProgress(o)
	defer p.progress.End()
	in := p.read(ctx, p.inputs(o))
	after, cancel := afterwards(ctx)
	defer cancel()
	ref, engine, opt, err := p.sought(after, o)
	if err == nil && o.failOn.Has(finding.FailOnInvalid) && !opt.Validate {
		err = p.usageError("--fail-on invalid needs --validate, which finds what is invalid")
	}
	if err != nil {
		in.Abandon()
		return err
	}
	p.timings.Done("load reference")
	var asked *dialogue
	if o.interactive {
		asked = newDialogue(ctx, p.io.In, p.io.Err, p.textOptions(o, p.io.Err))
		opt.Choose = func(q finding.Question) (int, bool) {
			p.progress.Hide()
			return asked.choose(q)
		}
	}
	opt.Progress = p.progress.Compare()
	found := &finding.Report{Tool: p.tool(), Reference: finding.ReferenceOf(ref), FailOn: o.failOn}
	if found.Runs, err = p.runs(ctx, o, in, o.comparer(ref, engine, opt)); err != nil {
		return err
	}
	found.Passed = in.Passed()
	o.impact.rate(ctx, found.Runs)
	p.progress.Hide()
	o.mark(found)
	if asked != nil {
		asked.save(o.diffConfig)
	}
	found.Codes = found.UsedCodes(ref.Codes)
	found.Conclude()
	p.warnUnmatched(opt.Accept, found)
	if why := watch.Cause(ctx); o.reportDir != "" && ctx.Err() != nil && why.Code == code.Interrupted {
		return why.And(", and no report was saved")
	}
	err = p.report(found, o)
	p.timings.Done("report")
	if p.status == exitUnreliable && ctx.Err() == nil {
		err = errors.Join(err, swappedArchive(ctx, ref, o.read.Inputs))
	}
	return err
}

// afterwards returns a context that ends a little after another one, so that what was read until
// then can be compared with the whole reference.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	after, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(cluster.AfterInterrupt, func() { cancel(context.Cause(ctx)) })
	})
	return after, func() {
		stop()
		cancel(nil)
	}
}

// sought loads the reference and compiles its templates.
func (p *program) sought(
	ctx context.Context, o *options,
) (*refconfig.Reference, *render.Engine, compare.Options, error) {
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
	if err = p.validation(ctx, o, ref, engine, &opt); err != nil {
		return nil, nil, opt, err
	}
	if err = p.readOld(ctx, o, ref, engine, &opt); err != nil {
		return nil, nil, opt, err
	}
	opt.Fix = o.writes("fix")
	switch {
	case o.showSuppressed:
		opt.Suppressed = compare.Listed
	case o.screen.Verbose:
		opt.Suppressed = compare.Counted
	}
	return ref, engine, opt, nil
}

// textOptions returns the options for text on a stream.
func (p *program) textOptions(o *options, stream io.Writer) text.Options {
	opt := o.screen
	if opt.Width == 0 {
		opt.Width = widthFor(stream, p.io.Err, p.io.Env)
	}
	opt.Width = max(opt.Width, text.MinWidth)
	opt.Color = colored(o.color, stream, p.io.Env)
	opt.ShowExpected = o.showExpected
	opt.ShowOverridden = o.showOverridden
	opt.InputOrder = o.sort == "input"
	opt.LongestLine = o.limits.Count("line")
	opt.Command = p.name
	return opt
}

// checkInteractive checks that there is a terminal for questions, and that standard input is not
// also an input.
func (p *program) checkInteractive(o *options) error {
	if !o.interactive {
		return nil
	}
	if slices.Contains(o.read.Inputs, "-") {
		return p.usageError("--interactive reads answers from standard input, so the INPUT cannot be standard input")
	}
	what := ""
	switch {
	case !p.isTerminal(p.io.In):
		what = "standard input"
	case !p.isTerminal(p.io.Err):
		what = "the error stream"
	default:
		return nil
	}
	return fmt.Errorf("%s: --interactive needs a terminal, but %s is not one; in a script use --diff-config",
		code.NoTerminal, what)
}
