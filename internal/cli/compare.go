package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/report/document"
	"github.com/validationtool/validationtool/internal/report/overrides"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/refconfig"
)

// compareFlags are the options of the comparison.
func compareFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "text", Usage: "`FORMAT` of the report: text (the default), json or yaml; or overrides, which accept what was found, for use with --overrides"},
		&cli.StringFlag{Name: "fail-on", Value: "drift,missing", Usage: "what makes the exit status 1: a `LIST` of drift, missing, extra, unmatched, referenced, or none (default: drift,missing)"},
		&cli.BoolFlag{Name: "summary", Usage: "leave the CRs out of the text, show the summary only"},
		&cli.IntFlag{Name: "context", Value: 3, Usage: "show `N` lines around a difference (default: 3)"},
		&cli.BoolFlag{Name: "full", Usage: "show the whole of every CR with a difference"},
		&cli.BoolFlag{Name: "unified", Usage: "show differences below each other instead of side by side"},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "name the CRs without findings too, the refused ones, all unmatched ones, and count what of the input was passed over"},
		&cli.BoolFlag{Name: "show-expected", Usage: "list the expected variations too"},
		&cli.BoolFlag{Name: "show-secrets", Usage: "show the data of Secrets in clear"},
		&cli.IntFlag{Name: "width", Usage: "make the text `N` columns wide (default: the terminal's width, or 150 when piped)"},
		&cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN` to colour the text: auto (the default), always or never"},
		&cli.BoolFlag{Name: "all-resources", Aliases: []string{"A"}, Usage: "list unmatched CRs of every kind, not only of those the reference has"},
		&cli.StringSliceFlag{Name: "cluster", Usage: "compare only the clusters that `NAME` means (the infrastructure's name, the cluster's id, globs; repeatable)"},
		&cli.BoolFlag{Name: "join", Usage: "take all inputs for one cluster, whatever they say of themselves"},
		&cli.StringSliceFlag{Name: "component", Usage: "analyse only components that `NAME` means (a name or part/component, globs; repeatable)"},
		&cli.StringSliceFlag{Name: "skip-component", Usage: "leave out components that `NAME` means (repeatable)"},
		&cli.StringFlag{Name: "correlation", Usage: "`HOW` a CR finds its template: fixed (all fields that the template states must agree), or nearest (else the nearest of its kind), which is the default for references in the annotations format"},
		&cli.StringFlag{Name: "diff-config", Aliases: []string{"c"}, Usage: "`FILE` with manual correlations of CRs and templates"},
		&cli.BoolFlag{Name: "interactive", Usage: "ask on the terminal which template to take where several fit a CR, and offer to save the answers as a diff config"},
		&cli.StringSliceFlag{Name: "overrides", Aliases: []string{"p"}, Usage: "`FILE` with accepted deviations (repeatable)"},
		&cli.StringFlag{Name: "override-reason", Usage: "with --output overrides, which needs it: `TEXT` that says why the deviations are accepted"},
		&cli.StringSliceFlag{Name: "override-for", Usage: "with --output overrides: accept only what differs from `TEMPLATE` (a path of the reference, or a glob; repeatable)"},
		&cli.StringFlag{Name: "override-expires", Usage: "with --output overrides: the last `DATE` on which the deviations are accepted, such as 2030-01-31"},
		&cli.BoolFlag{Name: "skip-unreadable", Usage: "take files and archives of the input that cannot be read, or only in part, as warnings; CRs that cannot be evaluated, limits and an interrupted run still make the exit status 2"},
		limitFlag(),
		&cli.BoolFlag{Name: "nested", Usage: "open archives inside the input's archives and folders even where these hold CRs of their own"},
		&cli.BoolFlag{Name: "no-scan", Hidden: true, Usage: "decode every document instead of scanning for identities: a check on the scanner"},
		&cli.BoolFlag{Name: "timings", Usage: "say on the error stream, at the end, where the run spent its time and memory"},
		&cli.StringSliceFlag{Name: "reference", Aliases: []string{"r"}, Usage: "`REFERENCE`, instead of the first argument"},
		&cli.StringSliceFlag{Name: "filename", Aliases: []string{"f"}, Usage: "`INPUT`, instead of arguments (repeatable, or separated by commas)"},
		&cli.BoolFlag{Name: "recursive", Aliases: []string{"R"}, Usage: "accepted for the sake of habit; folders are always read as a whole"},
	}
}

// settings are the options of a comparison, checked.
type settings struct {
	reference string
	inputs    []string
	format    string
	failOn    finding.FailOn
	text      text.Options
}

// compare is the main job.
func (p *program) compare(c *cli.Context) error {
	if c.NArg() == 0 && !c.IsSet("reference") && !c.IsSet("filename") {
		return p.usageError("a REFERENCE and an INPUT are needed")
	}
	s, err := p.settings(c)
	if err != nil {
		return err
	}
	p.timings = newTimings(c.Bool("timings"))
	defer p.timings.print(p.io.Err)
	reading := p.read(c, s.inputs)
	ref, engine, opt, err := p.sought(c, s)
	if err != nil {
		reading.abandon()
		return err
	}
	p.timings.done("load reference")
	clusters, err := reading.collect(compare.Wants(engine, opt).Trim)
	if err != nil {
		return err
	}
	p.timings.done("read input")
	var asked *dialogue
	if c.Bool("interactive") {
		asked = p.newDialogue(c, ref, s)
		opt.Choose = asked.choose
	}
	ctx := c.Context
	if slices.ContainsFunc(clusters, func(in gather.Collected) bool { return in.Stopped != "" }) {
		var cancel context.CancelFunc // what was read is compared, as far as that takes no time
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), gather.AfterInterrupt)
		defer cancel()
	}
	found := &finding.Report{Tool: tool(), Reference: finding.ReferenceOf(ref), FailOn: s.failOn, Passed: reading.passed}
	held := int64(0) // of the report
	for i, in := range clusters {
		opt.Memory = p.limits.comparing(held)
		run, _ := compare.Run(ctx, ref, engine, in, opt) // the run says itself where it was interrupted
		found.Runs = append(found.Runs, run)
		held += run.Held()
		clusters[i] = gather.Collected{} // what the report does not need is let go
	}
	if asked != nil {
		asked.save(c.String("diff-config"))
	}
	found.Conclude()
	p.timings.done("compare")
	err = p.report(c, found, s)
	p.timings.done("report")
	return err
}

// sought loads the reference, and what belongs to it.
func (p *program) sought(c *cli.Context, s settings) (*refconfig.Reference, *render.Engine, compare.Options, error) {
	ref, engine, err := p.loadReference(c.Context, s.reference, s.inputs)
	if err != nil {
		return nil, nil, compare.Options{}, err
	}
	opt, err := p.options(c, ref)
	if err != nil {
		return nil, nil, opt, err
	}
	if opt.Accept, err = p.accept(c, ref, s); err != nil {
		return nil, nil, opt, err
	}
	return ref, engine, opt, nil
}

// settings reads the options.
func (p *program) settings(c *cli.Context) (settings, error) {
	s := settings{format: c.String("output")}
	var err error
	if s.reference, s.inputs, err = p.sides(c, c.Args().Slice()); err != nil {
		return s, err
	}
	if err := p.checkShared(c, []string{"text", "json", "yaml", "overrides"}); err != nil {
		return s, err
	}
	if c.Int("context") < 0 {
		return s, p.usageError("--context is %d; it cannot be negative", c.Int("context"))
	}
	if s.failOn, err = finding.ParseFailOn(c.String("fail-on")); err != nil {
		return s, p.usageError("--fail-on: %s", err)
	}
	if err := p.checkInteractive(c, s.inputs); err != nil {
		return s, err
	}
	if p.limits, err = parseLimits(c.StringSlice("limit")); err != nil {
		return s, p.usageError("--limit: %s", err)
	}
	s.text = p.textOptions(c, p.io.Out)
	return s, p.checkOverrides(c, s.format)
}

// sides returns the reference and the inputs, which stand in arguments or in options.
func (p *program) sides(c *cli.Context, args []string) (reference string, inputs []string, err error) {
	inputs = args
	if refs := c.StringSlice("reference"); len(refs) > 0 {
		reference = refs[0]
		if len(refs) > 1 {
			return "", nil, p.usageError("one REFERENCE is needed and %d are given", len(refs))
		}
	} else if len(inputs) > 0 {
		reference, inputs = inputs[0], inputs[1:]
	}
	inputs = append(inputs, c.StringSlice("filename")...)
	switch {
	case reference == "":
		return "", nil, p.usageError("a REFERENCE is needed")
	case len(inputs) == 0:
		return "", nil, p.usageError("an INPUT is needed beside the reference %s", reference)
	}
	return reference, inputs, nil
}

// checkShared checks the options that commands have in common.
func (p *program) checkShared(c *cli.Context, formats []string) error {
	last := len(formats) - 1
	switch {
	case !slices.Contains(formats, c.String("output")):
		return p.usageError("--output is %q; it can be %s or %s", c.String("output"), strings.Join(formats[:last], ", "), formats[last])
	case !slices.Contains([]string{"auto", "always", "never"}, c.String("color")):
		return p.usageError("--color is %q; it can be auto, always or never", c.String("color"))
	case !slices.Contains([]string{"", "fixed", "nearest"}, c.String("correlation")):
		return p.usageError("--correlation is %q; it can be fixed or nearest", c.String("correlation"))
	case c.IsSet("width") && c.Int("width") < text.MinWidth:
		return p.usageError("--width is %d; at least %d columns are needed", c.Int("width"), text.MinWidth)
	}
	return nil
}

// textOptions are the options of a text that goes to a stream.
func (p *program) textOptions(c *cli.Context, stream io.Writer) text.Options {
	width := c.Int("width")
	if width == 0 {
		width = terminalWidth(stream)
	}
	if width == 0 {
		width = widthWhenPiped
	}
	return text.Options{
		Width: max(width, text.MinWidth), Color: p.colorWanted(c.String("color"), stream), Summary: c.Bool("summary"), Verbose: c.Bool("verbose"), Unified: c.Bool("unified"),
		ShowExpected: c.Bool("show-expected"), AllCandidates: c.Bool("all-candidates"), LongestLine: p.limits["line"], Command: p.name,
	}
}

// tool is what documents call this program.
func tool() finding.Tool { return finding.Tool{Name: finding.ToolName, Version: toolVersion()} }

// shown says what of each CR a format shows.
func (p *program) shown(c *cli.Context, format string) overlay.Show {
	show := overlay.Show{Secrets: c.Bool("show-secrets"), Expected: c.Bool("show-expected"), Context: c.Int("context"), Full: c.Bool("full")}
	switch format {
	case "text":
		show.NoValues, show.Lines, show.Longest = true, !c.Bool("summary"), cmp.Or(p.limits["line"], visible.DefaultLongest)
	case "overrides":
		show.NoValues, show.Secrets = true, false // a file that is kept
	default:
		show.Lines = show.Full
	}
	return show
}

// report prints what was found and settles the exit status.
func (p *program) report(c *cli.Context, found *finding.Report, s settings) error {
	p.status = found.ExitStatus
	err := p.write(func(w io.Writer) error {
		switch s.format {
		case "json":
			return document.JSON(w, found)
		case "yaml":
			return document.YAML(w, found)
		case "overrides":
			compare.AcceptTwins(found.Runs)
			p.tellUnwritten(found)
			return overrides.Write(w, found, p.overridesOptions(c))
		}
		return text.Report(w, found, s.text)
	})
	if isClosedPipe(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: the report could not be written: %w", code.OutputFailed, err)
	}
	return nil
}
