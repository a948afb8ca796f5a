package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/inspect"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/values"
	"github.com/validationtool/validationtool/refconfig"
)

// referenceTerm says what a REFERENCE is.
const referenceTerm = `  REFERENCE  a folder with a metadata.yaml, a folder of CRs or annotated templates, or an
             archive`

// inspectOptions are what reference inspect is asked for.
type inspectOptions struct {
	*options
	values     string // the name of a file of them
	stub       bool   // print a file of values
	schema     bool   // print a JSON schema of one
	showNested bool
}

// inspectCommand returns the command reference inspect.
func (p *program) inspectCommand() *cli.Command {
	o := &inspectOptions{options: p.newOptions()}
	return p.command(o.options, func(ctx context.Context, _ *options) error { return p.inspect(ctx, o) }, &cli.Command{
		Name: "inspect", ArgsUsage: "REFERENCE", Usage: "show what a reference asks for, and what each template takes from the user",
		Description: `It shows the parts, the components and their rules, and of each template what it states of the
CR's identity, which fields it takes from the CR, whether these have to be there, what is expected
without them, what they are held against, and where. A field is called computed where the template
does more with it than can be followed.

` + referenceTerm + `

Examples:
  validationTool reference inspect reference
  validationTool reference inspect --values-stub reference

Exit status:
  0  it was shown
  2  bad usage, or a reference that does not load`,
		Flags: append(
			o.flags("component", "skip-component", "limit"), o.formatFlag("the tree", "text", "json"),
			&cli.BoolFlag{
				Name: "show-nested", Category: often, Destination: &o.showNested,
				Usage: "show the named templates that each template calls, as a tree, with what they are called with",
			},
			&cli.StringFlag{
				Name: "values", Category: often, Destination: &o.values,
				Usage: "mark what a `FILE` of values gives, for reference render, and which mandatory fields it does not",
			},
			&cli.BoolFlag{
				Name: "values-stub", Category: often, Destination: &o.stub,
				Usage: "print a file of values instead, with every mandatory one open and every default filled in",
			},
			&cli.BoolFlag{
				Name: "values-schema", Category: often, Destination: &o.schema,
				Usage: "print a JSON schema of such a file instead, for editors",
			},
		),
	})
}

// inspect shows what a reference asks for, and what of it a file of values gives; or the stub of
// such a file.
func (p *program) inspect(ctx context.Context, o *inspectOptions) error {
	if (o.stub || o.schema) && (o.values != "" || o.format == "json") || o.stub && o.schema {
		return p.usageError("--values-stub and --values-schema print a file, and go neither with each other nor with --values or --output json")
	}
	ref, engine, err := p.loadOneReference(ctx, o.options)
	if err != nil {
		return err
	}
	keep, _, err := o.selected(ref)
	if err != nil {
		return err
	}
	all := inspect.Of(ctx, ref, engine, inspect.Options{Nested: o.showNested, Keep: keep})
	all.Tool = p.tool()
	if o.values != "" {
		file, err := readValues(o.values, o.limits, engine)
		if err != nil {
			return err
		}
		values.MarkGiven(ctx, all, ref, engine, file)
	}
	if o.schema {
		return p.answer(ctx, o.options, "the schema", all, all.ValuesSchema)
	}
	if o.stub {
		return p.answer(ctx, o.options, "the answer", all, all.Stub)
	}
	return p.answer(ctx, o.options, "the answer", all, all.Text)
}

// needsCommand returns the command reference needs.
func (p *program) needsCommand() *cli.Command {
	o := p.newOptions()
	return p.command(o, p.needs, &cli.Command{
		Name: "needs", ArgsUsage: "REFERENCE", Usage: "list what has to be collected from a cluster, with commands that do it",
		Description: `It lists the kinds of CRs that the templates are for and that they look up, with the namespaces
and names that are stated, and prints commands for a shell, each on a line of its own: one compares
a running cluster at once, the others collect. This tool itself talks to no cluster.

` + referenceTerm + `

Examples:
  validationTool reference needs reference

Exit status:
  0  it was listed
  2  bad usage, or a reference that does not load`,
		Flags: append(o.flags("limit"), o.formatFlag("the list", "text", "json")),
	})
}

// needs lists what has to be collected for a reference.
func (p *program) needs(ctx context.Context, o *options) error {
	ref, engine, err := p.loadOneReference(ctx, o)
	if err != nil {
		return err
	}
	needs := inspect.NeedsOf(ctx, ref.Path, p.name, engine)
	needs.Tool = p.tool()
	return p.answer(ctx, o, "the answer", needs, needs.Text)
}

// loadOneReference loads the reference that is the one argument of a command.
func (p *program) loadOneReference(ctx context.Context, o *options) (*refconfig.Reference, *render.Engine, error) {
	o.reference = o.args[0]
	return p.loadReference(ctx, o)
}
