package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/inspect"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/values"
	"github.com/validationtool/validationtool/refconfig"
)

// inspectCommand is the command reference inspect.
func (p *program) inspectCommand() *command.Command {
	o := p.newOptions()
	var given string
	var stub bool
	return &command.Command{
		Name: references + " inspect", Args: "REFERENCE", Does: "show what a reference asks for, and what each template takes from the user",
		About: []string{
			"It shows the parts, the components and their rules, and of each template what it states of the CR's identity, which fields it takes from the CR, " +
				"whether these have to be there, what is expected without them, what they are held against, and where. A field is called computed where the " +
				"template does more with it than can be followed.",
		},
		Terms:    [][2]string{referenceTerm()},
		Examples: []string{"validationTool reference inspect reference", "validationTool reference inspect --values-stub reference"},
		Exits:    []string{"it was shown", "", "bad usage, or a reference that does not load"},
		Options: func() []command.Option {
			return o.referenceOptions("the tree", command.Option{Name: "show-nested", Category: command.Often, Into: &o.showNested,
				Usage: "show the named templates that each template calls, as a tree, with what they are called with"},
				command.Option{Name: "values", Category: command.Often, Into: &given, Usage: "mark what a `FILE` of values gives, for " + references + " render, and which mandatory fields it does not"},
				command.Option{Name: "values-stub", Category: command.Often, Into: &stub, Usage: "print a file of values instead, with every mandatory one open and every default filled in"})
		},
		Takes: func(l command.Line) bool { return len(l.Args) == 1 },
		Run: func(ctx context.Context, l command.Line) error {
			if stub && (given != "" || o.output == "json") {
				return p.usageError("--values-stub prints a file of values, and goes with neither --values nor --output json")
			}
			return p.inspect(ctx, l, o, given, stub)
		},
	}
}

// inspect shows what a reference asks for, and what of it a file of values gives; or the stub of such a file.
func (p *program) inspect(ctx context.Context, l command.Line, o *options, given string, stub bool) error {
	ref, engine, err := p.loadOneReference(ctx, l, o)
	if err != nil {
		return err
	}
	all := inspect.Of(ctx, ref, engine, inspect.Options{Nested: o.showNested})
	all.Tool = p.tool()
	if given != "" {
		file, err := readValues(given, o.limits, engine)
		if err != nil {
			return err
		}
		values.MarkGiven(ctx, all, ref, engine, file)
	}
	if stub {
		return p.answer(ctx, o, "the answer", all, all.Stub)
	}
	return p.answer(ctx, o, "the answer", all, all.Text)
}

// needsCommand is the command reference needs.
func (p *program) needsCommand() *command.Command {
	o := p.newOptions()
	return &command.Command{
		Name: references + " needs", Args: "REFERENCE", Does: "list what has to be collected from a cluster, with commands that do it",
		About: []string{
			"It lists the kinds of CRs that the templates are for and that they look up, with the namespaces and names that are stated, and prints commands " +
				"for a shell, each on a line of its own: one compares a running cluster at once, the others collect. This tool itself talks to no cluster.",
		},
		Terms:    [][2]string{referenceTerm()},
		Examples: []string{"validationTool reference needs reference"},
		Exits:    []string{"it was listed", "", "bad usage, or a reference that does not load"},
		Options:  func() []command.Option { return o.referenceOptions("the list") }, Takes: func(l command.Line) bool { return len(l.Args) == 1 },
		Run: func(ctx context.Context, l command.Line) error {
			ref, engine, err := p.loadOneReference(ctx, l, o)
			if err != nil {
				return err
			}
			needs := inspect.NeedsOf(ctx, ref.Path, p.name, engine)
			needs.Tool = p.tool()
			return p.answer(ctx, o, "the answer", needs, needs.Text)
		},
	}
}

func referenceTerm() [2]string {
	return [2]string{"REFERENCE", "a folder with a metadata.yaml, a folder of CRs or annotated templates, or an archive"}
}

// referenceOptions are the options of commands that write about a reference, and some more.
func (o *options) referenceOptions(what string, more ...command.Option) []command.Option {
	return slices.Concat([]command.Option{o.formatOption(what, "text", "json")}, more, o.shared("limit"))
}

// formatOption is the option that says how a command writes what it has to say: as text, or in one of the other formats.
func (o *options) formatOption(what string, formats ...string) command.Option {
	named := strings.Replace(code.Enumerate(formats, "or"), "text", "text (the default)", 1)
	return command.Option{Name: "output", Short: "o", Category: command.Often, Values: formats, Into: &o.output, Usage: "`FORMAT` of " + what + ": " + named}
}

// oneReference takes in the one argument of a command, which is a reference.
func (p *program) oneReference(l command.Line, o *options) error {
	if len(l.Args) != 1 {
		return p.usageError("one REFERENCE is needed, and %d are given", len(l.Args))
	}
	o.reference = l.Args[0]
	return nil
}

// loadOneReference loads the reference that is the one argument of a command.
func (p *program) loadOneReference(ctx context.Context, l command.Line, o *options) (*refconfig.Reference, *render.Engine, error) {
	if err := p.oneReference(l, o); err != nil {
		return nil, nil, err
	}
	return p.loadReference(ctx, o)
}
