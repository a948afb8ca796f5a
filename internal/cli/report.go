package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/remark"
)

// reportCommand is the command report.
func (p *program) reportCommand() *command.Command {
	o := newOptions()
	return &command.Command{
		Name: "report", Args: "FILE...", Does: "show saved reports in any format, several as one report on their clusters",
		About: []string{
			"A FILE is what --output json wrote. One that was saved with --full has the lines of the CRs, and its text is that of the run; of another " +
				"the differences are listed by path. The exit status is that of the runs, unless --fail-on says what counts.",
		},
		Terms:    [][2]string{{"FILE", "a report as JSON, or - for standard input"}, {"diff OLD NEW", "says what is new in one since another; report diff --help says more"}},
		Examples: []string{"validationTool report report.json", "validationTool report --summary reports/*.json"},
		Exits:    []string{"nothing that counts as a failure was found", "differences: something of --fail-on was found", "bad usage, a file that is no report, or a report whose answer is not to be relied on"},
		Options:  o.shared("output", "fail-on", "baseline", "summary", "unified", "verbose", "cr", "category", "no-group", "width", "color", "limit"),
		Takes:    func(l command.Line) bool { return len(l.Args) > 0 && !slices.ContainsFunc(l.Args, isNoDocument) },
		Run:      func(_ context.Context, l command.Line) error { return p.saved(l, o) },
	}
}

// isNoDocument reports whether an argument is not called like a saved report, so that it is an input where a folder is called report.
func isNoDocument(name string) bool { return filepath.Ext(name) != ".json" }

// saved shows saved reports.
func (p *program) saved(l command.Line, o *options) error {
	if err := p.checkReport(l, o); err != nil {
		return err
	}
	drop, err := p.openOutputs(o)
	if err != nil {
		return err
	}
	defer drop()
	found, err := p.readReports(l.Args, o)
	if err != nil {
		return err
	}
	if l.Given["fail-on"] {
		found.FailOn = o.failOn
	}
	o.mark(found)
	if held := func(r *finding.Run) bool { return r.Baseline == nil }; l.Given["fail-on"] && o.failOn.Has("new") && slices.ContainsFunc(found.Runs, held) {
		return p.usageError("--fail-on new needs --baseline, or reports that were saved with one")
	}
	found.Conclude()
	o.full, o.showExpected = true, found.ListsExpected() // all that was saved
	return p.report(found, o)
}

// checkReport checks the options of the command report.
func (p *program) checkReport(l command.Line, o *options) error {
	if len(l.Args) == 0 {
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
	return p.readBaseline(o)
}

// readReports reads saved reports, and makes one of them. A file that cannot be used is a run that says so; where none can, it is the error.
func (p *program) readReports(names []string, o *options) (*finding.Report, error) {
	var all, usable []*finding.Report
	var failed []string
	left := o.limits.Memory() / budget.Eighth
	for _, name := range names {
		one, size, err := p.readReport(name, left)
		left -= size
		if err != nil {
			failed = append(failed, fmt.Sprintf("%s: %s: %s", code.ReportBroken, name, err))
			all = append(all, finding.Unusable(name, err.Error()))
			continue
		}
		all, usable = append(all, one), append(usable, one)
	}
	if len(usable) == 0 {
		return nil, errors.New(strings.Join(failed, "\n"))
	}
	merged := finding.Merge(p.tool(), all)
	merged.Codes = remark.Merged(usable)
	return merged, nil
}

// readReport reads a saved report, which may have so many bytes.
func (p *program) readReport(name string, most int64) (*finding.Report, int64, error) {
	in := p.io.In
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, 0, reason(err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	size := int64(len(text))
	switch {
	case err != nil:
		return nil, size, reason(err)
	case size > most:
		return nil, size, errors.New("with it the reports take too much memory; raise the limit with --limit memory=N")
	}
	r, err := finding.Read(text)
	return r, size, err
}

// reason is an error without the name of the file that it is about.
func reason(err error) error {
	var about *fs.PathError
	if errors.As(err, &about) {
		return about.Err
	}
	return err
}
