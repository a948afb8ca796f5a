package cli

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
)

// reportOptions are the options of the command report.
type reportOptions struct {
	*options
	filesFrom, savedIn string
}

// reportCommand returns the command report.
func (p *program) reportCommand() *cli.Command {
	o := &reportOptions{options: p.newOptions()}
	return p.command(o.options, func(ctx context.Context, _ *options) error { return p.saved(ctx, o) }, &cli.Command{
		Name: "report", ArgsUsage: "FILE...", Usage: "show saved reports in any format, several as one",
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
		Flags: append(
			o.flags(
				"baseline", "quiet", "cluster", "summary", "unified", "verbose", "cr", "category", "no-group", "sort",
				"show-overridden", "width", "color", "limit",
			),
			o.outputFlag(formatNames(true), ""), o.failOnFlag("as saved"),
			&cli.StringFlag{
				Name: "files-from", Category: often, Destination: &o.filesFrom,
				Usage: "read more reports, whose names are the lines of `LIST`; a report that does not exist makes the result incomplete; - is standard input",
			},
			&cli.StringFlag{
				Name: "report-dir", Category: often, Destination: &o.savedIn,
				Usage: "show the reports that a comparison with --report-dir `DIR` saved; FILE is then an input of that comparison, and one without a report makes the result incomplete",
			},
		),
		Subcommands: []*cli.Command{p.reportDiffCommand()},
	})
}

// isNoDocument reports whether an argument has no name of a saved report. Then `report` is a folder
// and the argument an input.
func isNoDocument(name string) bool { return filepath.Ext(name) != ".json" }

// saved shows saved reports.
func (p *program) saved(ctx context.Context, o *reportOptions) error {
	switch {
	case len(o.args) == 0 && o.filesFrom == "":
		return p.usageError("report needs a FILE, a report of --output json")
	case o.savedIn != "" && o.filesFrom != "":
		return p.usageError("--report-dir finds the reports by the names of inputs; it cannot be used with --files-from")
	}
	if err := p.readBaseline(ctx, o.options); err != nil {
		return err
	}
	drop, err := p.openOutputs(o.options)
	if err != nil {
		return err
	}
	defer drop()
	reports := p.savedReports(ctx, o.options)
	var names []string
	if o.savedIn == "" {
		names, err = reports.names(o.args, o.filesFrom)
	} else if names, err = matched(o.args); err == nil {
		names, err = savedNames(o.savedIn, names)
	}
	if err != nil {
		return err
	}
	found, err := reports.read(p.tool(), names)
	if err != nil {
		return err
	}
	if found.Runs = finding.Meant(found.Runs, o.read.Only); len(found.Runs) == 0 {
		return p.usageError(noCluster)
	}
	if len(o.failOnList) > 0 {
		found.FailOn = o.failOn
	}
	o.mark(found)
	// other runs have no findings to compare
	unheld := func(r *finding.Run) bool { return r.Baseline == nil && r.Summary.Objects.Read > 0 }
	if len(o.failOnList) > 0 && o.failOn.Has(finding.FailOnNew) && slices.ContainsFunc(found.Runs, unheld) {
		return p.usageError("--fail-on new needs --baseline, or reports that were saved with --baseline")
	}
	found.Conclude()
	o.full, o.showExpected = true, found.ListsExpected() // show everything that was saved
	return p.report(found, o.options)
}

// savedReports returns a reader of saved reports, each at most as large as a file of an input.
func (p *program) savedReports(ctx context.Context, o *options) *savedReader {
	return &savedReader{Context: ctx, Stdin: p.io.In, Most: o.limits["file"]}
}
