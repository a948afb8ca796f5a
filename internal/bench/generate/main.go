package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: generate must-gather|objects|large|text -out PATH [option...]; see generate WHAT -h")

// run generates the input that the first argument names, and prints a summary.
func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet("generate "+args[0], flag.ContinueOnError)
	path := flags.String("out", "", "the `path` to write to")
	seed := flags.Uint64("seed", 1, "the `number` from which the random choices are derived")
	var run func() (tally, error)
	switch args[0] {
	case "must-gather":
		o := mustGather{}
		crs := flags.String("crs", "examples/ran-du/cluster", "the `folder` with the CRs that the reference is about")
		scale := flags.Float64("scale", 1, "the size: 1 is 42 MB")
		flags.IntVar(&o.logs, "logs", 37, "the `percentage` of the bytes that are logs")
		flags.IntVar(
			&o.repeat,
			"repeat",
			10,
			"the `percentage` of the lines of a log that repeat one shortly before: the more, the better it compresses",
		)
		run = func() (tally, error) {
			o.mille, o.seed = int(math.Round(*scale*1000)), *seed
			return o.write(*path, *crs)
		}
	case "objects":
		o := objects{}
		flags.IntVar(&o.count, "objects", 1000, "the `number` of objects")
		flags.IntVar(&o.compared, "compared", 1000, "the `number` of objects that have a template")
		flags.IntVar(&o.differing, "differing", 50, "the `percentage` of those that differ from it")
		flags.IntVar(&o.templates, "templates", 10, "the `number` of templates")
		run = func() (tally, error) { return o.write(*path, *seed) }
	case "large":
		l := large{}
		flags.IntVar(&l.size, "size", 100_000_000, "the `bytes` of the file")
		flags.StringVar(&l.form, "form", "list.yaml", "the `form` of the file: list.yaml, list.json or configmap.yaml")
		run = func() (tally, error) { return l.write(*path, *seed) }
	case "text":
		t := longText{}
		flags.IntVar(&t.size, "size", 1_000_000, "the `bytes` of the text")
		flags.IntVar(&t.differing, "differing", 100, "the `percentage` of the lines that differ")
		run = func() (tally, error) { return t.write(*path, *seed) }
	default:
		return errUsage
	}
	if err := flags.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if *path == "" || flags.NArg() > 0 {
		return errUsage
	}
	made, err := run()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(
		out, "%s: %d files (%d empty), %d bytes, %d objects\n", *path, made.files, made.empty, made.bytes, made.objects,
	)
	return err
}

// tally counts what was written.
type tally struct {
	files, empty int
	bytes        int64
	objects      int // objects in the files; an object in two files counts as two
}
