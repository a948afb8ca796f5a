package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/validationtool/validationtool/internal/baseline"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/text"
)

// readBaseline reads the report that findings are held against, where there is one.
func (p *program) readBaseline(ctx context.Context, o *options) error {
	switch o.baselineFile {
	case "":
		return nil
	case "-":
		return p.usageError("--baseline is standard input; it has to be a file")
	}
	saved, err := p.savedReport(ctx, o.baselineFile, o)
	o.baseline = &saved
	return err
}

// savedReport reads one of the reports that are held against each other.
func (p *program) savedReport(ctx context.Context, name string, o *options) (baseline.Saved, error) {
	found, err := p.savedReports(ctx, o).One(name)
	if err != nil {
		return baseline.Saved{}, fmt.Errorf("%s: %s: %w", code.BaselineBroken, name, err)
	}
	return baseline.Saved{Path: name, Report: found, Only: o.clusters}, nil
}

// noneMeant is for names of clusters that no saved report has.
const noneMeant = "no cluster of the reports is called as --cluster says"

// mark says in a report what is new, where there is an earlier one.
func (o *options) mark(found *finding.Report) {
	if o.baseline != nil {
		baseline.Mark(found, *o.baseline)
	}
}

// reportDiffCommand is the command report diff.
func (p *program) reportDiffCommand() *command.Command {
	o := p.newOptions()
	return &command.Command{
		Name: "report diff", Args: "OLD NEW", Does: "say what is new in a saved report, what is gone and what is the same",
		About: []string{
			"Findings are the same where they are about the same field, CR or rule; one whose values are others has changed, which counts as new. Clusters " +
				"are told by what the reports know of them. What counts is what --fail-on of NEW says, unless it is given here.",
		},
		Terms:    [][2]string{{"OLD, NEW", "reports as JSON, which --output json wrote, or - for standard input"}},
		Examples: []string{"validationTool report diff yesterday.json today.json"},
		Exits: []string{"nothing is new", "something of --fail-on is new or has changed",
			"bad usage, a file that is no report, or an answer that is not to be relied on: one of the reports is incomplete, or NEW lacks a cluster of OLD"},
		Options: func() []command.Option {
			return o.referenceOptions("what is new", append([]command.Option{o.failOnOption("that of NEW")}, o.shared("cluster", "verbose", "width", "color")...)...)
		},
		Takes: func(l command.Line) bool { return len(l.Args) == 2 },
		Run:   func(ctx context.Context, l command.Line) error { return p.reportDiff(ctx, l, o) },
	}
}

// reportDiff holds two saved reports against each other.
func (p *program) reportDiff(ctx context.Context, l command.Line, o *options) error {
	if len(l.Args) != 2 || l.Args[0] == "-" && l.Args[1] == "-" {
		return p.usageError("report diff needs two reports, OLD and NEW, which --output json wrote; one of them can be standard input")
	}
	if err := p.checkWidth(l, o); err != nil {
		return err
	}
	failOn, err := finding.ParseFailOn(o.failOnList)
	if err != nil {
		return p.usageError("--fail-on: %s", err)
	}
	old, err := p.savedReport(ctx, l.Args[0], o)
	if err != nil {
		return err
	}
	now, err := p.savedReport(ctx, l.Args[1], o)
	if err != nil {
		return err
	}
	if !l.Given["fail-on"] {
		failOn = now.Report.FailOn
	}
	old.Report.Runs, now.Report.Runs = baseline.Meant(old.Report.Runs, o.clusters), baseline.Meant(now.Report.Runs, o.clusters)
	if len(old.Report.Runs)+len(now.Report.Runs) == 0 {
		return p.usageError(noneMeant)
	}
	found := baseline.Of(p.tool(), old, now, failOn)
	p.status = found.ExitStatus
	return p.answer(ctx, o, "the answer", found, func(w io.Writer) error { return text.Changes(w, found, p.textOptions(o, p.io.Out)) })
}
