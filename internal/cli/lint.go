package cli

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/lint"
	"github.com/validationtool/validationtool/internal/report/listing"
	"github.com/validationtool/validationtool/internal/report/sarif"
	"github.com/validationtool/validationtool/internal/report/text"
)

// lintOptions are what reference lint is asked for.
type lintOptions struct {
	*options
	strict     bool // warnings count
	compatible bool // what a peer reads otherwise is warned of
	crds       []string
}

// lintCommand returns the command reference lint.
func (p *program) lintCommand() *cli.Command {
	o := &lintOptions{options: p.newOptions()}
	return p.command(o.options, func(ctx context.Context, _ *options) error { return p.lint(ctx, o) }, &cli.Command{
		Name: "lint", ArgsUsage: "REFERENCE", Usage: "say what is wrong with a reference, and what may not be what was meant",
		Description: `It finds everything that a comparison would refuse, all faults at once, and what would go
unnoticed until an input comes that meets it. Each finding is a line that begins with its place, as
compilers print them, and ends with a code that explain tells more about.

` + referenceTerm + `

Examples:
  validationTool reference lint --strict reference
  validationTool reference lint --crds must-gather.tar.gz reference

Exit status:
  0  nothing is wrong; there may be warnings
  1  there are errors, or with --strict warnings
  2  bad usage, or something of the reference cannot be read`,
		Flags: append(
			o.flags("color", "limit"), o.formatFlag("what is found", "text", "json", "sarif", "github"),
			&cli.BoolFlag{
				Name: "strict", Category: often, Destination: &o.strict,
				Usage: "let warnings make the exit status 1 as well",
			},
			&cli.BoolFlag{
				Name: "compatible", Category: often, Destination: &o.compatible,
				Usage: "warn of what kube-compare refuses or reads otherwise too",
			},
			&cli.GenericFlag{
				Name: "crds", Category: often, Value: list(&o.crds),
				Usage: "hold what templates state and read against the CustomResourceDefinitions in `PATH`, a file, a folder or a support archive, or OpenAPI v3 documents (repeatable)",
			},
		),
	})
}

// lint says what is wrong with a reference.
func (p *program) lint(ctx context.Context, o *lintOptions) error {
	o.reference = o.args[0]
	found, err := p.lintReference(ctx, o)
	if err != nil {
		return err
	}
	found.Tool = p.tool()
	found.Conclude(o.strict)
	p.status = found.ExitStatus
	return p.answer(ctx, o.options, "what was found", found, func(w io.Writer) error {
		switch o.format {
		case "sarif":
			return sarif.Lint(w, found, workingFolder())
		case "github":
			return listing.GitHubLint(w, found, workingFolder())
		}
		return text.Lint(w, found, p.textOptions(o.options, p.io.Out))
	})
}

// lintReference reads a reference and says what is wrong with it.
func (p *program) lintReference(ctx context.Context, o *lintOptions) (*lint.Document, error) {
	fsys, within, err := p.openReference(ctx, o.options)
	if err != nil {
		return nil, err
	}
	opt := o.loadOptions(ctx)
	opt.Unlisted = true
	ref, faults := loadAny(fsys, within, opt)
	lintOpt := lint.Options{Faults: faults, Compatible: o.compatible}
	if len(o.crds) > 0 {
		if lintOpt.Schemas, lintOpt.Doubts, err = p.readSchemas(ctx, o.options, o.crds); err != nil {
			return nil, err
		}
	}
	return lint.Reference(ctx, ref, lintOpt), nil
}
