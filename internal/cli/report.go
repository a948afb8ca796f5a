package cli

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/validationtool/validationtool/internal/baseline"
	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/saved"
)

// reportCommand is the command report.
func (p *program) reportCommand() *command.Command {
	o := p.newOptions()
	return &command.Command{
		Name: "report", Args: "FILE...", Does: "show saved reports in any format, several as one report on their clusters",
		About: []string{
			"A FILE is what --output json wrote. One that was saved with --full has the lines of the CRs, and its text is that of the run; of another " +
				"the differences are listed by path. The exit status is that of the runs, unless --fail-on says what counts.",
		},
		Terms:    [][2]string{{"FILE", "a report as JSON, or - for standard input"}, {"diff OLD NEW", "says what is new in one since another; report diff --help says more"}},
		Examples: []string{"validationTool report report.json", "validationTool report --summary reports/*.json", "validationTool report --summary --files-from list.txt"},
		Exits:    []string{"nothing that counts as a failure was found", "differences: something of --fail-on was found", "bad usage, a file that is no report, or a report whose answer is not to be relied on"},
		Options: func() []command.Option {
			return slices.Concat([]command.Option{o.outputOption("", formatNames(true)), o.failOnOption("that of the runs")},
				o.shared("baseline", "cluster", "summary", "unified", "verbose", "cr", "category", "no-group", "width", "color", "limit"), []command.Option{
					{Name: "files-from", Category: command.Often, Into: &o.filesFrom, Usage: "read the reports that `LIST` names, one on each line, beside those that are arguments; one that is not there makes the report incomplete; - is standard input"}})
		},
		Takes: func(l command.Line) bool {
			return len(l.Args) > 0 && !slices.ContainsFunc(l.Args, isNoDocument) || l.Given["files-from"]
		},
		Run: func(ctx context.Context, l command.Line) error { return p.saved(ctx, l, o) },
	}
}

// isNoDocument reports whether an argument is not called like a saved report, so that it is an input where a folder is called report.
func isNoDocument(name string) bool { return filepath.Ext(name) != ".json" }

// saved shows saved reports.
func (p *program) saved(ctx context.Context, l command.Line, o *options) error {
	if err := p.checkReport(ctx, l, o); err != nil {
		return err
	}
	drop, err := p.openOutputs(o)
	if err != nil {
		return err
	}
	defer drop()
	reports := p.savedReports(ctx, o)
	names, err := reports.Names(l.Args, o.filesFrom)
	if err != nil {
		return err
	}
	found, err := reports.Read(p.tool(), names)
	if err != nil {
		return err
	}
	if found.Runs = baseline.Meant(found.Runs, o.clusters); len(found.Runs) == 0 {
		return p.usageError(noneMeant)
	}
	if l.Given["fail-on"] {
		found.FailOn = o.failOn
	}
	o.mark(found)
	unheld := func(r *finding.Run) bool { return r.Baseline == nil && r.Summary.Objects.Read > 0 } // of others nothing is known at all
	if l.Given["fail-on"] && o.failOn.Has("new") && slices.ContainsFunc(found.Runs, unheld) {
		return p.usageError("--fail-on new needs --baseline, or reports that were saved with one")
	}
	found.Conclude()
	o.full, o.showExpected = true, saved.ListsExpected(found) // all that was saved
	return p.report(found, o)
}

// checkReport checks the options of the command report.
func (p *program) checkReport(ctx context.Context, l command.Line, o *options) error {
	if len(l.Args) == 0 && o.filesFrom == "" {
		return p.usageError("report needs a FILE, which --output json wrote")
	}
	if err := p.checkWidth(l, o); err != nil {
		return err
	}
	var err error
	if o.outputs, err = parseOutputs(o.outputList); err != nil {
		return p.usageError("--output: %s", err)
	}
	for _, to := range o.outputs {
		if to.lives {
			return p.usageError("--output %s needs the CRs themselves, which a saved report does not have: it is written where inputs are compared", to.name)
		}
	}
	if o.failOn, err = finding.ParseFailOn(o.failOnList); err != nil {
		return p.usageError("--fail-on: %s", err)
	}
	if err := p.checkFilter(o); err != nil {
		return err
	}
	return p.readBaseline(ctx, o)
}

// savedReports reads saved reports, each of which may be as large as a file of an input.
func (p *program) savedReports(ctx context.Context, o *options) *saved.Reader {
	return &saved.Reader{Context: ctx, Stdin: p.io.In, Most: int64(o.limits["file"])}
}
