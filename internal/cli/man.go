package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
)

// man prints the manual page, for man(1): every command with all its options.
func (p *program) man(c *cli.Context) error {
	if c.NArg() > 0 {
		return p.usageError("man takes no arguments")
	}
	var b strings.Builder
	build, compare := p.build(), p.commandOf(comparison)
	date, _, _ := strings.Cut(build.Date, "T")
	fmt.Fprintf(&b, ".TH VALIDATIONTOOL 1 %q %q\n", date, finding.ToolName+" "+build.Release)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", finding.ToolName, roff(compare.does))
	var forms []string
	for _, c := range p.commands() {
		if !c.hidden {
			forms = append(forms, ".B "+roff(c.form()))
		}
	}
	b.WriteString(strings.Join(forms, "\n.br\n") + "\n.SH DESCRIPTION\nWithout the name of a command it compares.\n")
	manCommand(&b, compare)
	b.WriteString(".SH COMMANDS\n")
	for _, c := range p.commands() {
		if !c.hidden && c.name != comparison {
			fmt.Fprintf(&b, ".SS %s\n%s.\n", roff(c.form()), roff(sentence(c.does)))
			manCommand(&b, c)
		}
	}
	return p.write(func(w io.Writer) error {
		_, err := io.WriteString(w, p.named(b.String()))
		return err
	})
}

// manCommand writes all that there is to say about a command.
func manCommand(b *strings.Builder, c *command) {
	for _, paragraph := range c.about {
		fmt.Fprintf(b, ".PP\n%s\n", roff(paragraph))
	}
	manRows(b, "", c.terms)
	heading, rows := "", [][2]string(nil)
	for _, d := range c.describe() {
		if d.category != heading {
			manRows(b, heading, rows)
			heading, rows = d.category, nil
		}
		rows = append(rows, [2]string{strings.TrimSpace(d.names()), d.usage})
	}
	manRows(b, heading, rows)
	if c.values["limit"] != nil {
		manRows(b, "Limits, with their defaults", limitRows())
	}
	manRows(b, "Exit status", c.statuses())
	if len(c.examples) > 0 {
		fmt.Fprintf(b, ".PP\n.B Examples\n.PP\n.nf\n%s\n.fi\n", roff(strings.Join(c.examples, "\n")))
	}
}

// manRows writes words, each with what it means below it.
func manRows(b *strings.Builder, heading string, rows [][2]string) {
	if heading != "" && len(rows) > 0 {
		fmt.Fprintf(b, ".PP\n.B %s\n", roff(heading))
	}
	for _, r := range rows {
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(r[0]), roff(r[1]))
	}
}

// roff writes a text so that it stands in a manual page as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
