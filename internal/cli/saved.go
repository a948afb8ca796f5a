package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/internal/watch"
)

// stdin is the name of standard input.
const stdin = "-"

// savedReader reads saved reports and merges them into one report. The clusters have the order of
// the reports' file names. An unusable file does not affect the others.
type savedReader struct {
	Context context.Context // ends the reading early; nil to read everything
	Stdin   io.Reader
	Most    int64 // the maximum size of a file in bytes; 0 for the default limit of a file in an input
}

// names returns the files that the arguments and a list name. It expands globs in arguments that
// the shell has not expanded. list is the name of a file with a file name on each line; "" for
// none.
func (r *savedReader) names(args []string, list string) ([]string, error) {
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
	text, err := r.text(list)
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

// read reads files and merges them into one report. An unusable file becomes an incomplete run. If
// all files are unusable, read returns an error.
func (r *savedReader) read(tool finding.Tool, names []string) (*finding.Report, error) {
	var all []*finding.Report
	var failed []string
	for _, name := range names {
		one, err := r.one(name)
		if err != nil {
			failed = append(failed, fmt.Sprintf("%s: %s: %s", code.ReportBroken, name, err))
			one = finding.Unusable(name, err.Error())
		}
		all = append(all, one)
	}
	if len(failed) == len(names) {
		return nil, errors.New(strings.Join(failed, "\n"))
	}
	return finding.Merge(tool, all), nil
}

// one reads the report in a file.
func (r *savedReader) one(name string) (*finding.Report, error) {
	text, err := r.text(name)
	if err != nil {
		return nil, err
	}
	return finding.Read(text)
}

// text reads a file. It returns an error if the file is too large.
func (r *savedReader) text(name string) ([]byte, error) {
	in := r.Stdin
	if name != stdin {
		file, err := os.Open(name)
		if err != nil {
			return nil, code.Reason(err)
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return nil, errors.New("it is a folder; name the reports in it, as " + path.Join(name, "*.json"))
		}
		in = file
	}
	most := cmp.Or(r.Most, source.DefaultLimits().File)
	text, err := io.ReadAll(io.LimitReader(until{cmp.Or(r.Context, context.Background()), in}, most))
	switch {
	case err != nil:
		return nil, code.Reason(err)
	case int64(len(text)) == most:
		return nil, fmt.Errorf("it has %d bytes or more, the limit; raise it with --limit file=N", most)
	}
	return text, nil
}

// until is a reader that returns an error after its context has ended.
type until struct {
	ctx context.Context
	in  io.Reader
}

// Read implements io.Reader.
func (u until) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, watch.Cause(u.ctx)
	}
	return u.in.Read(p)
}
