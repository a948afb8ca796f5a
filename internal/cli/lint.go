package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/lint"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/report/text"
)

// lintOptions are the options of reference lint.
type lintOptions struct {
	*options
	strict bool // warnings make the command fail
	lint.Options
}

// lintCommand returns the command reference lint.
func (p *program) lintCommand() *cli.Command {
	o := &lintOptions{options: p.newOptions()}
	return p.command(o.options, func(ctx context.Context, _ *options) error { return p.lint(ctx, o) }, &cli.Command{
		Name: "lint", ArgsUsage: "REFERENCE...", Usage: "report errors and likely mistakes in references",
		Description: `It reports all errors that would stop a comparison, and mistakes that a
comparison may not show. Each line starts with the location, as compilers print
it, and ends with a code; the command explain explains it. With --baseline, only
new findings are listed and fail. Of several references, the worst exit status
counts.

` + referenceTerm + `

Examples:
  validationTool reference lint --strict reference

Exit status:
  0  no errors, or no new ones; there may be warnings
  1  errors, or warnings with --strict
  2  bad usage, or a part of the reference cannot be read`,
		Flags: append(
			o.flags("color", "limit"), o.formatFlag("the findings", "text", "json", "sarif", "github", "gitlab"),
			&cli.BoolFlag{
				Name: "strict", Category: often, Destination: &o.strict,
				Usage: "exit with status 1 for warnings too",
			},
			&cli.BoolFlag{
				Name: "compatible", Category: often, Destination: &o.Compatible,
				Usage: "warn about what kube-compare does not support or reads differently",
			},
			&cli.GenericFlag{
				Name: "crds", Category: often, Value: list(&o.crds),
				Usage: "check templates against the CustomResourceDefinitions or OpenAPI v3 documents in `PATH`, a file, a folder or a support archive (repeatable)",
			},
			&cli.GenericFlag{
				Name: "overrides", Aliases: []string{"p"}, Category: often, Value: list(&o.overrides),
				Usage: "with --crds, check the fields of the overrides in `FILE` too (repeatable)",
			},
			&cli.StringFlag{
				Name: "baseline", Category: often, Destination: &o.baselineFile,
				Usage: "ignore the findings in `FILE`, an earlier --output json",
			},
		),
	})
}

// lint reports problems of references. A reference that cannot be opened does not affect the
// others.
func (p *program) lint(ctx context.Context, o *lintOptions) error {
	known, err := o.knownFlaws()
	if err != nil {
		return err
	}
	if len(o.overrides) > 0 && len(o.crds) == 0 {
		return p.usageError("--overrides needs --crds, the schemas to check the overrides with")
	}
	if o.Schemas, o.Doubts, err = p.readSchemas(ctx, o.options, o.crds, nil); err != nil {
		return err
	}
	overrides, odd, err := readOverrides(o.overrides, o.limits)
	if err != nil {
		return err
	}
	o.Overrides, o.Doubts = overrides, append(o.Doubts, odd...)
	var all []*lint.Document
	var unread []error
	for _, o.reference = range o.args {
		found, err := p.lintReference(ctx, o)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		all = append(all, found)
		o.Doubts, o.Overrides = nil, nil // report them only once
	}
	if len(all) == 0 {
		return errors.Join(unread...)
	}
	found := lint.Merge(all)
	if known != nil {
		found.Mark(o.baselineFile, known)
	}
	found.Tool = p.tool()
	if found.Conclude(o.strict); len(unread) > 0 {
		found.ExitStatus = 2
	}
	p.status = found.ExitStatus
	return errors.Join(append(unread, p.writeLint(ctx, o, found))...)
}

// knownFlaws reads the document of --baseline, nil without one.
func (o *lintOptions) knownFlaws() (*lint.Document, error) {
	if o.baselineFile == "" {
		return nil, nil
	}
	var known *lint.Document
	text, err := readWritten(o.baselineFile, o.limits)
	if err == nil {
		known, err = lint.Parse(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", code.BaselineBroken, o.baselineFile, err)
	}
	return known, nil
}

// writeLint writes the problems in the chosen format.
func (p *program) writeLint(ctx context.Context, o *lintOptions, found *lint.Document) error {
	return p.answer(ctx, o.options, "what was found", found, func(w io.Writer) error {
		switch o.format {
		case "sarif":
			return formats.SARIFLint(w, found, workingFolder())
		case "github":
			return formats.GitHubLint(w, found, workingFolder())
		case "gitlab":
			return formats.GitLabLint(w, found, workingFolder())
		}
		return text.Lint(w, found, p.textOptions(o.options, p.io.Out))
	})
}

// lintReference loads a reference and reports its problems.
func (p *program) lintReference(ctx context.Context, o *lintOptions) (*lint.Document, error) {
	fsys, within, err := p.openReference(ctx, o.options)
	if err != nil {
		return nil, err
	}
	opt := o.loadOptions(ctx)
	opt.Unlisted = true
	ref, faults := loadAny(fsys, within, opt)
	o.Faults = faults
	return lint.Reference(ctx, ref, o.Options), nil
}
