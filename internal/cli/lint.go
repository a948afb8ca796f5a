package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/lint"
	"github.com/validationtool/validationtool/internal/report/document"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/refconfig"
)

// lintCommand is the command reference lint.
func (p *program) lintCommand() *command {
	o := &options{}
	return &command{
		name: references + " lint", args: "REFERENCE", does: "say what is wrong with a reference, and what may not be what was meant",
		about: []string{
			"It finds everything that a comparison would refuse, all faults at once, and what would go unnoticed until an input comes that meets it. " +
				"Each finding is a line that begins with its place, as compilers print them, and ends with a code that explain tells more about.",
		},
		terms:    [][2]string{{"REFERENCE", "a folder with a metadata.yaml, a folder of CRs or annotated templates, or an archive"}},
		examples: []string{"validationTool reference lint --strict reference"},
		exits:    []string{"nothing is wrong; there may be warnings", "there are errors, or with --strict warnings", "bad usage, or something of the reference cannot be read"},
		flags:    o.lintFlags(), values: lintValues(), takes: func(a arrangement) bool { return len(a.rest) == 1 },
		run: func(c *cli.Context) error { return p.lint(c, o) },
	}
}

// lintFlags are the options of reference lint.
func (o *options) lintFlags() []cli.Flag {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "output", Category: often, Aliases: []string{"o"}, Value: "text", Destination: &o.output, Usage: "`FORMAT` of what is found: text (the default) or json"},
		&cli.BoolFlag{Name: "strict", Category: often, Destination: &o.strict, Usage: "let warnings make the exit status 1 as well"},
		&cli.BoolFlag{Name: "compatible", Category: often, Destination: &o.compatible, Usage: "warn of what kube-compare refuses or reads otherwise too"},
	}
	for _, f := range o.compareFlags() {
		if slices.Contains([]string{"color", "limit"}, f.Names()[0]) {
			flags = append(flags, f)
		}
	}
	return flags
}

// lintValues are what options of reference lint can be set to.
func lintValues() map[string][]string {
	values := sharedValues()
	values["output"] = []string{"text", "json"}
	return values
}

// lint says what is wrong with a reference.
func (p *program) lint(c *cli.Context, o *options) error {
	if c.NArg() != 1 {
		return p.usageError("one REFERENCE is needed, and %d are given", c.NArg())
	}
	o.reference = c.Args().First()
	if err := p.checkShared(c, o, lintValues()); err != nil {
		return err
	}
	var err error
	if o.limits, err = parseLimits(o.limitList.Value()); err != nil {
		return p.usageError("--limit: %s", err)
	}
	found, err := p.lintReference(c.Context, o)
	if err != nil {
		return err
	}
	found.Tool = p.tool()
	found.Conclude(o.strict)
	p.status = found.ExitStatus
	return p.printLint(o, found)
}

// lintReference reads a reference and says what is wrong with it.
func (p *program) lintReference(ctx context.Context, o *options) (*finding.Lint, error) {
	fsys, within, err := p.openReference(ctx, o)
	if err != nil {
		return nil, err
	}
	opt := o.loadOptions()
	opt.Unlisted = true
	ref, faults := refconfig.Load(fsys, within, opt)
	return lint.Reference(ref, lint.Options{Faults: faults, Compatible: o.compatible}), nil
}

// printLint prints what is wrong with a reference in the format that is asked for.
func (p *program) printLint(o *options, found *finding.Lint) error {
	err := p.write(func(w io.Writer) error {
		if o.output == "json" {
			return document.LintJSON(w, found)
		}
		return text.Lint(w, found, p.textOptions(o, p.io.Out))
	})
	if err != nil && !isClosedPipe(err) {
		return fmt.Errorf("%s: what was found could not be written: %w", code.OutputFailed, err)
	}
	return nil
}
