package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/report/formats"
)

// reportOptions are the options of the command report.
type reportOptions struct {
	base
	reporting
	read               cluster.Options // only the selection of clusters is used
	filesFrom, savedIn string
}

// reportCommand returns the command report.
func (p *program) reportCommand() *cli.Command {
	o := &reportOptions{reporting: newReporting(formatNames(true))}
	return command(p, o, p.saved, &cli.Command{
		ArgsUsage: "[FILE...]", Usage: "show saved reports in any format, several as one",
		Description: `FILE is a report of --output json, or - for standard input. A report that was
saved with --full has the lines of the CRs; of other reports, differences are
listed by path. The exit status is that of the runs, unless --fail-on is given.

Examples:
  validationTool report report.json
  validationTool report --summary reports/*.json
  validationTool report --summary --files-from list.txt

Exit status:
  0  no findings of --fail-on
  1  findings of --fail-on
  2  bad usage, a file that is not a report, or an incomplete result`,
		Flags: slices.Concat(inputFlags(&o.read, "cluster"), o.reporting.flags("", "as saved"), []cli.Flag{
			p.limitFlag(),
			option("files-from", often, one(&o.filesFrom),
				"read more reports, whose names are the lines of `LIST`; a report that does not exist makes the result incomplete; - is standard input"),
			option("report-dir", often, one(&o.savedIn),
				"show the reports that a comparison with --report-dir `DIR` saved; FILE is then an input of that comparison, and one without a report makes the result incomplete"),
		}),
	})
}

// Validate implements options.
func (o *reportOptions) Validate(args []string) error {
	switch {
	case len(args) == 0 && o.filesFrom == "":
		return errors.New("report needs a FILE, a report of --output json")
	case o.savedIn != "" && o.filesFrom != "":
		return errors.New("--report-dir finds the reports by the names of inputs; it cannot be used with --files-from")
	}
	o.full = true // show all lines that were saved
	return errors.Join(o.base.Validate(args), o.reporting.Validate())
}

// saved shows saved reports.
func (p *program) saved(ctx context.Context, o *reportOptions) error {
	var names []string
	var err error
	if o.savedIn == "" {
		names, err = p.reportNames(ctx, o.args, o.filesFrom)
	} else if names, err = matched(o.args); err == nil {
		names, err = savedNames(o.savedIn, names)
	}
	if err != nil {
		return err
	}
	p.useFiles("--baseline", o.baselineFile)
	p.useFiles("--files-from", o.filesFrom)
	p.useFiles("the FILE", names...)
	drop, err := p.openOutputs(o.outputs)
	if err != nil {
		return err
	}
	defer drop()
	if err := p.readBaseline(ctx, &o.reporting, o.read.Only); err != nil {
		return err
	}
	found, err := p.savedReports(ctx, names, &o.reporting, o.read.Only)
	if err != nil {
		return err
	}
	o.mark(found)
	// only runs with CRs have changes
	unheld := func(r *finding.Run) bool { return r.Baseline == nil && r.Summary.Objects.Read > 0 }
	if o.screen.Filter.AskedNew && slices.ContainsFunc(found.Runs, unheld) {
		return p.usageError("--category new needs --baseline, or reports that were saved with --baseline")
	}
	if o.failOnWords != nil && o.failOn.Has(finding.FailOnNew) && slices.ContainsFunc(found.Runs, unheld) {
		return p.usageError("--fail-on new needs --baseline, or reports that were saved with --baseline")
	}
	found.Conclude()
	o.screen.ShowExpected = saved.ListsExpected(found)
	return p.report(found, &o.reporting, formats.OverrideOptions{})
}
