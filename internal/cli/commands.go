package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/finding"
)

// comparison is the name of the command that is meant where none is named.
const comparison = "compare"

// commands are all that there are.
func (p *program) commands() command.Set {
	none := func(l command.Line) bool { return len(l.Args) == 0 }
	all := slices.Concat(command.Set{p.compareCommand(), p.explainMatchCommand(), p.reportCommand(), p.groupCommand(references, "help those who write references")}, p.grouped(), command.Set{
		p.explainCommand(),
		p.functionsCommand(),
		p.completionCommand(),
		{Name: "man", Does: "print the manual page, for man -l -", Takes: none, Words: command.NoWords, Run: p.man},
		{Name: "version", Does: "print the version, with the commit and date it was built from", Takes: none, Words: command.NoWords, Run: p.version},
		{
			Name: "help", Args: "[COMMAND]", Does: "show the help of a command", Hidden: true, Words: func() [][2]string { return p.commands().Words() }, Run: p.helpOn,
			Takes: func(l command.Line) bool {
				return len(l.Args) == 0 || p.commands().Of(strings.Join(l.Args, " ")) != nil
			},
		},
	})
	for _, c := range all {
		c.Run = p.watched(c.Run)
	}
	return all
}

// grouped are the commands that belong to a group.
func (p *program) grouped() command.Set {
	return command.Set{p.reportDiffCommand(), p.lintCommand(), p.inspectCommand(), p.needsCommand(), p.renderCommand(), p.generateCommand(), p.testCommand(), p.refDiffCommand()}
}

// compareCommand is the main job.
func (p *program) compareCommand() *command.Command {
	o := p.newOptions()
	return &command.Command{
		Name: comparison, Main: true, Args: "REFERENCE INPUT...", Does: "compare the configuration of a cluster with a reference configuration",
		Terms: [][2]string{
			{"REFERENCE", "a folder with a metadata.yaml, a folder of CRs or annotated templates, or an archive"},
			{"INPUT", "a directory, a file, a support archive such as a must-gather, or - for standard input"},
		},
		Examples: []string{
			"validationTool reference must-gather.tar.gz",
			"validationTool --output json --fail-on drift,missing,extra reference must-gather.tar.gz",
			"oc get performanceprofile -o yaml | validationTool --summary reference -",
		},
		Exits: []string{
			"nothing that counts as a failure was found",
			"differences: something of --fail-on was found",
			"the answer is not to be relied on: bad usage, a reference that does not load, a CR that could not be evaluated, " +
				"an input that could not be read as a whole",
		},
		Options: o.compareOptions, Takes: func(l command.Line) bool { return sides(l) >= 2 },
		Run: func(ctx context.Context, l command.Line) error { return p.compare(ctx, l, o) },
	}
}

// references is the group of the commands for those who write references.
const references = "reference"

// groupCommand is the command that a group of others is listed by: each of these has its name, and one more word.
func (p *program) groupCommand(name, does string) *command.Command {
	return &command.Command{
		Name: name, Args: "COMMAND ...", Does: does, Words: func() [][2]string { return p.grouped().Members(name) },
		About: []string{"COMMAND is one of these, and " + finding.ToolName + " " + name + " COMMAND --help says more:"},
		Terms: p.grouped().Members(name),
		Exits: []string{"", "", "bad usage"},
		Takes: func(command.Line) bool { return false }, // without a command of the group it is a path
		Run: func(_ context.Context, l command.Line) error {
			return p.noMember(name, strings.Join(l.Args[:min(1, len(l.Args))], ""))
		},
	}
}

// noMember is the error for a group without one of its commands.
func (p *program) noMember(group, word string) error {
	var words []string
	for _, m := range p.grouped().Members(group) {
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

// meantCommand is a part of a message that says which commands were probably meant by a word that stands where a reference is looked for, or "".
func (p *program) meantCommand(word string) string {
	var meant []string
	for _, c := range p.commands() {
		last := c.Name[strings.LastIndex(c.Name, " ")+1:]
		if !c.Hidden && (word == last || code.Nearest(word, []string{last}) != "") {
			meant = append(meant, strconv.Quote(c.Name))
		}
	}
	if p.called != p.name || meant == nil {
		return ""
	}
	return "; did you mean the command " + code.Enumerate(meant, "or") + "?"
}

// usageError is the error for a command line that makes no sense.
func (p *program) usageError(format string, args ...any) error {
	return fmt.Errorf("%s: %s; see %s --help", code.Usage, fmt.Sprintf(format, args...), p.called)
}

// helpOn prints the help of a command.
func (p *program) helpOn(_ context.Context, l command.Line) error {
	commands := p.commands()
	about := commands.Of(cmp.Or(strings.Join(l.Args, " "), comparison))
	if about == nil {
		return p.usageError("help takes the name of one command")
	}
	return p.print(commands.Help(about, false))
}

// print prints a text in which the tool has the name by which the user calls it.
func (p *program) print(text string) error {
	return p.say(strings.ReplaceAll(text, finding.ToolName, p.name))
}

// man prints the manual page.
func (p *program) man(_ context.Context, l command.Line) error {
	if len(l.Args) > 0 {
		return p.usageError("man takes no arguments")
	}
	build := p.build()
	date, _, _ := strings.Cut(build.Date, "T")
	return p.print(p.commands().Manual(build.Release, date))
}

// completionCommand prints the script of a shell.
func (p *program) completionCommand() *command.Command {
	return &command.Command{
		Name: "completion", Args: "SHELL", Does: "print a script by which a shell completes commands, options and their values",
		About: []string{"What is printed is a script for the shell. To have it in every shell, put the line beside the shell's name into the file that the " +
			"shell reads when it starts."},
		Terms: command.Shells(), Words: command.Shells, Run: p.completion,
		Takes: func(l command.Line) bool { return len(l.Args) == 0 || len(l.Args) == 1 && isShell(l.Args[0]) },
	}
}

func isShell(name string) bool {
	return slices.ContainsFunc(command.Shells(), func(s [2]string) bool { return s[0] == name })
}

// completion prints the script of a shell.
func (p *program) completion(_ context.Context, l command.Line) error {
	if len(l.Args) != 1 || !isShell(l.Args[0]) {
		return p.usageError("completion needs the name of a shell: bash, zsh, fish or kubectl")
	}
	script, err := command.Script(l.Args[0], p.name)
	if err != nil {
		return err
	}
	return p.say(script)
}
