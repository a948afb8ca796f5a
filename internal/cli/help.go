package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// help returns the help of a command, with all options or with the frequent ones.
func (p *program) help(c *command, all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n\nUsage:\n  %s\n", sentence(c.usage), usage(c))
	if c.name == comparison {
		b.WriteString("\nCommands (see COMMAND --help)\n")
		for _, group := range []string{ofComparisons, ofReports, ofReferences, ofTool} {
			of := described(p.commands()[1:], group)
			for i := range of {
				of[i][0] = fmt.Sprintf("%-*s", len("explain-match"), of[i][0]) // one column for all groups
			}
			fmt.Fprintf(&b, " %s:\n%s", group, rows(of))
		}
	}
	if c.about != "" {
		fmt.Fprintf(&b, "\n%s\n", c.about)
	}
	for _, category := range []string{often, ofAccepting, ofComparing, ofText, rare} {
		var options [][2]string
		for _, f := range sorted(c.flags) {
			if f.category == category {
				options = append(options, [2]string{signature(f), about(f, all)})
			}
		}
		if options != nil && (all || category == often) {
			fmt.Fprintf(&b, "\n%s:\n%s", category, rows(options))
		}
	}
	if all && flagOf(c.flags, "limit") != nil {
		b.WriteString("\nLimits (--limit NAME=VALUE) and their defaults:\n" + rows(limitRows()))
	}
	return b.String()
}

// sorted returns options in the order of their names.
func sorted(flags []*option) []*option {
	return slices.SortedFunc(slices.Values(flags), func(a, b *option) int { return strings.Compare(a.name, b.name) })
}

// rows formats words and their meanings in two columns.
func rows(all [][2]string) string {
	widest := 0
	for _, r := range all {
		widest = max(widest, len(r[0]))
	}
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "  %-*s  %s\n", widest, r[0], wrapped(r[1], widest+len("    ")))
	}
	return b.String()
}

// wrapped breaks the lines of a text that begins in a column of help, so that they fit.
func wrapped(text string, column int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		room := helpWidth - 1 - column
		if len(line) <= room {
			continue
		}
		var short []string // lines that fit
		for _, word := range strings.Fields(line) {
			if last := len(short) - 1; last >= 0 && len(short[last])+len(" ")+len(word) <= room {
				short[last] += " " + word
			} else {
				short = append(short, word)
			}
		}
		lines[i] = strings.Join(short, "\n")
	}
	indent := "\n" + strings.Repeat(" ", column)
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\n", indent)
}

// usage returns the usage line of a command, and a second one for the default command.
func usage(c *command) string {
	words := []string{finding.ToolName, c.name}
	if c.name == comparison {
		words[1] = "[" + comparison + "]"
	}
	if flagOf(c.flags, "help-all") != nil {
		words = append(words, "[options]")
	}
	form := strings.TrimSpace(strings.Join(append(words, c.args), " "))
	if c.name == comparison {
		form += "\n  " + finding.ToolName + " COMMAND ..."
	}
	return form
}

// signature returns the names of an option with the name of its value.
func signature(f *option) string {
	names := "    --" + f.name
	if f.letter != "" {
		names = "-" + f.letter + ", --" + f.name
	}
	if parts := strings.Split(f.usage, "`"); len(parts) > 1 {
		names += " " + parts[1]
	}
	return names
}

// about returns the help of an option, or only the part before the first semicolon.
func about(f *option, all bool) string {
	text := strings.ReplaceAll(f.usage, "`", "")
	if !all {
		text, _, _ = strings.Cut(text, ";")
	}
	return text
}

// described returns the names of the visible commands of a group, with their short help. Without a
// group it returns those of all.
func described(commands []*command, group string) [][2]string {
	var words [][2]string
	for _, c := range commands {
		if !c.hidden && (group == "" || c.group == group) {
			words = append(words, [2]string{c.name, c.usage})
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
func (p *program) helpCommand() *command {
	return define(p, &base{}, p.helpOn, &command{
		args: "[COMMAND]", usage: "show the help of a command", hidden: true,
		words: func() [][2]string { return described(p.commands(), "") },
	})
}

// manCommand returns the command man.
func (p *program) manCommand() *command {
	return define(p, &base{}, p.man, &command{usage: "print the manual page; view it with man -l -"})
}

// man prints the manual page.
func (p *program) man(context.Context, *base) error {
	all := p.commands()
	build := p.build()
	date, _, _ := strings.Cut(build.Date, "T")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 %q %q\n\n", strings.ToUpper(finding.ToolName), date, finding.ToolName+" "+build.Release)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n\n\n", finding.ToolName, all[0].usage)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s [compare] [options] REFERENCE INPUT...\n.br\n%[1]s COMMAND ...\n\n\n", finding.ToolName)
	var limits strings.Builder
	for _, r := range limitRows() {
		fmt.Fprintf(&limits, "%s  %s\n", r[0], r[1])
	}
	b.WriteString(".SH DESCRIPTION\nWithout the name of a command it compares. The limits that --limit can set, with their defaults:\n\n")
	fmt.Fprintf(&b, "%s\n.PP\n\\fBUsage\\fP:\n\n%s\n\n.SH COMMANDS", verbatim(limits.String()), verbatim(usage(all[0])+"\n"))
	for _, c := range all {
		if c.hidden {
			continue
		}
		fmt.Fprintf(&b, "\n.SS %s\n%s\n\n", c.name, c.usage)
		if text := strings.TrimSpace(usage(c) + "\n\n" + c.about); strings.Contains(text, "\n") {
			b.WriteString(verbatim(text + "\n"))
		} else {
			fmt.Fprintf(&b, ".PP\n.RS\n\n.PP\n%s\n\n.RE\n", text)
		}
		for _, f := range sorted(c.flags) {
			fmt.Fprintf(&b, "\n.PP\n%s\n", manual(f))
		}
	}
	return p.print(b.String())
}

// verbatim returns lines that the manual page shows as they are.
func verbatim(lines string) string {
	escaped := strings.NewReplacer(`\`, `\e`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace("\n" + lines)
	return ".EX" + escaped + ".EE\n"
}

// manual returns the help of an option as the manual page shows it.
func manual(f *option) string {
	names := "--" + f.name
	if f.letter != "" {
		names += ", -" + f.letter
	}
	names = `\fB` + names + `\fP`
	if f.on == nil {
		names += `=""`
	}
	before, rest, _ := strings.Cut(f.usage, "`")
	value, after, named := strings.Cut(rest, "`")
	if named {
		value = `\fB` + value + `\fR`
	}
	return names + ": " + before + value + after
}
