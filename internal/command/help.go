package command

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// helpWidth is how many columns help takes.
const helpWidth = 96

// Help is the help of a command: all of it, or what fits on a screen.
func (s Set) Help(c *Command, all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n\nUsage:\n  %s\n", Sentence(c.Does), c.form())
	if c.Main {
		b.WriteString("  " + finding.ToolName + " COMMAND ...\n\nCommands (COMMAND --help says more):\n")
		WriteRows(&b, s.Words())
	}
	for _, paragraph := range c.About {
		b.WriteString("\n")
		WriteWrapped(&b, "", "", paragraph)
	}
	if len(c.Terms) > 0 {
		b.WriteString("\n")
		WriteRows(&b, c.Terms)
	}
	if len(c.Examples) > 0 {
		fmt.Fprintf(&b, "\nExamples:\n  %s\n", strings.Join(c.Examples, "\n  "))
	}
	writeOptions(&b, c, all)
	b.WriteString("\nExit status:\n")
	WriteRows(&b, c.statuses())
	return b.String()
}

// writeOptions lists options: those that are used often with what they do in a line, or all of them.
func writeOptions(b *strings.Builder, c *Command, all bool) {
	rows := map[string][][2]string{}
	for _, o := range c.listed() {
		rows[o.Category] = append(rows[o.Category], [2]string{o.names(), o.usage()})
	}
	if !all {
		for i, r := range rows[Often] {
			rows[Often][i][1], _, _ = strings.Cut(r[1], ";")
		}
		rows = map[string][][2]string{Often: rows[Often]}
	}
	for _, category := range categories() {
		if len(rows[category]) > 0 {
			b.WriteString("\n" + category + ":\n")
			WriteRows(b, rows[category])
		}
	}
	for _, o := range c.listed() {
		if all && o.Table != nil {
			fmt.Fprintf(b, "\n%ss (--%s %s), with their defaults:\n", Sentence(o.Name), o.Name, o.argument())
			WriteRows(b, o.Table)
		}
	}
}

// WriteRows writes words, each with what it means beside it.
func WriteRows(b *strings.Builder, rows [][2]string) {
	widest := 0
	for _, r := range rows {
		widest = max(widest, len(r[0]))
	}
	for _, r := range rows {
		WriteWrapped(b, fmt.Sprintf("  %-*s  ", widest, r[0]), strings.Repeat(" ", widest+4), r[1])
	}
}

// WriteWrapped writes a text in lines, the first of which begins with first, the others with further.
func WriteWrapped(b *strings.Builder, first, further, text string) {
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

// Sentence begins a text with a capital letter.
func Sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
