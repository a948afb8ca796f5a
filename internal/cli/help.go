package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
)

// helpWidth is the width of help in columns.
const helpWidth = 80

// The categories of options, which the library sorts by name. --help lists only frequent options,
// with the part of their usage before the first semicolon; --help-all lists all.
const (
	often       = "Options"
	ofAccepting = "Options for accepting deviations"
	ofComparing = "Options of the comparison"
	ofText      = "Options of the text report"
	rare        = "Rare options"
)

// helpTemplate is the layout of a command's help.
const helpTemplate = `{{sentence .Usage}}.

Usage:
  {{usage}}
{{with commands}}
Commands (see COMMAND --help):
{{rows .}}{{end}}{{with .Description}}
{{.}}
{{end}}{{range .VisibleFlagCategories}}{{with options .}}
{{.}}{{end}}{{end}}{{with limits}}
Limits (--limit NAME=VALUE) and their defaults:
{{rows .}}{{end}}`

// help writes the help of a command, with all options or with the frequent ones.
func (p *program) help(w io.Writer, name string, c *cli.Command, all bool) {
	cli.HelpPrinterCustom(w, helpTemplate, c, map[string]any{
		"sentence": sentence,
		"rows":     rows,
		"usage":    func() string { return usage(name, c) },
		"commands": func() [][2]string {
			if name == comparison {
				return described(p.commands()[1:])
			}
			return described(c.Subcommands)
		},
		"options": func(of cli.VisibleFlagCategory) string {
			if !all && of.Name() != often {
				return ""
			}
			var options [][2]string
			for _, f := range of.Flags() {
				options = append(options, [2]string{signature(f), about(f, all)})
			}
			return of.Name() + ":\n" + rows(options)
		},
		"limits": func() [][2]string {
			if !all || flagOf(c.Flags, "limit") == nil {
				return nil
			}
			return limitRows()
		},
	})
}

// usage returns the usage line of a command, and a second one for the default command.
func usage(name string, c *cli.Command) string {
	form := finding.ToolName + " " + name
	if name == comparison {
		form = finding.ToolName + " [" + name + "]"
	}
	if flagOf(c.Flags, "help-all") != nil {
		form += " [options]"
	}
	form = strings.TrimSpace(form + " " + c.ArgsUsage)
	if name == comparison {
		form += "\n  " + finding.ToolName + " COMMAND ..."
	}
	return form
}

// signature returns the names of an option with the name of its value.
func signature(f cli.Flag) string {
	names := "    --" + f.Names()[0]
	if len(f.Names()) > 1 {
		names = "-" + f.Names()[1] + ", --" + f.Names()[0]
	}
	if _, taken, ok := strings.Cut(f.(cli.DocGenerationFlag).GetUsage(), "`"); ok {
		taken, _, _ = strings.Cut(taken, "`")
		names += " " + taken
	}
	return names
}

// about returns the help of an option, or only the part before the first semicolon.
func about(f cli.Flag, all bool) string {
	text := strings.ReplaceAll(f.(cli.DocGenerationFlag).GetUsage(), "`", "")
	if !all {
		text, _, _ = strings.Cut(text, ";")
	}
	return text
}

// described returns the names of the visible commands, with their short help.
func described(commands []*cli.Command) [][2]string {
	var words [][2]string
	for _, c := range commands {
		if !c.Hidden {
			words = append(words, [2]string{c.Name, c.Usage})
		}
	}
	return words
}

// walk returns commands and their subcommands, with the words that select them.
func walk(commands []*cli.Command) iter.Seq2[string, *cli.Command] {
	return func(yield func(string, *cli.Command) bool) {
		for _, c := range commands {
			if !yield(c.Name, c) {
				return
			}
			for name, member := range walk(c.Subcommands) {
				if !yield(c.Name+" "+name, member) {
					return
				}
			}
		}
	}
}

// rows formats words and their meanings in two columns.
func rows(all [][2]string) string {
	widest := 0
	for _, r := range all {
		widest = max(widest, len(r[0]))
	}
	var b strings.Builder
	for _, r := range all {
		b.WriteString(wrapped(fmt.Sprintf("  %-*s  ", widest, r[0]), strings.Repeat(" ", widest+4), r[1]))
	}
	return b.String()
}

// wrapped breaks a text into lines. The first line begins with first, the others with further.
func wrapped(first, further, text string) string {
	var b strings.Builder
	line := first
	for i, word := range strings.Fields(text) {
		if i > 0 && len(line)+len(word) >= helpWidth {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = further
		}
		line += word + " "
	}
	return b.String() + strings.TrimRight(line, " ") + "\n"
}

// sentence capitalises the first letter of a text.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// helpOn prints the help of a command.
func (p *program) helpOn(_ context.Context, o *options) error {
	c, named, rest := p.find(append(o.args, "--help"))
	if len(rest) > 1 {
		return p.usageError("help takes the name of one command")
	}
	return p.printHelp(strings.Join(named, " "), c, false)
}

// printHelp prints the help of a command.
func (p *program) printHelp(name string, c *cli.Command, all bool) error {
	var b strings.Builder
	p.help(&b, name, c, all)
	return p.print(b.String())
}

// print prints a text with the name by which the user called the tool.
func (p *program) print(text string) error {
	return p.say(strings.ReplaceAll(text, finding.ToolName, p.name))
}

// man prints the manual page, which the library generates.
func (p *program) man(context.Context, *options) error {
	app := p.app()
	build := p.build()
	app.Usage = app.Commands[0].Usage
	app.UsageText = usage(comparison, app.Commands[0])
	app.Description = "Without the name of a command it compares. The limits that --limit can set, with their defaults:\n"
	for _, r := range limitRows() {
		app.Description += "\n    " + r[0] + "  " + r[1]
	}
	for name, c := range walk(app.Commands) {
		c.UsageText = usage(name, c) + "\n\n" + c.Description
	}
	page, err := app.ToManWithSection(1)
	if err != nil {
		return err
	}
	date, _, _ := strings.Cut(build.Date, "T")
	_, page, _ = strings.Cut(page, "\n")
	return p.print(fmt.Sprintf(".TH %q 1 %q %q\n", strings.ToUpper(finding.ToolName), date, finding.ToolName+" "+build.Release) + page)
}
