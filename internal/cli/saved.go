package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/watch"
)

// stdin is the name of standard input.
const stdin = "-"

// reportNames returns the files that the arguments and a list name. It expands globs in arguments
// that the shell has not expanded. list is the name of a file with a file name on each line; ""
// for none.
func (p *program) reportNames(ctx context.Context, args []string, list string) ([]string, error) {
	var names []string
	for _, arg := range args {
		found, _ := source.Expand([]string{arg}, true) // missing files are reported when they are read
		if len(found) == 0 {
			found = []string{arg}
		}
		names = append(names, found...)
	}
	if list == "" {
		return names, nil
	}
	text, err := p.savedText(ctx, list)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", code.ListBroken, list, err)
	}
	listed := 0
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			names = append(names, line)
			listed++
		}
	}
	if listed == 0 {
		return nil, fmt.Errorf(
			"%s: %s: it names no file; it needs the name of a saved report on each line", code.ListBroken, list,
		)
	}
	return names, nil
}

// savedReports reads files and merges them into one report. The clusters have the order of the
// names. An unusable file becomes an incomplete run and does not affect the others. If all files
// are unusable, savedReports returns an error. The report has the clusters of --cluster and the value of
// --fail-on, if they are given.
func (p *program) savedReports(
	ctx context.Context, names []string, o *reporting, clusters []string,
) (*finding.Report, error) {
	var all []*finding.Report
	var failed []string
	for _, name := range names {
		one, err := p.savedReport(ctx, name)
		if err != nil {
			failed = append(failed, fmt.Sprintf("%s: %s: %s", code.ReportBroken, name, err))
			one = saved.Unusable(name, err.Error())
		}
		all = append(all, one)
	}
	if len(failed) == len(names) {
		return nil, errors.New(strings.Join(failed, "\n"))
	}
	found := saved.Merge(p.tool(), all)
	if found.Runs = saved.Meant(found.Runs, clusters); len(found.Runs) == 0 {
		return nil, p.usageError(noCluster)
	}
	if o.failOnWords == nil {
		return found, nil
	}
	found.FailOn = o.failOn
	return found, p.counted(found.Runs, o.failOn)
}

// counted returns an error if --fail-on has a word for findings that a comparison behind one of the saved runs
// was not asked to look for.
func (p *program) counted(runs []*finding.Run, failOn finding.FailOn) error {
	for _, run := range runs {
		everyKind := run.Base != nil || slices.Contains(run.Options, countsEveryKind)
		switch {
		case run.Summary.Objects.Read == 0:
		case failOn.Has(finding.FailOnInvalid) && !run.Validated:
			return p.usageError("--fail-on invalid needs reports that were saved with --validate")
		case failOn.Has(finding.FailOnUnmatchedAll) && !everyKind:
			return p.usageError(
				"--fail-on unmatched-all needs reports that were saved with it: others do not count CRs of every kind",
			)
		case failOn.Has(finding.FailOnUnmatched) && everyKind && run.Base == nil:
			return p.usageError("--fail-on unmatched needs reports that were saved without unmatched-all, which count fewer CRs")
		}
	}
	return nil
}

// savedReport reads the report in a file.
func (p *program) savedReport(ctx context.Context, name string) (*finding.Report, error) {
	text, err := p.savedText(ctx, name)
	if err != nil {
		return nil, err
	}
	report, err := saved.Read(text)
	if err != nil {
		return nil, err
	}
	// lines are shown as they are
	if saved.HasLine(report, func(line string) bool { return escape.Text(line) != line }) {
		return nil, errors.New("a line has characters that no comparison writes; compare again")
	}
	return report, nil
}

// savedText reads a file. It returns an error if the file is larger than a file of an input may be.
func (p *program) savedText(ctx context.Context, name string) ([]byte, error) {
	most := cmp.Or(p.limits["file"], source.DefaultLimits().File)
	var text []byte
	info, err := os.Stat(name)
	switch {
	case name == stdin:
		text, err = io.ReadAll(io.LimitReader(disk.Reader(ctx, p.io.In), most))
	case err == nil && info.IsDir():
		return nil, errors.New("it is a folder; name the reports in it, as " + path.Join(name, "*.json"))
	case err == nil:
		text, err = disk.ReadNamed(ctx, name, most)
	}
	switch {
	case ctx.Err() != nil:
		return nil, watch.Cause(ctx)
	case err != nil:
		return nil, code.Reason(err)
	case int64(len(text)) == most:
		return nil, fmt.Errorf("it has %d bytes or more, the limit; raise it with --limit file=N", most)
	}
	return text, nil
}
