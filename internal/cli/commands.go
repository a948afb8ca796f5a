package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
)

// command is one thing that the tool does. Its help, the manual page and what shells complete are made from it.
type command struct {
	name     string      // a word, or that of a group and one more
	args     string      // what its line of usage has behind the options
	does     string      // in a few words
	about    []string    // paragraphs
	terms    [][2]string // words of args, and what they stand for
	examples []string    // lines for a shell
	exits    []string    // what the exit statuses from 0 mean, where they are not those of others
	flags    []cli.Flag
	values   map[string][]string      // what options can be set to, where that is known; of a list, its items
	takes    func(a arrangement) bool // says whether arguments can be its own, where its name may be a folder's, see program.command
	words    func() [][2]string       // what its arguments can be, each with its meaning; nil for files
	hidden   bool                     // help does not list it
	run      cli.ActionFunc
}

// comparison is the name of the command that is meant where none is named.
const comparison = "compare"

// commands are all that there are. The first is the comparison, which is meant where no command is named.
func (p *program) commands() []*command {
	none := func(a arrangement) bool { return len(a.rest) == 0 }
	return slices.Concat([]*command{
		p.compareCommand(),
		p.explainMatchCommand(),
		p.reportCommand(),
		p.groupCommand(references, "help those who write references"),
	}, p.grouped(), []*command{
		{
			name: "explain", args: "CODE...", does: "say what a code such as VT2005 means, and what to do", run: p.explain, words: codeWords,
			takes: func(a arrangement) bool {
				return !slices.ContainsFunc(a.rest, func(w string) bool { return !isCode(w) })
			},
		},
		p.functionsCommand(),
		p.completionCommand(),
		{name: "man", does: "print the manual page, for man -l -", takes: none, words: noWords, run: p.man},
		{name: "version", does: "print the version, with the commit and date it was built from", takes: none, words: noWords, run: p.version},
		{
			name: "help", args: "[COMMAND]", does: "show the help of a command", hidden: true, words: p.commandWords, run: p.helpOn,
			takes: func(a arrangement) bool { return len(a.rest) == 0 || p.commandOf(strings.Join(a.rest, " ")) != nil },
		},
	})
}

// grouped are the commands that belong to a group.
func (p *program) grouped() []*command {
	return []*command{p.lintCommand(), p.inspectCommand(), p.needsCommand()}
}

// compareCommand is the main job.
func (p *program) compareCommand() *command {
	o := &options{}
	return &command{
		name: comparison, args: "REFERENCE INPUT...", does: "compare the configuration of a cluster with a reference configuration",
		terms: [][2]string{
			{"REFERENCE", "a folder with a metadata.yaml, a folder of CRs or annotated templates, or an archive"},
			{"INPUT", "a directory, a file, a support archive such as a must-gather, or - for standard input"},
		},
		examples: []string{
			"validationTool reference must-gather.tar.gz",
			"validationTool --output json --fail-on drift,missing,extra reference must-gather.tar.gz",
			"oc get performanceprofile -o yaml | validationTool --summary reference -",
		},
		exits: []string{
			"nothing that counts as a failure was found",
			"differences: something of --fail-on was found",
			"the answer is not to be relied on: bad usage, a reference that does not load, a CR that could not be evaluated, " +
				"an input that could not be read as a whole",
		},
		flags: o.compareFlags(), values: compareValues(), takes: func(a arrangement) bool { return a.sides() >= 2 },
		run: func(c *cli.Context) error { return p.compare(c, o) },
	}
}

// compareValues are what options of the comparison can be set to.
func compareValues() map[string][]string {
	values := sharedValues()
	values["output"] = formatNames()
	values["fail-on"] = finding.Sorts()
	return values
}

// sharedValues are those of options that several commands have.
func sharedValues() map[string][]string {
	values := map[string][]string{"color": {"auto", "always", "never"}, "correlation": {"fixed", "nearest"}}
	for _, l := range allLimits() {
		values["limit"] = append(values["limit"], l.name+"=")
	}
	return values
}

// statuses say what the exit statuses of a command mean.
func (c *command) statuses() [][2]string {
	if c.exits == nil {
		return [][2]string{{"0", "it was done"}, {"2", "bad usage"}}
	}
	var rows [][2]string
	for i, text := range c.exits {
		if text != "" {
			rows = append(rows, [2]string{strconv.Itoa(i), text})
		}
	}
	return rows
}

// commandOf returns the command of a name, nil if there is none.
func (p *program) commandOf(name string) *command {
	for _, c := range p.commands() {
		if c.name == name {
			return c
		}
	}
	return nil
}

// commandWords are the names of the other commands, with what they do. Those of a group are left to the group.
func (p *program) commandWords() [][2]string {
	var words [][2]string
	for _, c := range p.commands() {
		if !c.hidden && c.name != comparison && !strings.Contains(c.name, " ") {
			words = append(words, [2]string{c.name, c.does})
		}
	}
	return words
}

// references is the group of the commands for those who write references.
const references = "reference"

// groupCommand is the command that a group of others is listed by: each of these has its name, and one more word.
func (p *program) groupCommand(name, does string) *command {
	return &command{
		name: name, args: "COMMAND ...", does: does, words: func() [][2]string { return p.members(name) },
		about: []string{"COMMAND is one of these, and " + finding.ToolName + " " + name + " COMMAND --help says more:"},
		terms: p.members(name),
		exits: []string{"", "", "bad usage"},
		takes: func(arrangement) bool { return false }, // without a command of the group it is a path
		run:   func(c *cli.Context) error { return p.noMember(name, c.Args().First()) },
	}
}

// members are the words behind the name of a group that make the commands in it, with what these do.
func (p *program) members(group string) [][2]string {
	var words [][2]string
	for _, c := range p.grouped() {
		if word, ok := strings.CutPrefix(c.name, group+" "); ok {
			words = append(words, [2]string{word, c.does})
		}
	}
	return words
}

// noMember is the error for a group without one of its commands.
func (p *program) noMember(group, word string) error {
	var words []string
	for _, m := range p.members(group) {
		words = append(words, m[0])
	}
	switch near := code.Nearest(word, words); {
	case word == "":
		return p.usageError("%s needs a command: %s", group, code.Enumerate(words, "or"))
	case near != "":
		return p.usageError("%s has no command %q; did you mean %s?", group, word, near)
	}
	return p.usageError("there is no folder %q here, and %q is no command for references; there are %s", group, word, code.Enumerate(words, "and"))
}

// execute runs a command.
func (p *program) execute(ctx context.Context, c *command, a arrangement) error {
	app := &cli.App{
		Name: p.name, Flags: c.flags, Action: c.run, HideVersion: true, HideHelp: true, HideHelpCommand: true, UseShortOptionHandling: true,
		Reader: p.io.In, Writer: p.io.Out, ErrWriter: p.io.Err,
		ExitErrHandler: func(*cli.Context, error) {}, // Run decides about the exit status
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return p.usageError("%s", err) },
	}
	return app.RunContext(ctx, slices.Concat([]string{p.name}, a.options, []string{"--"}, a.rest))
}

// usageError is the error for a command line that makes no sense.
func (p *program) usageError(format string, args ...any) error {
	return fmt.Errorf("%s: %s; see %s --help", code.Usage, fmt.Sprintf(format, args...), p.called)
}

// isCode reports whether a word is written like a code.
func isCode(word string) bool { return regexp.MustCompile(`^(?i:vt)\d+$`).MatchString(word) }

// codeWords are all codes, with their titles.
func codeWords() [][2]string {
	var words [][2]string
	for _, e := range code.All() {
		words = append(words, [2]string{string(e.Code), e.Title})
	}
	return words
}

// explain prints what codes mean.
func (p *program) explain(c *cli.Context) error {
	if c.NArg() == 0 {
		return p.usageError("explain needs a code, such as VT2005")
	}
	return p.write(func(w io.Writer) error {
		for i, arg := range c.Args().Slice() {
			e, ok := code.Lookup(code.Code(strings.ToUpper(arg)))
			if !ok {
				return p.usageError("there is no code %q", arg)
			}
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprint(w, p.named(fmt.Sprintf("%s: %s\n\n%s\n\nWhat to do: %s\n", e.Code, e.Title, e.Cause, e.Do)))
		}
		return nil
	})
}

// helpOn prints the help of a command.
func (p *program) helpOn(c *cli.Context) error {
	about := p.commandOf(cmp.Or(strings.Join(c.Args().Slice(), " "), comparison))
	if about == nil {
		return p.usageError("help takes the name of one command")
	}
	return p.write(func(w io.Writer) error { return p.writeHelp(w, about, false) })
}

// noWords is for commands without arguments.
func noWords() [][2]string { return nil }

// named puts the name by which the user calls the tool into a text that has its own.
func (p *program) named(text string) string {
	return strings.ReplaceAll(text, finding.ToolName, p.name)
}
