package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/watch"
)

// app returns the commands for the library, which itself prints nothing and never ends the process.
func (p *program) app() *cli.App {
	return &cli.App{
		Name: finding.ToolName, Commands: p.commands(), HideHelp: true, HideVersion: true,
		Writer: p.io.Out, ErrWriter: p.io.Err, ExitErrHandler: func(*cli.Context, error) {},
	}
}

// commands returns all commands. The first one is the default.
func (p *program) commands() []*cli.Command {
	return []*cli.Command{
		p.compareCommand(), p.explainMatchCommand(), p.reportCommand(), p.referenceCommand(), p.explainCommand(),
		p.functionsCommand(), p.schemaCommand(), p.completionCommand(),
		p.command(p.newOptions(), p.man, &cli.Command{Name: "man", Usage: "print the manual page; view it with man -l -"}),
		p.command(p.newOptions(), p.version, &cli.Command{
			Name: "version", Usage: "print the version, commit and build date",
		}),
		p.command(p.newOptions(), p.helpOn, &cli.Command{
			Name: "help", ArgsUsage: "[COMMAND...]", Usage: "show the help of a command", Hidden: true,
			BashComplete: completes(func() [][2]string { return described(p.commands()) }),
		}),
	}
}

// referenceCommand returns the commands for authors of references.
func (p *program) referenceCommand() *cli.Command {
	return p.command(p.newOptions(), p.noMember, &cli.Command{
		Name: "reference", ArgsUsage: "COMMAND ...", Usage: "check, generate, test and compare references",
		Description: "The exit status is that of the command, or 2 for bad usage.",
		Subcommands: []*cli.Command{
			p.lintCommand(), p.inspectCommand(), p.needsCommand(), p.renderCommand(), p.generateCommand(),
			p.testCommand(), p.refDiffCommand(), p.lspCommand(),
		},
	})
}

// noMember returns the usage error for `reference` without a command.
func (p *program) noMember(_ context.Context, o *options) error {
	var words []string
	for _, c := range p.referenceCommand().Subcommands {
		words = append(words, c.Name)
	}
	if len(o.args) == 0 {
		return p.usageError("reference needs a command: %s", code.Enumerate(words, "or"))
	}
	if meant := code.DidYouMean(o.args[0], words); meant != "" {
		return p.usageError("reference has no command %q%s", o.args[0], meant)
	}
	return p.usageError("there is no folder \"reference\" here, and %q is not a command of reference; the commands are %s",
		o.args[0], code.Enumerate(words, "and"))
}

// command completes a command with the options for help and a run that checks the options and keeps
// the limits of time and memory.
func (p *program) command(o *options, run func(context.Context, *options) error, c *cli.Command) *cli.Command {
	c.HideHelp = true
	if len(c.Flags) > 0 {
		c.Flags = append(c.Flags, &cli.BoolFlag{Name: "help-all", Category: often, Usage: "show this help with all options"})
	}
	c.Flags = append(c.Flags, &cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Category: often, Usage: "show this help"})
	c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return p.usageError("%s", err) }
	c.Action = func(at *cli.Context) error {
		o.args = at.Args().Slice()
		o.isSet = at.IsSet
		counts := c.Name == comparison || c.Name == explanation // these report missing arguments themselves
		if n := sides(o.args, o.isSet); len(c.Subcommands) == 0 && !counts && !takes(c, n) {
			return p.usageError("%s takes %s, but %s given",
				p.called, cmp.Or(c.ArgsUsage, "no arguments"), finding.Plural(n, "argument is", "arguments are"))
		}
		if err := o.Validate(); err != nil {
			return p.usageError("%s", err)
		}
		if o.reportDir != "" { // each of the inputs has limits of its own
			return p.compareEach(at.Context, o)
		}
		limits := watch.Limits{Time: p.limits.Time(), Memory: p.limits.Memory()}
		if o.endless {
			limits = watch.Limits{}
		}
		ctx, guard := watch.Start(at.Context, limits, p.exit)
		defer guard.Stop()
		p.watch = guard
		return run(ctx, o)
	}
	return c
}

// sides counts the arguments, including options that replace arguments.
func sides(args []string, isSet func(string) bool) int {
	n := len(args)
	for _, name := range []string{"reference", "filename"} {
		if isSet(name) {
			n++
		}
	}
	return n
}

// takes reports whether a command accepts n arguments: as many as its usage has words. A word with
// "..." accepts more, and a word in brackets is optional.
func takes(c *cli.Command, n int) bool {
	words := len(strings.Fields(c.ArgsUsage))
	return n == words || n > words && strings.Contains(c.ArgsUsage, "...") || strings.HasPrefix(c.ArgsUsage, "[")
}

// find returns the command, the words that select it, and its arguments. Words that name a command
// are paths if such files exist and the rest makes no sense for the command.
func (p *program) find(args []string) (c *cli.Command, named, rest []string) {
	all := p.commands()
	c = &cli.Command{Subcommands: all}
	n, paths := 0, true
	for n < len(args) && c.Command(args[n]) != nil {
		c = c.Command(args[n])
		paths = paths && isThere(args[n])
		n++
	}
	if n == 0 || paths && !fits(c, args[n:]) {
		return all[0], []string{all[0].Name}, args
	}
	return c, args[:n], args[n:]
}

// fits reports whether the arguments make sense for a command whose name is also a path.
func fits(c *cli.Command, args []string) bool {
	l, err := arrange(c.Flags, args)
	switch {
	case err != nil:
		return false
	case l.asked() != "":
		return true
	case c.Name == "report":
		return (len(l.args) > 0 || l.isSet("files-from")) && !slices.ContainsFunc(l.args, isNoDocument)
	case len(c.Subcommands) > 0:
		return false
	}
	known := argumentWords(c)
	isPath := func(arg string) bool {
		isKnown := slices.ContainsFunc(known, func(w [2]string) bool { return w[0] == arg })
		return (arg == "-" || isThere(arg)) && !isKnown
	}
	return takes(c, sides(l.args, l.isSet)) && (known == nil || !slices.ContainsFunc(l.args, isPath))
}

// line is the command line of a command, with its options before its arguments, as the library
// requires.
type line struct {
	options []string // options in the order of the command line, by their long names
	args    []string
	given   map[string]bool // values of the options, by their long names
}

func (l line) isSet(name string) bool { return l.given[name] }

// asked returns the option that requests a text about the tool instead of a run, or "".
func (l line) asked() string {
	for _, name := range []string{"help", "help-all", "version"} {
		if l.given[name] {
			return name
		}
	}
	return ""
}

// arrange moves all options before the arguments, because the last option may request help. The
// error is about the first option that is unknown, lacks its value, or is repeated wrongly.
func arrange(flags []cli.Flag, args []string) (l line, first error) {
	l.given = map[string]bool{}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			l.args = append(l.args, args...)
			args = nil
		case len(arg) < 2 || arg[0] != '-':
			l.args = append(l.args, arg)
		default:
			used, err := l.option(flags, arg, args)
			if first == nil {
				first = err
			}
			args = args[used:]
		}
	}
	return l, first
}

// option reads one word of options, which may hold several short ones, and returns how many of the
// following words are its value.
func (l *line) option(flags []cli.Flag, arg string, behind []string) (used int, err error) {
	word, value, assigned := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	dashes, letters := "-", strings.Split(word, "")
	unknown := func(letter string) bool { return flagOf(flags, letter) == nil }
	switch {
	case strings.HasPrefix(arg, "--"):
		dashes, letters = "--", []string{word}
	case !unknown(word) || slices.ContainsFunc(letters, unknown):
		letters = []string{word}
	}
	for i, name := range letters {
		f, last := flagOf(flags, name), i == len(letters)-1
		if f == nil {
			return 0, fmt.Errorf("unknown option %s%s%s", dashes, name, suggestOption(flags, dashes, name))
		}
		long := f.Names()[0]
		text := "true"
		switch {
		case l.given[long] && !isMany(f):
			return 0, fmt.Errorf("--%s takes one value, but is given more than once", long)
		case assigned && last:
			text = value
		case !valued(f):
		case !last || len(behind) == 0 || isOption(flags, behind[0]):
			return 0, fmt.Errorf("%s%s needs a value", dashes, name)
		default:
			text = behind[0]
			used = 1
		}
		l.given[long] = true
		l.options = append(l.options, "--"+long+"="+text)
	}
	return used, nil
}

// flagOf returns the option with a name, or nil.
func flagOf(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// isOption reports whether a word is an option or "--", and therefore not the value of an option.
func isOption(flags []cli.Flag, word string) bool {
	name, _, _ := strings.Cut(word, "=")
	name, dashed := strings.CutPrefix(name, "--")
	return dashed && (name == "" || flagOf(flags, name) != nil)
}

// suggestOption suggests the option with the nearest name.
func suggestOption(flags []cli.Flag, dashes, name string) string {
	var names []string
	for _, f := range flags {
		names = append(names, f.Names()[0])
	}
	if near := code.Nearest(name, names); near != "" {
		return "; did you mean --" + near + "?"
	}
	if f := flagOf(flags, name[:min(1, len(name))]); f != nil && valued(f) && dashes == "-" {
		return "; did you mean -" + name[:1] + " " + name[1:] + "?"
	}
	return ""
}

// suggestCommand suggests commands for a word in the place of a reference; "" if none is similar.
func (p *program) suggestCommand(word string) string {
	var meant []string
	for name, c := range walk(p.commands()) {
		if word == c.Name || code.Nearest(word, []string{c.Name}) != "" {
			meant = append(meant, strconv.Quote(name))
		}
	}
	if p.called != p.name || meant == nil {
		return ""
	}
	return "; did you mean the command " + code.Enumerate(meant, "or") + "?"
}

// usageError returns an error with the code for bad usage and a hint at --help.
func (p *program) usageError(format string, args ...any) error {
	return fmt.Errorf("%s: %s; see %s --help", code.Usage, fmt.Sprintf(format, args...), p.called)
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
