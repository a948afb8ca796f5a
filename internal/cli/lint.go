package cli

import (
	"context"
	"io"
	"slices"

	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/lint"
	"github.com/validationtool/validationtool/internal/reference"
	"github.com/validationtool/validationtool/internal/report/listing"
	"github.com/validationtool/validationtool/internal/report/sarif"
	"github.com/validationtool/validationtool/internal/report/text"
)

// lintCommand is the command reference lint.
func (p *program) lintCommand() *command.Command {
	o := p.newOptions()
	return &command.Command{
		Name: references + " lint", Args: "REFERENCE", Does: "say what is wrong with a reference, and what may not be what was meant",
		About: []string{
			"It finds everything that a comparison would refuse, all faults at once, and what would go unnoticed until an input comes that meets it. " +
				"Each finding is a line that begins with its place, as compilers print them, and ends with a code that explain tells more about.",
		},
		Terms:    [][2]string{referenceTerm()},
		Examples: []string{"validationTool reference lint --strict reference"},
		Exits:    []string{"nothing is wrong; there may be warnings", "there are errors, or with --strict warnings", "bad usage, or something of the reference cannot be read"},
		Options: func() []command.Option {
			return slices.Concat([]command.Option{
				o.formatOption("what is found", "text", "json", "sarif", "github"),
				{Name: "strict", Category: command.Often, Into: &o.strict, Usage: "let warnings make the exit status 1 as well"},
				{Name: "compatible", Category: command.Often, Into: &o.compatible, Usage: "warn of what kube-compare refuses or reads otherwise too"},
			}, o.shared("color", "limit"))
		},
		Takes: func(l command.Line) bool { return len(l.Args) == 1 },
		Run:   func(ctx context.Context, l command.Line) error { return p.lint(ctx, l, o) },
	}
}

// lint says what is wrong with a reference.
func (p *program) lint(ctx context.Context, l command.Line, o *options) error {
	if err := p.oneReference(l, o); err != nil {
		return err
	}
	found, err := p.lintReference(ctx, o)
	if err != nil {
		return err
	}
	found.Tool = p.tool()
	found.Conclude(o.strict)
	p.status = found.ExitStatus
	return p.answer(ctx, o, "what was found", found, func(w io.Writer) error {
		switch o.output {
		case "sarif":
			return sarif.Lint(w, found, workingFolder())
		case "github":
			return listing.GitHubLint(w, found, workingFolder())
		}
		return text.Lint(w, found, p.textOptions(o, p.io.Out))
	})
}

// lintReference reads a reference and says what is wrong with it.
func (p *program) lintReference(ctx context.Context, o *options) (*lint.Document, error) {
	fsys, within, err := p.openReference(ctx, o)
	if err != nil {
		return nil, err
	}
	opt := o.loadOptions(ctx)
	opt.Unlisted = true
	ref, faults := reference.Load(fsys, within, opt)
	return lint.Reference(ctx, ref, lint.Options{Faults: faults, Compatible: o.compatible}), nil
}
