package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/docs"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/run/code"
)

// docsOptions are the options of the command docs.
type docsOptions struct {
	base
	word string // of --search
}

// docsCommand returns the command that prints the manual.
func (p *program) docsCommand() *cli.Command {
	o := &docsOptions{}
	return command(p, o, p.docs, &cli.Command{
		ArgsUsage: "[CHAPTER]", BashComplete: completes(chapterRows),
		Usage: "list the chapters of the manual, print one, or search them",
		Description: `A terminal shows a chapter laid out to its width. A pipe or a file gets it as
Markdown.

Examples:
  validationTool docs start
  validationTool docs --search baseline`,
		Flags: []cli.Flag{
			option("search", often, one(&o.word),
				"list the lines that contain `WORD`, in any case, with their chapters"),
		},
	})
}

// Validate implements options.
func (o *docsOptions) Validate(args []string) error {
	if len(args) > 1 {
		return errors.New("docs prints one chapter at a time")
	}
	return o.base.Validate(args)
}

// chapterRows returns the names of the chapters with their titles.
func chapterRows() [][2]string {
	var all [][2]string
	for _, c := range docs.Chapters() {
		all = append(all, [2]string{c.Name, c.Title})
	}
	return all
}

// docs lists the chapters, prints one, or lists the lines with a word.
func (p *program) docs(_ context.Context, o *docsOptions) error {
	chapters := docs.Chapters()
	if len(o.args) > 0 {
		var names []string
		var chosen []docs.Chapter
		for _, c := range chapters {
			if names = append(names, c.Name); c.Name == o.args[0] {
				chosen = append(chosen, c)
			}
		}
		if chapters = chosen; chosen == nil {
			return p.usageError("there is no chapter %q; there are %s%s", o.args[0], code.Enumerate(names, "and"),
				code.DidYouMean(o.args[0], names))
		}
	}
	switch {
	case o.word != "":
		found := linesWith(chapters, o.word)
		if found == "" {
			return p.usageError("no line of the manual contains %q", o.word)
		}
		return p.say(found)
	case len(o.args) == 0:
		return p.print("Chapters of the manual; docs CHAPTER prints one, docs --search WORD finds lines:\n" + rows(chapterRows()))
	case !p.io.Terminal(p.io.Out):
		return p.say(chapters[0].Text)
	}
	return p.deliver("the chapter", func(w io.Writer) error {
		return text.Chapter(w, chapters[0].Text, text.Options{
			Width: widthFor(p.io.Out, p.io.Err, p.io.Env), Color: colored("auto", isTerminal(p.io.Out), p.io.Env),
		})
	})
}

// linesWith returns the lines of chapters that contain a word in any case, each after its place.
func linesWith(chapters []docs.Chapter, word string) string {
	var found strings.Builder
	for _, c := range chapters {
		n := 0
		for line := range strings.Lines(c.Text) {
			if n++; strings.Contains(strings.ToLower(line), strings.ToLower(word)) {
				fmt.Fprintf(&found, "%s:%d: %s\n", c.Name, n, strings.TrimSpace(line))
			}
		}
	}
	return found.String()
}
