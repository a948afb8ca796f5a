// Command bench measures the tool from end to end and prints its costs next to the goals.
//
//	bench -tool bin/validationTool
//
// Machines differ, so times are printed as ratios to the time of a yardstick, a command that every
// machine has, such as `gzip -dc FILE | wc -c` for archives. Tool and yardstick run alternately,
// and the median of the pairs is printed. Processor time and peak memory are those that the system
// counted for the process of the tool.
//
// It makes the input itself, and keeps it in bin/bench for the next time: the same program makes
// the same files. A missed goal is not a failure: the exit status says only whether everything
// could be measured.
package main

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"regexp"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// The arguments with which this program starts itself, with a path, so that no memory of its own
// counts for the measured processes: Linux adds the peak of a parent to its children.
const (
	makeInput  = "make"   // makes an input
	unpackFile = "unpack" // unpacks a file, as a yardstick
)

// bench is what the command line says.
type bench struct {
	tool, data, reference string
	self                  string // the path of this program
	runs                  int
	progress              io.Writer
	files                 int // made so far for the row: ${new}
}

func run(args []string, out, progress io.Writer) error {
	if len(args) == 2 && args[0] == makeInput {
		return makeAt(args[1])
	}
	if len(args) == 2 && args[0] == unpackFile {
		return unpack(args[1], out)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	hash, err := hashOf(self)
	if err != nil {
		return err
	}
	b := &bench{self: self, data: filepath.Join("bin/bench", hash), progress: progress}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&b.tool, "tool", "bin/validationTool", "the `binary` to measure")
	flags.IntVar(&b.runs, "runs", 5, "how `often` each pair is measured, after one that does not count")
	flags.StringVar(&b.reference, "reference", "examples/ran-du/reference", "the `reference` to compare archives with")
	only := flags.String("only", "", "measure only rows whose name matches this `regexp`")
	grown := flags.String("archive", "", "a .tar.gz `file` to use as the archive of a grown cluster")
	fresh := flags.String("archive-r", "", "a .tar.gz `file` to use as the archive of a fresh cluster")
	table := flags.String("table", "", "write the table into this `file` as well, between its marks")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if flags.NArg() > 0 || b.runs < 1 {
		return errors.New("only options are allowed, and -runs must be at least 1; see -h")
	}
	if *table != "" && *only != "" {
		return errors.New("-table needs the whole table, but -only gives a part of it")
	}
	selected, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	lines, failed := b.measureAll(rows(*grown, *fresh), selected)
	writeTable(out, lines, true)
	if *table != "" && failed == nil {
		failed = rewrite(*table, lines)
	}
	return failed
}

// measureAll measures the selected rows. A row that fails does not affect the others.
func (b *bench) measureAll(rows []row, selected *regexp.Regexp) (lines []line, failed error) {
	for _, r := range rows {
		if !selected.MatchString(r.name) || r.rare && selected.String() == "" {
			continue
		}
		fmt.Fprintf(b.progress, "measuring %s\n", r.name)
		l, err := b.measure(r)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", r.name, err))
			continue
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 && failed == nil {
		failed = fmt.Errorf("no row matches %q", selected)
	}
	return lines, failed
}

// hashOf returns the hash of a file, so that no input of another version of this program is used.
func hashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := fnv.New64a()
	_, err = io.Copy(hash, f)
	return fmt.Sprintf("%x", hash.Sum(nil)), err
}
