package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/inspect"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/values"
	"github.com/validationtool/validationtool/refconfig"
)

// referenceTerm is the help about the argument REFERENCE.
const referenceTerm = `  REFERENCE  folder with metadata.yaml, folder of CRs or templates, or archive`

// inspectOptions are the options of reference inspect.
type inspectOptions struct {
	*options
	values     string // the name of a values file
	stub       bool   // print a stub of a values file
	schema     bool   // print a JSON schema of a values file
	showNested bool
}

// inspectCommand returns the command reference inspect.
func (p *program) inspectCommand() *cli.Command {
	o := &inspectOptions{options: p.newOptions()}
	return p.command(o.options, func(ctx context.Context, _ *options) error { return p.inspect(ctx, o) }, &cli.Command{
		Name: "inspect", ArgsUsage: "REFERENCE", Usage: "show what a reference requires and leaves open",
		Description: `It shows the parts, components and rules. For each template it shows the fixed
fields of the CR's identity and the fields that it takes from the CR: whether
they are mandatory, their defaults, checks and locations. A field is "computed"
if the template uses it in a way that cannot be analysed.

` + referenceTerm + `

Examples:
  validationTool reference inspect reference
  validationTool reference inspect --values-stub reference

Exit status:
  0  the reference was shown
  2  bad usage, or an invalid reference`,
		Flags: append(
			o.flags("component", "skip-component", "limit"), o.formatFlag("the tree", "text", "json"),
			&cli.BoolFlag{
				Name: "show-nested", Category: often, Destination: &o.showNested,
				Usage: "show the tree of named templates that each template calls, with their arguments",
			},
			&cli.StringFlag{
				Name: "values", Category: often, Destination: &o.values,
				Usage: "mark the fields that the values in `FILE` set, and mandatory fields that they lack; FILE is as for reference render",
			},
			&cli.GenericFlag{
				Name: "crds", Category: often, Value: list(&o.crds),
				Usage: "add types, allowed values and descriptions from the CustomResourceDefinitions or OpenAPI v3 documents in `PATH` (repeatable)",
			},
			&cli.BoolFlag{
				Name: "values-stub", Category: often, Destination: &o.stub,
				Usage: "print a values file with all defaults filled in and mandatory values open",
			},
			&cli.BoolFlag{
				Name: "values-schema", Category: often, Destination: &o.schema,
				Usage: "print a JSON schema of such a file instead, for editors",
			},
		),
	})
}

// inspect prints what a reference leaves to its users, with the values of a values file, or prints
// a stub of such a file.
func (p *program) inspect(ctx context.Context, o *inspectOptions) error {
	if (o.stub || o.schema) && (o.values != "" || o.format == "json") || o.stub && o.schema {
		return p.usageError("--values-stub and --values-schema cannot be combined with each other, --values or --output json")
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
	schemas, doubts, err := p.readSchemas(ctx, o.options, o.crds, nil)
	if err != nil {
		return err
	}
	for _, problem := range doubts {
		p.notice(problem.Code, problem.Error())
	}
	all.Describe(schemas)
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
		Name: "needs", ArgsUsage: "REFERENCE", Usage: "list the CRs to collect from a cluster, with commands",
		Description: `It lists the kinds, namespaces and names of CRs that the templates match or
look up, and prints shell commands, each on one line: one compares a running
cluster directly, the others collect. This tool itself connects to no cluster.

` + referenceTerm + `

Examples:
  validationTool reference needs reference

Exit status:
  0  the CRs were listed
  2  bad usage, or an invalid reference`,
		Flags: append(o.flags("limit"), o.formatFlag("the list", "text", "json")),
	})
}

// needs lists what must be collected for a reference.
func (p *program) needs(ctx context.Context, o *options) error {
	ref, engine, err := p.loadOneReference(ctx, o)
	if err != nil {
		return err
	}
	needs := inspect.NeedsOf(ctx, ref.Path, p.name, engine)
	needs.Tool = p.tool()
	return p.answer(ctx, o, "the answer", needs, needs.Text)
}

// loadOneReference loads the reference of a command with one argument.
func (p *program) loadOneReference(ctx context.Context, o *options) (*refconfig.Reference, *render.Engine, error) {
	o.reference = o.args[0]
	return p.loadReference(ctx, o)
}
