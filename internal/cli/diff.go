package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
)

// diffOptions are the options of the command diff.
type diffOptions struct {
	base
	comparing
	display
	format      string
	failOnWords []string
	failOn      finding.FailOn // the parsed failOnWords

	reports bool // OLD and NEW are saved reports, not references
}

// diffCommand returns the command diff.
func (p *program) diffCommand() *cli.Command {
	o := &diffOptions{}
	return command(p, o, p.diff, &cli.Command{
		ArgsUsage: "OLD NEW", Usage: "show what changed between two reports or references",
		Description: `Of two versions of a reference, it lists what a cluster that agreed with OLD
must change or add, what may now vary, what is no longer required, and changes
that only authors notice. With --input it compares CRs with both versions, and
lists the findings that only one version gives.

Of two saved reports, it lists the findings that changed. Two findings are the
same if they are about the same field, CR or rule. If the values differ, the
finding has changed, which counts as new. Clusters are matched by their identity
in the reports. --fail-on of NEW applies unless it is given here.

  OLD, NEW  folder with metadata.yaml, folder of CRs or templates, or archive;
            or reports of --output json, or - for standard input

Examples:
  validationTool diff ref-4.16 ref-4.17
  validationTool diff --input must-gather.tar.gz ref-4.16 ref-4.17
  validationTool diff yesterday.json today.json

Exit status:
  0  references: the result is the same for every CR; reports: no new findings
     of --fail-on
  1  references: the result may differ for some CRs; reports: new or changed
     findings of --fail-on
  2  bad usage, an invalid reference or report, or an incomplete result: an
     input or report is incomplete, or NEW lacks a cluster of OLD`,
		Flags: slices.Concat(
			inputFlags(&o.read), o.display.flags(), []cli.Flag{
				verboseFlag(&o.screen), p.linksFlag(), p.limitFlag(),
				formatFlag(&o.format, "the changes", "text", "json", "markdown", "html"),
				failOnFlag(&o.failOnWords, "as in NEW"),
				option("input", often, list(&o.read.Inputs),
					"compare `INPUT` with both references; INPUT is as for a comparison (repeatable)"),
			}),
	})
}

// Validate implements options.
func (o *diffOptions) Validate(args []string) (err error) {
	if args[0] == stdin && args[1] == stdin {
		return errors.New("only one of OLD and NEW can be standard input")
	}
	if o.failOn, err = parseFailOn(o.failOnWords); err != nil {
		return err
	}
	o.reports = isReport(args[0])
	switch read := o.read; {
	case o.reports != isReport(args[1]):
		report, other := args[0], args[1]
		if !o.reports {
			report, other = other, report
		}
		return fmt.Errorf("%s is a saved report, but %s is not; give two reports or two references", report, other)
	case o.reports && (len(read.Inputs) > 0 || read.Join || read.Nested || read.SkipUnreadable):
		return errors.New("--input, --join, --nested and --skip-unreadable are for two references")
	case !o.reports && o.format == "html":
		return errors.New("--output html is for two reports")
	case !o.reports && (len(o.failOnWords) > 0 || len(read.Only) > 0 || o.screen.Verbose || o.screen.Width > 0):
		return errors.New("--fail-on, --cluster, --verbose and --width are for two reports")
	}
	return o.base.Validate(args)
}

// isReport reports whether a path is that of a saved report, not that of a reference.
func isReport(name string) bool {
	info, err := os.Stat(name)
	switch {
	case name == stdin:
		return true
	case err != nil:
		return strings.HasSuffix(name, ".json")
	case info.IsDir():
		return false
	case !info.Mode().IsRegular(): // a pipe of the shell
		return true
	}
	head, err := headOf(name)
	if err != nil {
		return false
	}
	isCR := bytes.Contains(head, []byte(`"kind"`))
	return bytes.Contains(head, []byte(`"schemaVersion"`)) || strings.HasSuffix(name, ".json") && !isCR
}

// diff shows what changed.
func (p *program) diff(ctx context.Context, o *diffOptions) error {
	if o.reports {
		return p.reportDiff(ctx, o)
	}
	return p.refDiff(ctx, o)
}
