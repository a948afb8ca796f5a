package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/text"
)

// readBaseline reads the report of --baseline, if there is one.
func (p *program) readBaseline(ctx context.Context, o *options) error {
	if o.baselineFile == "" {
		return nil
	}
	saved, err := p.savedReport(ctx, o.baselineFile, o)
	o.baseline = &saved
	return err
}

// savedReport reads one of the reports that are compared.
func (p *program) savedReport(ctx context.Context, name string, o *options) (finding.Earlier, error) {
	found, err := p.savedReports(ctx, o).one(name)
	if err != nil {
		return finding.Earlier{}, fmt.Errorf("%s: %s: %w", code.BaselineBroken, name, err)
	}
	return finding.Earlier{Path: name, Report: found, Only: o.read.Only}, nil
}

// noCluster is the error if no cluster of the saved reports matches --cluster.
const noCluster = "no cluster of the reports matches --cluster"

// mark marks new findings in a report, if there is a baseline.
func (o *options) mark(found *finding.Report) {
	if o.baseline != nil {
		finding.Mark(found, *o.baseline)
	}
}

// reportDiffCommand returns the command report diff.
func (p *program) reportDiffCommand() *cli.Command {
	o := p.newOptions()
	return p.command(o, p.reportDiff, &cli.Command{
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
		Flags: append(
			o.flags("cluster", "verbose", "width", "color", "limit"),
			o.formatFlag("the changes", "text", "json"), o.failOnFlag("as in NEW"),
		),
	})
}

// reportDiff compares two saved reports.
func (p *program) reportDiff(ctx context.Context, o *options) error {
	if o.args[0] == "-" && o.args[1] == "-" {
		return p.usageError("only one of OLD and NEW can be standard input")
	}
	old, err := p.savedReport(ctx, o.args[0], o)
	if err != nil {
		return err
	}
	now, err := p.savedReport(ctx, o.args[1], o)
	if err != nil {
		return err
	}
	failOn := o.failOn
	if len(o.failOnList) == 0 {
		failOn = now.Report.FailOn
	}
	old.Report.Runs = finding.Meant(old.Report.Runs, o.read.Only)
	now.Report.Runs = finding.Meant(now.Report.Runs, o.read.Only)
	if len(old.Report.Runs)+len(now.Report.Runs) == 0 {
		return p.usageError(noCluster)
	}
	found := finding.DiffOf(p.tool(), old, now, failOn)
	p.status = found.ExitStatus
	return p.answer(ctx, o, "the answer", found, func(w io.Writer) error {
		return text.Changes(w, found, p.textOptions(o, p.io.Out))
	})
}
