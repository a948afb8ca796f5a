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

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
)

// app returns an application with commands for the library urfave/cli. The library itself prints nothing and never ends
// the process.
func (p *program) app(all []*cli.Command) *cli.App {
	return &cli.App{
		Name: finding.ToolName, Commands: all, HideHelp: true, HideVersion: true,
		Writer: p.io.Out, ErrWriter: p.io.Err, ExitErrHandler: func(*cli.Context, error) {},
	}
}

// The groups of commands in help.
const (
	ofComparisons = "of comparisons"
	ofReports     = "of reports"
	ofReferences  = "of references"
	ofTool        = "of the tool"
)

// commands returns all commands, or those with some names. The first one is the default.
func (p *program) commands(names ...string) (all []*cli.Command) {
	for _, one := range []struct {
		name, group string
		define      func() *cli.Command
	}{
		{comparison, ofComparisons, p.compareCommand},
		{explanation, ofComparisons, p.explainMatchCommand},
		{"browse", ofReports, p.browseCommand},
		{"report", ofReports, p.reportCommand},
		{"diff", ofReports, p.diffCommand},
		{"lint", ofReferences, p.lintCommand},
		{"inspect", ofReferences, p.inspectCommand},
		{"needs", ofReferences, p.needsCommand},
		{"render", ofReferences, p.renderCommand},
		{"generate", ofReferences, p.generateCommand},
		{"test", ofReferences, p.testCommand},
		{"lsp", ofReferences, p.lspCommand},
		{"functions", ofReferences, p.functionsCommand},
		{"explain", ofTool, p.explainCommand},
		{"docs", ofTool, p.docsCommand},
		{"schema", ofTool, p.schemaCommand},
		{"completion", ofTool, p.completionCommand},
		{"man", ofTool, p.manCommand},
		{"version", ofTool, p.versionCommand},
		{"help", ofTool, p.helpCommand},
	} {
		if names == nil || slices.Contains(names, one.name) {
			c := one.define()
			c.Name, c.HelpName, c.Category = one.name, one.name, one.group
			all = append(all, c)
		}
	}
	return all
}

// possible returns the commands that a command line can name: one and the default, or all where the
// first word alone does not tell.
func (p *program) possible(words []string) []*cli.Command {
	if len(words) == 0 || strings.HasPrefix(words[0], "-") || words[0] == "reference" || words[0] == "report" {
		return p.commands()
	}
	return p.commands(comparison, words[0])
}

// options are the options of a command.
type options interface {
	// Validate takes the arguments. It returns an error if arguments and options do not make sense
	// together.
	Validate(args []string) error
	// unlimited reports whether the command itself limits the time and memory of its parts.
	unlimited() bool
}

// base has the arguments and options that every command has.
type base struct {
	args    []string
	endless bool // see options.unlimited
}

// Validate implements options.
func (b *base) Validate(args []string) error {
	b.args = args
	return nil
}

func (b *base) unlimited() bool { return b.endless }

// command completes a command with the options for help, and with an action that validates the
// options and runs it within the limits of time and memory.
func command[O options](p *program, o O, run func(context.Context, O) error, c *cli.Command) *cli.Command {
	c.HideHelp = true
	if len(c.Flags) > 0 {
		c.Flags = append(c.Flags, toggle("help-all", often, new(bool),
			"show this help with all options"))
	}
	c.Flags = append(c.Flags, toggle("help h", often, new(bool),
		"show this help"))
	c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return p.usageError("%s", err) }
	c.Action = func(at *cli.Context) error {
		args := at.Args().Slice()
		err := check(c.Flags)
		if err == nil && flagOf(c.Flags, "filename") == nil && !takes(c, len(args)) {
			err = fmt.Errorf("%s takes %s, but %s given",
				p.called, cmp.Or(c.ArgsUsage, "no arguments"), finding.Plural(len(args), "argument is", "arguments are"))
		}
		if err == nil {
			err = o.Validate(args)
		}
		if err != nil && c.Name != comparison && isThere(c.Name) {
			err = fmt.Errorf("%w; if %s is the REFERENCE, write ./%s", err, c.Name, c.Name)
		}
		if err != nil {
			return p.usageError("%s", err)
		}
		var limits watch.Limits
		if !o.unlimited() {
			limits = p.limits.Watch() // it asks the machine for its memory
		}
		ctx, guard := watch.Start(at.Context, limits, p.exit)
		defer guard.Stop()
		p.watch = guard
		return run(ctx, o)
	}
	return c
}

// takes reports whether a command accepts n arguments. Each word of its usage is one argument, a
// word with "..." is one or more, and words in brackets are optional.
func takes(c *cli.Command, n int) bool {
	words := len(strings.Fields(c.ArgsUsage))
	return n == words || n > words && strings.Contains(c.ArgsUsage, "...") || strings.HasPrefix(c.ArgsUsage, "[")
}

// find returns the command that the first argument names, and the words without its name; options
// may stand before it. --color may stand before every command. Without the name of a command, it is
// a comparison; also if the name is that of a folder, and the other words make no sense for the
// command. The commands of references once stood behind the word reference, and diff behind report.
func find(all []*cli.Command, words []string) (c *cli.Command, rest []string) {
	flags := flagsOf(all)
	i := firstArgument(flags, words)
	rest = words
	if old := formerGroup(all, words); old != "" {
		rest = slices.Concat(words[:i], words[i+1:])
		i = firstArgument(flags, rest)
	}
	if i < len(rest) {
		c = named(all, rest[i])
	}
	if c == nil || isThere(rest[i]) && !fits(c, slices.Concat(rest[:i], rest[i+1:])) {
		return all[0], words
	}
	before := rest[:i]
	if options, _, err := front(flags, before); err == nil {
		before = withoutColor(c, options)
	}
	return c, slices.Concat(before, rest[i+1:])
}

// formerGroup returns the word that stood before the name of a command when commands were in groups,
// if the words begin with it; else "". A reference of that name comes first.
func formerGroup(all []*cli.Command, words []string) string {
	flags := flagsOf(all)
	i := firstArgument(flags, words)
	if i == len(words) {
		return ""
	}
	group, rest := words[i], words[i+1:]
	j := firstArgument(flags, rest)
	if j == len(rest) || named(all, rest[j]) == nil {
		return ""
	}
	isDiff := rest[j] == "diff"
	switch c := named(all, rest[j]); {
	case group == "reference" && !isThere(group) && (isDiff || c.Category == ofReferences):
	case group == "report" && isDiff && !isThere(rest[j]):
	default:
		return ""
	}
	return group
}

// named returns the command with a name, or nil.
func named(all []*cli.Command, name string) *cli.Command {
	i := slices.IndexFunc(all, func(c *cli.Command) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

// withoutColor removes the option --color if a command lacks it, because it prints no colours. The
// options have the form that front returns.
func withoutColor(c *cli.Command, options []string) []string {
	if flagOf(c.Flags, "color") != nil {
		return options
	}
	var kept []string
	for i := 0; i < len(options); i++ {
		switch {
		case options[i] == "--color":
			i++ // its value
		case !strings.HasPrefix(options[i], "--color="):
			kept = append(kept, options[i])
		}
	}
	return kept
}

// flagsOf returns the options of all commands. Those of one name are alike: each has a value, or
// none.
func flagsOf(all []*cli.Command) (flags []cli.Flag) {
	for _, c := range all {
		flags = append(flags, c.Flags...)
	}
	return flags
}

// fits reports whether words make sense after the name of a command that is also a path.
func fits(c *cli.Command, words []string) bool {
	options, args, err := front(c.Flags, words)
	n := len(args)
	for _, o := range options {
		name, _, _ := strings.Cut(o, "=")
		if slices.Contains([]string{"--reference", "--filename", "--files-from"}, name) {
			n++
		}
	}
	switch {
	case err != nil || helpIn(options) != "":
		return err == nil
	case c.Name == "report": // the command reads saved reports (.json); other words are inputs of a comparison
		return n > 0 && !slices.ContainsFunc(args, func(arg string) bool { return !strings.HasSuffix(arg, ".json") })
	}
	isPath := func(arg string) bool { return arg == stdin || isThere(arg) }
	return takes(c, n) && (c.BashComplete == nil || !slices.ContainsFunc(args, isPath))
}

// helpIn returns the option that requests a text about the tool instead of a run, or "".
func helpIn(options []string) string {
	for _, option := range []string{"--help", "--help-all", "--version"} {
		if slices.Contains(options, option) {
			return option
		}
	}
	return ""
}

// suggestCommand suggests commands for a word that was given as the reference; "" if no command is
// similar.
func (p *program) suggestCommand(word string) string {
	var meant []string
	for _, c := range p.commands() {
		if code.Nearest(word, []string{c.Name}) != "" {
			meant = append(meant, strconv.Quote(c.Name))
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
