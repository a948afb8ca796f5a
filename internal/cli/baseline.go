package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/run/code"
)

// readBaseline reads the report of --baseline, if there is one. only selects clusters.
func (p *program) readBaseline(ctx context.Context, o *reporting, only []string) error {
	if o.baselineFile == "" {
		return nil
	}
	saved, err := p.earlier(ctx, o.baselineFile, only)
	o.baseline = &saved
	return err
}

// earlier reads a saved report that is compared with another. only selects clusters.
func (p *program) earlier(ctx context.Context, name string, only []string) (finding.Earlier, error) {
	found, err := p.savedReport(ctx, name)
	if err != nil {
		return finding.Earlier{}, fmt.Errorf("%s: %s: %w", code.BaselineBroken, name, err)
	}
	return finding.Earlier{Path: name, Report: found, Only: only}, nil
}

// noCluster is the message if no cluster of the saved reports matches --cluster.
const noCluster = "no cluster of the reports matches --cluster"

// mark sets the changes of the findings in a report, if there is a baseline.
func (o *reporting) mark(found *finding.Report) {
	if o.baseline != nil {
		finding.Mark(found, *o.baseline)
	}
}

// reportDiffOptions are the options of report diff.
type reportDiffOptions struct {
	base
	display
	read        cluster.Options // only the selection of clusters is used
	format      string
	failOnWords []string
	failOn      finding.FailOn // the parsed failOnWords
}

// Validate implements options.
func (o *reportDiffOptions) Validate(args []string) (err error) {
	if args[0] == stdin && args[1] == stdin {
		return errors.New("only one of OLD and NEW can be standard input")
	}
	if o.failOn, err = parseFailOn(o.failOnWords); err != nil {
		return err
	}
	return o.base.Validate(args)
}

// reportDiffCommand returns the command report diff.
func (p *program) reportDiffCommand() *cli.Command {
	o := &reportDiffOptions{}
	return command(p, o, p.reportDiff, &cli.Command{
		Name: "diff", ArgsUsage: "OLD NEW", Usage: "list the findings that changed between two saved reports",
		Description: `Two findings are the same if they are about the same field, CR or rule. If the
values differ, the finding has changed, which counts as new. Clusters are
matched by their identity in the reports. --fail-on of NEW applies unless it is
given here.

  OLD, NEW  reports of --output json, or - for standard input

Examples:
  validationTool report diff yesterday.json today.json

Exit status:
  0  no new findings of --fail-on
  1  new or changed findings of --fail-on
  2  bad usage, a file that is not a report, or an incomplete result: a report
     is incomplete, or NEW lacks a cluster of OLD`,
		Flags: slices.Concat(inputFlags(&o.read, "cluster"), o.flags(), []cli.Flag{
			verboseFlag(&o.screen), p.limitFlag(), formatFlag(&o.format, "the changes", "text", "json"),
			failOnFlag(&o.failOnWords, "as in NEW"),
		}),
	})
}

// reportDiff compares two saved reports.
func (p *program) reportDiff(ctx context.Context, o *reportDiffOptions) error {
	old, err := p.earlier(ctx, o.args[0], o.read.Only)
	if err != nil {
		return err
	}
	now, err := p.earlier(ctx, o.args[1], o.read.Only)
	if err != nil {
		return err
	}
	failOn := o.failOn
	if o.failOnWords == nil {
		failOn = now.Report.FailOn
	}
	old.Report.Runs = finding.Meant(old.Report.Runs, o.read.Only)
	now.Report.Runs = finding.Meant(now.Report.Runs, o.read.Only)
	if len(old.Report.Runs)+len(now.Report.Runs) == 0 {
		return p.usageError(noCluster)
	}
	found := finding.DiffOf(p.tool(), old, now, failOn)
	p.status = found.ExitStatus
	return p.answer(ctx, o.format, "the answer", found, func(w io.Writer) error {
		return text.Changes(w, found, p.textOptions(&o.display, p.io.Out))
	})
}
