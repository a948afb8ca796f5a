package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/browse"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
)

// browseOptions are the options of the command browse.
type browseOptions struct {
	compareOptions
	clipboard bool
	reports   bool // the arguments are saved reports
	at        browse.Place
	made      []browse.Acceptance // what the user has accepted, and is in no file
}

// browseOptions returns the options before the command line is read.
func (p *program) browseOptions() *browseOptions {
	return &browseOptions{compareOptions: compareOptions{
		comparing: comparing{tool: p.name, below: p.referencesBelow},
		reporting: newReporting(formatNames(false)), acceptor: &acceptor{},
	}}
}

// browseCommand returns the command browse.
func (p *program) browseCommand() *cli.Command {
	o := p.browseOptions()
	return command(p, o, p.browse, &cli.Command{
		ArgsUsage: "REPORT.json... | REFERENCE INPUT...",
		Usage:     "move through a report on the terminal with keys",
		Description: `On the left is a tree of clusters, components, CRs and fields with findings, on
the right what the text report says of the chosen one. The key ? shows all keys,
and q quits. The key a accepts the chosen one: it makes overrides and shows the
verdict with them, and w adds them to the file of --overrides or to another.

  REPORT.json       report of --output json; only one that was saved with --full
                    has the lines of the CRs
  REFERENCE, INPUT  as for a comparison, whose report is shown

Examples:
  validationTool browse report.json
  validationTool browse reference must-gather.tar.gz

Exit status:
  0  the report was shown
  2  bad usage, no terminal, a file that is not a report, or a comparison that
     is not possible`,
		Flags: slices.Concat(o.comparing.flags(), o.tellingFlags(), o.contentFlags(),
			only(o.reporting.flags("", "drift,missing"), []string{"color", "fail-on", "baseline"}),
			only(o.flags(), []string{"context", "full", "jobs"}),
			[]cli.Flag{
				toggle("clipboard", ofText, &o.clipboard,
					"let the key y put its text into the clipboard of the terminal too"),
				p.linksFlag(), p.limitFlag(),
			}),
	})
}

// Validate implements options.
func (o *browseOptions) Validate(args []string) error {
	isOther := func(arg string) bool { return !isReport(arg) }
	o.reports = len(args) > 0 && o.sides(nil) == 0 && !slices.ContainsFunc(args, isOther)
	if slices.Contains(slices.Concat(args, o.filenames), stdin) {
		return errors.New("browse reads keys from standard input, so no argument can be standard input")
	}
	if o.reports {
		return errors.Join(o.base.Validate(args), o.reporting.Validate())
	}
	return o.compareOptions.Validate(args)
}

// browse shows saved reports, or compares and shows the result, again if the user asks for that.
func (p *program) browse(ctx context.Context, o *browseOptions) error {
	if err := p.checkBrowsing(o); err != nil {
		return err
	}
	p.watch.Attended()
	if o.reports {
		found, err := p.savedReports(ctx, o.args, &o.reporting, o.read.Only)
		if err != nil {
			return err
		}
		found.Conclude()
		_, err = p.browsed(ctx, o, found)
		return err
	}
	for again := true; again; {
		again = false
		err := p.compare(ctx, &o.compareOptions, func(found *finding.Report) (err error) {
			again, err = p.browsed(ctx, o, found)
			return err
		})
		if err != nil { // what the user has typed is not lost
			return errors.Join(err, p.say(formats.OverrideEntries(slices.Concat(o.made...))))
		}
	}
	return nil
}

// checkBrowsing returns an error if the report cannot be shown, with the command that prints it.
func (p *program) checkBrowsing(o *browseOptions) error {
	instead, what := p.name+" REFERENCE INPUT", ""
	if o.reports {
		instead = p.name + " report FILE"
	}
	kind, _ := p.io.Env("TERM")
	switch {
	case !p.io.Terminal(p.io.In):
		what = "standard input is not one"
	case !p.io.Terminal(p.io.Out):
		what = "standard output is not one"
	case kind == "dumb":
		what = "this one cannot move its cursor (TERM=dumb)"
	default:
		return nil
	}
	return fmt.Errorf("%s: browse needs a terminal, but %s; %s prints the report", code.NoTerminal, what, instead)
}

// browsed shows a report, and reports whether the user wants to see the input as it is now.
func (p *program) browsed(ctx context.Context, o *browseOptions, found *finding.Report) (again bool, err error) {
	p.watch.Writing()
	// the library would write what it does into a file that the variable names
	if err := os.Unsetenv("TEA_TRACE"); err != nil {
		return false, err
	}
	kind, _ := p.io.Env("TERM")
	var accepting *browse.Accepting
	if !o.reports {
		accepting = o.acceptor.accepting()
	}
	b := browse.New(ctx, p.io.In, p.io.Out, found, browse.Options{
		Text:      p.textOptions(&o.display, p.io.Out),
		Term:      kind,
		Rereads:   !o.reports,
		Clipboard: o.clipboard,
		Place:     o.at,
		Accepting: accepting,
		Made:      o.made,
	})
	p.removeOnExit(b.Restore)
	defer b.Restore()
	end, err := b.Run()
	o.at, o.made = end.Place, end.Made
	switch {
	case ctx.Err() != nil:
		return false, watch.Cause(ctx)
	case err != nil:
		return false, err
	}
	return end.Again, p.say(strings.Join(slices.Compact(end.Copied), ""))
}
