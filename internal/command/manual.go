package command

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// Manual is the manual page of a release and its date, for man(1): every command with all its options.
func (s Set) Manual(release, date string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH VALIDATIONTOOL 1 %q %q\n", date, finding.ToolName+" "+release)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", finding.ToolName, roff(s.main().Does))
	var forms []string
	for _, c := range s {
		if !c.Hidden {
			forms = append(forms, ".B "+roff(c.form()))
		}
	}
	b.WriteString(strings.Join(forms, "\n.br\n") + "\n.SH DESCRIPTION\nWithout the name of a command it compares.\n")
	manCommand(&b, s.main())
	b.WriteString(".SH COMMANDS\n")
	for _, c := range s {
		if !c.Hidden && !c.Main {
			fmt.Fprintf(&b, ".SS %s\n%s.\n", roff(c.form()), roff(Sentence(c.Does)))
			manCommand(&b, c)
		}
	}
	return b.String()
}

// manCommand writes all that there is to say about a command.
func manCommand(b *strings.Builder, c *Command) {
	for _, paragraph := range c.About {
		fmt.Fprintf(b, ".PP\n%s\n", roff(paragraph))
	}
	manRows(b, "", c.Terms)
	heading, rows := "", [][2]string(nil)
	for _, o := range c.listed() {
		if o.Category != heading {
			manRows(b, heading, rows)
			heading, rows = o.Category, nil
		}
		rows = append(rows, [2]string{strings.TrimSpace(o.names()), o.usage()})
	}
	manRows(b, heading, rows)
	for _, o := range c.listed() {
		manRows(b, Sentence(o.Name)+"s, with their defaults", o.Table)
	}
	manRows(b, "Exit status", c.statuses())
	if len(c.Examples) > 0 {
		fmt.Fprintf(b, ".PP\n.B Examples\n.PP\n.nf\n%s\n.fi\n", roff(strings.Join(c.Examples, "\n")))
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
