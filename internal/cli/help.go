package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
)

// helpWidth is the width of help in columns.
const helpWidth = 80

// The categories of options. The library sorts them by name. --help lists only frequent options,
// with the part of their usage before the first semicolon; --help-all lists all.
const (
	often       = "Options"
	ofAccepting = "Options for accepting deviations"
	ofComparing = "Options of the comparison"
	ofText      = "Options of the text report"
	rare        = "Rare options"
)

// rowsTemplate is the layout of words and their meanings in two columns.
const rowsTemplate = `{{$column := widest .}}{{range .}}  {{$word := index . 0}}{{$word}}` +
	`{{indent (subtract $column (offset $word 2)) ""}}{{wrap (index . 1) $column}}
{{end}}`

// helpTemplate is the layout of a command's help.
const helpTemplate = `{{sentence .Usage}}.

Usage:
  {{usage .}}
{{with commands .}}
Commands (see COMMAND --help)
{{range .}} {{index . 0}}:
{{index . 1}}{{end}}{{end}}{{with .Description}}
{{.}}
{{end}}{{range .VisibleFlagCategories}}{{with options .}}
{{.}}{{end}}{{end}}{{with limits .}}
Limits (--limit NAME=VALUE) and their defaults:
{{rows .}}{{end}}{{with environment .}}
Environment:
{{rows .}}{{end}}`

// help returns the help of a command, with all options or with the frequent ones.
func (p *program) help(c *cli.Command, all bool) string {
	return rendered(helpTemplate, c, map[string]any{
		"sentence": sentence,
		"rows":     rows,
		"usage":    usage,
		"commands": func(c *cli.Command) (groups [][2]string) {
			if c.Name != comparison {
				return nil
			}
			all := p.commands()[1:]
			for _, group := range []string{ofComparisons, ofReports, ofReferences, ofTool} {
				of := described(all, group)
				for i := range of {
					of[i][0] = fmt.Sprintf("%-*s", len("explain-match"), of[i][0]) // one column for all groups
				}
				groups = append(groups, [2]string{group, rows(of)})
			}
			return groups
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
		"limits": func(c *cli.Command) [][2]string {
			if !all || flagOf(c.Flags, "limit") == nil {
				return nil
			}
			return limitRows()
		},
		"environment": func(c *cli.Command) [][2]string {
			if !all || flagOf(c.Flags, "color") == nil {
				return nil
			}
			return environment()
		},
	})
}

// rendered returns the text that a help template prints.
func rendered(template string, data any, functions map[string]any) string {
	var b strings.Builder
	functions["wrapAt"] = func() int { return helpWidth - 1 }
	cli.HelpPrinterCustom(&b, template, data, functions)
	return b.String()
}

// rows formats words and their meanings in two columns.
func rows(all [][2]string) string {
	return rendered(rowsTemplate, all, map[string]any{"widest": func(all [][2]string) int {
		widest := 0
		for _, r := range all {
			widest = max(widest, len(r[0]))
		}
		return widest + len("    ")
	}})
}

// usage returns the usage line of a command, and a second one for the default command.
func usage(c *cli.Command) string {
	words := []string{finding.ToolName, c.HelpName}
	if c.Name == comparison {
		words[1] = "[" + comparison + "]"
	}
	if flagOf(c.Flags, "help-all") != nil {
		words = append(words, "[options]")
	}
	form := strings.TrimSpace(strings.Join(append(words, c.ArgsUsage), " "))
	if c.Name == comparison {
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
	if parts := strings.Split(f.(cli.DocGenerationFlag).GetUsage(), "`"); len(parts) > 1 {
		names += " " + parts[1]
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

// described returns the names of the visible commands of a group, with their short help. Without a
// group it returns those of all.
func described(commands []*cli.Command, group string) [][2]string {
	var words [][2]string
	for _, c := range commands {
		if !c.Hidden && (group == "" || c.Category == group) {
			words = append(words, [2]string{c.Name, c.Usage})
		}
	}
	return words
}

// sentence capitalises the first letter of a text.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// helpOn prints the help of a command.
func (p *program) helpOn(_ context.Context, o *base) error {
	c, rest := find(p.commands(), append(o.args, "--help"))
	if len(rest) > 1 {
		return p.usageError("help takes the name of one command")
	}
	return p.print(p.help(c, false))
}

// print prints a text. It replaces the name of the tool by the name with which the user called it.
func (p *program) print(text string) error {
	return p.say(strings.ReplaceAll(text, finding.ToolName, p.name))
}

// helpCommand returns the command help.
func (p *program) helpCommand() *cli.Command {
	return command(p, &base{}, p.helpOn, &cli.Command{
		ArgsUsage: "[COMMAND]", Usage: "show the help of a command", Hidden: true,
		BashComplete: completes(func() [][2]string { return described(p.commands(), "") }),
	})
}

// manCommand returns the command man.
func (p *program) manCommand() *cli.Command {
	return command(p, &base{}, p.man, &cli.Command{Usage: "print the manual page; view it with man -l -"})
}

// man prints the manual page: the library makes its first chapters and its commands. The library
// gives the page a second title, no synopsis, and headings without levels.
func (p *program) man(context.Context, *base) error {
	app := p.app(p.commands())
	first := app.Commands[0]
	app.Usage = first.Usage
	app.Description = "A reference is a folder of CRs written as Go templates, an input a folder, a file or a support archive " +
		"with the CRs of a cluster. Without the name of a command the tool compares the two. " +
		"It opens no network connection and starts no process."
	for _, c := range app.Commands {
		c.UsageText = usage(c) + "\n\n" + c.Description
	}
	about, examples, _ := strings.Cut(first.Description, "\nExamples:\n")
	examples, _, _ = strings.Cut(examples, "\n\n")
	first.UsageText = usage(first) + "\n\n" + about
	page, err := app.ToManWithSection(1)
	if err != nil {
		return err
	}
	_, page, _ = strings.Cut(page, ".SH NAME")
	synopsis := ".SH SYNOPSIS\n" + finding.ToolName
	page = strings.Replace(page, synopsis, synopsis+" [compare] [options] REFERENCE INPUT...\n.br\n"+finding.ToolName+" COMMAND ...", 1)
	page, commands, _ := strings.Cut(page, ".SH COMMANDS")
	page, _, _ = strings.Cut(page, ".PP\n\\fBUsage")
	comparing, others, _ := strings.Cut(strings.ReplaceAll(commands, ".SH ", ".SS "), ".SS "+explanation)
	comparing, options, _ := strings.Cut(comparing, "\n.PP\n")
	build := p.build()
	date, _, _ := strings.Cut(build.Date, "T")
	title := fmt.Sprintf(".TH %q 1 %q %q", strings.ToUpper(finding.ToolName), date, finding.ToolName+" "+build.Release)
	return p.print(strings.Join([]string{
		title + "\n\n.SH NAME" + page + ".SH COMMANDS" + comparing + ".SS " + explanation + others,
		".SH OPTIONS\nThose of a comparison; commands have theirs above.\n\n.PP\n" + options,
		section("EXIT STATUS", [][2]string{
			{"0", "everything was read and compared, and nothing was found that counts as a failure"},
			{"1", "findings of --fail-on"},
			{"2", "bad usage, or an incomplete or unreliable result"},
			{"141", "the reader of standard output ended before it had everything"},
		}),
		section("ENVIRONMENT", environment()),
		section("FILES", [][2]string{
			{"metadata.yaml", "parts, components and rules of a reference"},
			{"codes.yaml", "codes of a reference"},
			{"expect.yaml", "what a fixture of a reference has to result in"},
		}),
		".SH EXAMPLES\n.EX\n" + strings.ReplaceAll(examples, "-", `\-`) + "\n.EE\n",
		".SH SEE ALSO\n" + finding.ToolName + " docs, which has the manual.\n.BR kubectl (1)\n",
		section("LIMITS", limitRows()),
	}, "\n"))
}

// section returns a section of the manual page, with a paragraph for each row.
func section(title string, rows [][2]string) string {
	var b strings.Builder
	b.WriteString(".SH " + title + "\n")
	for _, row := range rows {
		b.WriteString(".TP\n\\fB" + strings.Join(strings.Fields(row[0]), " ") + "\\fP\n" + strings.ReplaceAll(row[1], "-", `\-`) + "\n")
	}
	return b.String()
}
