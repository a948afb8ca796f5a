package cli

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/inspect"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// inspectCommand is the command reference inspect.
func (p *program) inspectCommand() *command {
	o := &options{}
	return &command{
		name: references + " inspect", args: "REFERENCE", does: "show what a reference asks for, and what each template takes from the user",
		about: []string{
			"It shows the parts, the components and their rules, and of each template what it states of the CR's identity, which fields it takes from the CR, " +
				"whether these have to be there, what is expected without them, what they are held against, and where. A field is called computed where the " +
				"template does more with it than can be followed.",
		},
		terms:    [][2]string{referenceTerm()},
		examples: []string{"validationTool reference inspect reference"},
		exits:    []string{"it was shown", "", "bad usage, or a reference that does not load"},
		flags: o.referenceFlags("the tree", &cli.BoolFlag{Name: "show-nested", Category: often, Destination: &o.showNested,
			Usage: "show the named templates that each template calls, as a tree, with what they are called with"}),
		values: documentValues(), takes: func(a arrangement) bool { return len(a.rest) == 1 },
		run: func(c *cli.Context) error {
			return p.aboutReference(c, o, func(w io.Writer, ref *refconfig.Reference, engine *render.Engine) error {
				all := inspect.Of(ref, engine, inspect.Options{Nested: o.showNested})
				all.Tool = p.tool()
				if o.output == "json" {
					return inspect.JSON(w, all)
				}
				return all.Text(w)
			})
		},
	}
}

// needsCommand is the command reference needs.
func (p *program) needsCommand() *command {
	o := &options{}
	return &command{
		name: references + " needs", args: "REFERENCE", does: "list what has to be collected from a cluster, with commands that do it",
		about: []string{
			"It lists the kinds of CRs that the templates are for and that they look up, with the namespaces and names that are stated, and prints commands " +
				"for a shell, each on a line of its own: one compares a running cluster at once, the others collect. This tool itself talks to no cluster.",
		},
		terms:    [][2]string{referenceTerm()},
		examples: []string{"validationTool reference needs reference"},
		exits:    []string{"it was listed", "", "bad usage, or a reference that does not load"},
		flags:    o.referenceFlags("the list"), values: documentValues(), takes: func(a arrangement) bool { return len(a.rest) == 1 },
		run: func(c *cli.Context) error {
			return p.aboutReference(c, o, func(w io.Writer, ref *refconfig.Reference, engine *render.Engine) error {
				needs := inspect.NeedsOf(ref.Path, p.name, engine)
				needs.Tool = p.tool()
				if o.output == "json" {
					return inspect.JSON(w, needs)
				}
				return needs.Text(w)
			})
		},
	}
}

func referenceTerm() [2]string {
	return [2]string{"REFERENCE", "a folder with a metadata.yaml, a folder of CRs or annotated templates, or an archive"}
}

// referenceFlags are the options of commands that write about a reference, and some more.
func (o *options) referenceFlags(what string, more ...cli.Flag) []cli.Flag {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "output", Category: often, Aliases: []string{"o"}, Value: "text", Destination: &o.output, Usage: "`FORMAT` of " + what + ": text (the default) or json"},
	}, more...)
	for _, f := range o.compareFlags() {
		if f.Names()[0] == "limit" {
			flags = append(flags, f)
		}
	}
	return flags
}

// documentValues are what options of commands that write about a reference can be set to.
func documentValues() map[string][]string {
	return map[string][]string{"output": {"text", "json"}, "limit": sharedValues()["limit"]}
}

// aboutReference loads a reference and writes about it.
func (p *program) aboutReference(c *cli.Context, o *options, write func(io.Writer, *refconfig.Reference, *render.Engine) error) error {
	if c.NArg() != 1 {
		return p.usageError("one REFERENCE is needed, and %d are given", c.NArg())
	}
	o.reference = c.Args().First()
	if err := p.checkShared(c, o, documentValues()); err != nil {
		return err
	}
	var err error
	if o.limits, err = parseLimits(o.limitList.Value()); err != nil {
		return p.usageError("--limit: %s", err)
	}
	ref, engine, err := p.loadReference(c.Context, o)
	if err != nil {
		return err
	}
	err = p.write(func(w io.Writer) error { return write(w, ref, engine) })
	if isClosedPipe(err) {
		return nil
	}
	return err
}
