package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
)

// helpWidth is how many columns help takes.
const helpWidth = 96

// described is an option as help, the manual page and completion tell of it.
type described struct {
	long, short string // with their dashes; there may be no short one
	argument    string // "" where it takes no value
	category    string
	usage       string
	many        bool // it may stand several times
}

// names are those of an option, with what it takes.
func (d described) names() string {
	names := "    " + d.long
	if d.short != "" {
		names = d.short + ", " + d.long
	}
	return strings.TrimRight(names+" "+d.argument, " ")
}

// describe returns the options of a command, but for hidden ones, in the order of their categories.
func (c *command) describe() []described {
	var all []described
	known := c.known()
	for _, f := range c.options() {
		if visible, ok := f.(cli.VisibleFlag); ok && !visible.IsVisible() {
			continue
		}
		d := described{long: "--" + f.Names()[0], category: f.(cli.CategorizableFlag).GetCategory(), many: known[f.Names()[0]].many}
		if len(f.Names()) > 1 {
			d.short = "-" + f.Names()[1]
		}
		d.usage = f.(cli.DocGenerationFlag).GetUsage()
		if parts := strings.SplitN(d.usage, "`", 3); len(parts) == 3 {
			d.argument, d.usage = parts[1], strings.Join(parts, "")
		}
		all = append(all, d)
	}
	slices.SortStableFunc(all, func(a, b described) int {
		return slices.Index(categories(), a.category) - slices.Index(categories(), b.category)
	})
	return all
}

// options are the options of a command, those among them that every command has.
func (c *command) options() []cli.Flag {
	all := slices.Clone(c.flags)
	if len(c.flags) > 0 {
		all = append(all, &cli.BoolFlag{Name: "help-all", Category: often, Usage: "show the help with all options"})
	}
	if c.name == comparison {
		all = append(all, &cli.BoolFlag{Name: "version", Category: often, Usage: "print the version"})
	}
	return append(all, &cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Category: often, Usage: "show the help"})
}

// form is a line that says how a command is used.
func (c *command) form() string {
	words := []string{finding.ToolName}
	if c.name == comparison {
		words = append(words, "["+c.name+"]")
	} else {
		words = append(words, c.name)
	}
	if len(c.flags) > 0 {
		words = append(words, "[options]")
	}
	return strings.TrimRight(strings.Join(append(words, c.args), " "), " ")
}

// writeHelp writes the help of a command: all of it, or what fits on a screen.
func (p *program) writeHelp(w io.Writer, c *command, all bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n\nUsage:\n  %s\n", sentence(c.does), c.form())
	if c.name == comparison {
		b.WriteString("  " + finding.ToolName + " COMMAND ...\n\nCommands (COMMAND --help says more):\n")
		writeRows(&b, p.commandWords())
	}
	for _, paragraph := range c.about {
		b.WriteString("\n")
		writeWrapped(&b, "", "", paragraph)
	}
	if len(c.terms) > 0 {
		b.WriteString("\n")
		writeRows(&b, c.terms)
	}
	if len(c.examples) > 0 {
		fmt.Fprintf(&b, "\nExamples:\n  %s\n", strings.Join(c.examples, "\n  "))
	}
	writeOptions(&b, c, all)
	b.WriteString("\nExit status:\n")
	writeRows(&b, c.statuses())
	_, err := io.WriteString(w, p.named(b.String()))
	return err
}

// writeOptions lists options: those that are used often with what they do in a line, or all of them.
func writeOptions(b *strings.Builder, c *command, all bool) {
	rows := map[string][][2]string{}
	for _, d := range c.describe() {
		rows[d.category] = append(rows[d.category], [2]string{d.names(), d.usage})
	}
	if !all {
		for i, r := range rows[often] {
			rows[often][i][1], _, _ = strings.Cut(r[1], ";")
		}
		rows = map[string][][2]string{often: rows[often]}
	}
	for _, category := range categories() {
		if len(rows[category]) > 0 {
			b.WriteString("\n" + category + ":\n")
			writeRows(b, rows[category])
		}
	}
	if all && c.values["limit"] != nil {
		b.WriteString("\nLimits (--limit NAME=VALUE), with their defaults:\n")
		writeRows(b, limitRows())
	}
}

// writeRows writes words, each with what it means beside it.
func writeRows(b *strings.Builder, rows [][2]string) {
	widest := 0
	for _, r := range rows {
		widest = max(widest, len(r[0]))
	}
	for _, r := range rows {
		writeWrapped(b, fmt.Sprintf("  %-*s  ", widest, r[0]), strings.Repeat(" ", widest+4), r[1])
	}
}

// writeWrapped writes a text in lines, the first of which begins with first, the others with further.
func writeWrapped(b *strings.Builder, first, further, text string) {
	line := first
	for i, word := range strings.Fields(text) {
		if i > 0 && len(line)+len(word) >= helpWidth {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = further
		}
		line += word + " "
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// sentence begins a text with a capital letter.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
