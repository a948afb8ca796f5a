package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/report/html"
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
func (p *program) earlier(ctx context.Context, name string, only []string) (saved.Earlier, error) {
	found, err := p.savedReport(ctx, name)
	if err != nil {
		return saved.Earlier{}, fmt.Errorf("%s: %s: %w", code.BaselineBroken, name, err)
	}
	return saved.Earlier{Path: name, Report: found, Only: only}, nil
}

// noCluster is the message if no cluster of the saved reports matches --cluster.
const noCluster = "no cluster of the reports matches --cluster"

// mark sets the changes of the findings in a report, if there is a baseline.
func (o *reporting) mark(found *finding.Report) {
	if o.baseline != nil {
		saved.Mark(found, *o.baseline)
	}
}

// changedReport writes a report with the findings that are new, changed or gone since an earlier one.
// failOn decides which findings count.
func (p *program) changedReport(format string, old, now saved.Earlier, failOn finding.FailOn) error {
	found := saved.Merge(p.tool(), []*finding.Report{now.Report})
	// clusters that only the earlier report has are shown too
	found.FailOn = append(slices.Clone(failOn), finding.FailOnNew)
	saved.Mark(found, old)
	found.FailOn = failOn
	found.Conclude()
	return p.deliver("the answer", func(w io.Writer) error {
		if format == "markdown" {
			return formats.Markdown(w, found, nil, true)
		}
		filter := finding.Filter{OnlyNew: true}
		return html.Write(w, found, html.Options{Grouping: finding.Grouping{Filter: filter}, Command: p.name})
	})
}

// reportDiff compares two saved reports.
func (p *program) reportDiff(ctx context.Context, o *diffOptions) error {
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
	old.Report.Runs = saved.Meant(old.Report.Runs, o.read.Only)
	now.Report.Runs = saved.Meant(now.Report.Runs, o.read.Only)
	if len(old.Report.Runs)+len(now.Report.Runs) == 0 {
		return p.usageError(noCluster)
	}
	if err := p.counted(now.Report.Runs, o.failOn); err != nil {
		return err
	}
	found := saved.DiffOf(p.tool(), old, now, failOn)
	p.status = found.ExitStatus
	if o.format == "html" || o.format == "markdown" {
		return p.changedReport(o.format, old, now, failOn)
	}
	return p.answer(ctx, o.format, "the answer", found, func(w io.Writer) error {
		return text.Changes(w, found, p.textOptions(&o.display, p.io.Out))
	})
}
