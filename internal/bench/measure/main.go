package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// settings are the options of the command line.
type settings struct {
	tool, generate, data string
	runs                 int
	only                 *regexp.Regexp
	archive, archiveR    string
	reference            string
	table                string
}

func run(args []string, out, progress io.Writer) error {
	if len(args) == 2 && args[0] == inflateXZ {
		return inflate(args[1], out)
	}
	var s settings
	only := ""
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.StringVar(&s.tool, "tool", "bin/validationTool", "the `binary` to measure")
	flags.StringVar(&s.generate, "generate", "bin/bench/generate", "the `program` that makes the input")
	flags.StringVar(&s.data, "data", "bin/bench/data", "the `folder` for the input; what is there is used again")
	flags.IntVar(&s.runs, "runs", 5, "how `often` each pair is measured, after one that does not count")
	flags.StringVar(&only, "only", "", "measure only rows whose name matches this `regexp`")
	flags.StringVar(&s.archive, "archive", "", "a .tar.gz `file` to use as the archive of a grown cluster")
	flags.StringVar(&s.archiveR, "archive-r", "", "a .tar.gz `file` to use as the archive of a fresh cluster")
	flags.StringVar(&s.reference, "reference", "examples/ran-du/reference", "the `reference` to compare archives with")
	flags.StringVar(&s.table, "table", "", "write the table into this `file` as well, between its marks")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if flags.NArg() > 0 || s.runs < 1 {
		return errors.New("only options are allowed, and -runs must be at least 1; see -h")
	}
	if s.table != "" && only != "" {
		return errors.New("-table needs the whole table, but -only gives a part of it")
	}
	var err error
	if s.only, err = regexp.Compile(only); err != nil {
		return err
	}
	b := &bench{settings: s, progress: progress}
	lines, failed := b.measureAll()
	writeTable(out, lines, true)
	if s.table != "" && failed == nil {
		failed = rewrite(s.table, lines)
	}
	return failed
}

// measureAll measures the requested rows. A row that fails does not affect the others.
func (b *bench) measureAll() ([]line, error) {
	var lines []line
	var failed error
	for _, r := range rows() {
		if !b.only.MatchString(r.name) {
			continue
		}
		fmt.Fprintf(b.progress, "measuring %s\n", r.name)
		l, err := r.measure(b)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", r.name, err))
			continue
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 && failed == nil {
		failed = fmt.Errorf("no row matches %q", b.only)
	}
	return lines, failed
}
