package cli

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/author/values"
	"github.com/validationtool/validationtool/refconfig"
)

// referenceTerm is the help about the argument REFERENCE.
const referenceTerm = `  REFERENCE  folder with metadata.yaml, folder of CRs or templates, or archive`

// inspectOptions are the options of inspect.
type inspectOptions struct {
	base
	selection
	format     string
	crds       []string
	values     string // the name of a values file
	stub       bool   // print a stub of a values file
	schema     bool   // print a JSON schema of a values file
	showNested bool
}

// inspectCommand returns the command inspect.
func (p *program) inspectCommand() *cli.Command {
	o := &inspectOptions{}
	return command(p, o, p.inspect, &cli.Command{
		ArgsUsage: "REFERENCE", Usage: "show what a reference requires and leaves open",
		Description: `It shows the parts, components and rules. For each template it shows the fixed
fields of the CR's identity and the fields that it takes from the CR: whether
they are mandatory, their defaults, checks and locations. A field is "computed"
if the template uses it in a way that cannot be analysed.

` + referenceTerm + `

Examples:
  validationTool inspect reference
  validationTool inspect --values-stub reference

Exit status:
  0  the reference was shown
  2  bad usage, or an invalid reference; its sound templates are shown`,
		Flags: append(
			o.selection.flags(), p.linksFlag(), p.limitFlag(), formatFlag(&o.format, "the tree", "text", "json"),
			toggle("show-nested n", often, &o.showNested,
				"show the tree of named templates that each template calls, with their arguments"),
			option("values", often, one(&o.values),
				"mark the fields that the values in `FILE` set, and mandatory fields that they lack; FILE is as for render"),
			option("crds", often, list(&o.crds),
				"add types, allowed values and descriptions from the CustomResourceDefinitions or OpenAPI v3 documents in `PATH` (repeatable)"),
			toggle("values-stub", often, &o.stub,
				"print a values file with all defaults filled in and mandatory values open"),
			toggle("values-schema", often, &o.schema,
				"print a JSON schema of such a file instead, for editors"),
		),
	})
}

// Validate implements options.
func (o *inspectOptions) Validate(args []string) error {
	if (o.stub || o.schema) && (o.values != "" || o.format == "json") || o.stub && o.schema {
		return errors.New("--values-stub and --values-schema cannot be combined with each other, --values or --output json")
	}
	return o.base.Validate(args)
}

// inspect prints what a reference requires and leaves open, with the values of a values file. With
// other options it prints a stub or a JSON schema of such a file.
func (p *program) inspect(ctx context.Context, o *inspectOptions) error {
	ref, engine, err := p.loadSound(ctx, o.args[0])
	faults, isTree := refconfig.Faults{}, !o.stub && !o.schema && o.values == ""
	isFaulty := errors.As(err, &faults)
	if err != nil && (!isFaulty || !isTree || len(engine.Templates())+len(engine.Partial()) == 0) {
		return err
	}
	keep, _, err := o.selected(ref)
	if err != nil {
		return err
	}
	all := inspect.Of(ctx, ref, engine, inspect.Options{Nested: o.showNested, Keep: keep})
	all.Tool = p.tool()
	schemas, doubts, err := p.readSchemas(ctx, o.crds, nil)
	if err != nil {
		return err
	}
	for _, problem := range doubts {
		p.notice(problem.Code, problem.Error())
	}
	all.Describe(schemas)
	if o.values != "" {
		file, err := p.readValues(ctx, o.values, engine)
		if err != nil {
			return err
		}
		values.MarkGiven(ctx, all, ref, engine, file)
	}
	all.Join()
	write := all.Text
	switch {
	case o.schema:
		write = all.ValuesSchema
	case o.stub:
		write = all.Stub
	}
	err = p.answer(ctx, o.format, "the answer", all, write)
	if isFaulty {
		faults.What = "the reference cannot be used, and only what is sound of it is shown"
		err = errors.Join(err, faults)
	}
	return err
}

// needsOptions are the options of needs.
type needsOptions struct {
	base
	format string
}

// needsCommand returns the command needs.
func (p *program) needsCommand() *cli.Command {
	o := &needsOptions{}
	return command(p, o, p.needs, &cli.Command{
		ArgsUsage: "REFERENCE", Usage: "list the CRs to collect from a cluster, with commands",
		Description: `It lists the kinds, namespaces and names of CRs that the templates match or
look up, and prints shell commands, each on one line: one compares a running
cluster directly, the others collect. This tool itself connects to no cluster.

` + referenceTerm + `

Examples:
  validationTool needs reference
  validationTool needs --output script reference

Exit status:
  0  the CRs were listed
  2  bad usage, or an invalid reference`,
		Flags: []cli.Flag{p.limitFlag(), formatFlag(&o.format, "the list", "text", "json", "script")},
	})
}

// needs lists the CRs that must be collected for a reference.
func (p *program) needs(ctx context.Context, o *needsOptions) error {
	ref, engine, err := p.loadReference(ctx, o.args[0])
	if err != nil {
		return err
	}
	needs := inspect.NeedsOf(ctx, ref, p.name, engine)
	needs.Tool = p.tool()
	asText := needs.Text
	if o.format == "script" {
		asText = needs.Script
	}
	return p.answer(ctx, o.format, "the answer", needs, asText)
}
