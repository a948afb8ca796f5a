package cli

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// scripts has, for each shell, the script that asks this tool what the last word of a command line can be.
//
//go:embed completion
var scripts embed.FS

// How a shell takes the words that it is told, as numbers that kubectl knows too: they are those of the library that it is made with.
const (
	orFiles  = 0 // names of files fit as well
	noSpace  = 2 // no blank comes behind the word
	wordOnly = 4 // no names of files
)

// shells are what the command completion can be asked for.
func shells() [][2]string {
	return [][2]string{
		{"bash", "source <(validationTool completion bash)"},
		{"zsh", "source <(validationTool completion zsh)"},
		{"fish", "validationTool completion fish | source"},
		{"kubectl", "for the plugin: save it as kubectl_complete-NAME in a folder of PATH, NAME as in kubectl NAME, and make it executable"},
	}
}

// completionCommand prints the script of a shell.
func (p *program) completionCommand() *command {
	return &command{
		name: "completion", args: "SHELL", does: "print a script by which a shell completes commands, options and their values",
		about: []string{"What is printed is a script for the shell. To have it in every shell, put the line beside the shell's name into the file that the " +
			"shell reads when it starts."},
		terms: shells(), words: shells, run: p.completion,
		takes: func(a arrangement) bool { return len(a.rest) == 0 || len(a.rest) == 1 && isShell(a.rest[0]) },
	}
}

func isShell(name string) bool {
	return slices.ContainsFunc(shells(), func(s [2]string) bool { return s[0] == name })
}

// completion prints the script of a shell.
func (p *program) completion(c *cli.Context) error {
	shell := c.Args().First()
	if c.NArg() != 1 || !isShell(shell) {
		return p.usageError("completion needs the name of a shell: bash, zsh, fish or kubectl")
	}
	text, err := scripts.ReadFile("completion/" + shell)
	if err != nil {
		return err
	}
	script := strings.ReplaceAll(string(text), "TOOL", strings.ReplaceAll(p.name, " ", "-"))
	return p.write(func(w io.Writer) error {
		_, err := io.WriteString(w, strings.ReplaceAll(script, "PLUGIN", p.name))
		return err
	})
}

// complete prints what the last of some words can be, each with its meaning behind a tab, and how a shell is to take them.
func (p *program) complete(words []string) error {
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	fitting, how := p.candidates(words[:last], words[last])
	return p.write(func(w io.Writer) error {
		for _, f := range fitting {
			fmt.Fprintf(w, "%s\t%s\n", f[0], f[1])
		}
		_, err := fmt.Fprintf(w, ":%d\n", how)
		return err
	})
}

// candidates returns what a word can become behind others, each with its meaning.
func (p *program) candidates(before []string, word string) ([][2]string, int) {
	c, args := p.command(before)
	name, start, assigned := strings.Cut(word, "=")
	switch {
	case slices.Contains(args, "--"):
		return nil, orFiles
	case len(args) > 0 && c.waits(args[len(args)-1]) != nil:
		return c.fittingValues(c.waits(args[len(args)-1]), "", word)
	case assigned && strings.HasPrefix(name, "--") && c.waits(name) != nil:
		return c.fittingValues(c.waits(name), name+"=", start)
	case strings.HasPrefix(word, "-") && word != "-":
		return c.fittingOptions(args, word), wordOnly
	}
	how, words := orFiles, [][2]string(nil)
	switch {
	case c.words != nil:
		how, words = wordOnly, c.words()
	case len(before) == 0:
		words = append(p.commandWords(), [2]string{comparison, c.does})
	case len(before) == 1: // the name of a group may be a folder's too
		words = p.members(before[0])
	}
	return beginning(words, word), how
}

// waits returns the option that a word names, where that waits for a value; else nil.
func (c *command) waits(word string) *described {
	for _, d := range c.describe() {
		letters := strings.TrimPrefix(word, "-") // several short ones may stand in one word
		short := d.short != "" && letters != word && !strings.HasPrefix(letters, "-") && strings.HasSuffix(letters, d.short[1:])
		if d.argument != "" && (word == d.long || short) {
			return &d
		}
	}
	return nil
}

// fittingValues returns what the value of an option can become that begins with a word. What is returned begins with lead.
func (c *command) fittingValues(d *described, lead, word string) ([][2]string, int) {
	how, words := wordOnly, [][2]string(nil)
	if d.argument == "LIST" {
		i := strings.LastIndex(word, ",") + 1
		lead, word = lead+word[:i], word[i:]
	}
	for _, v := range c.values[strings.TrimPrefix(d.long, "--")] {
		if strings.HasPrefix(v, word) {
			words = append(words, [2]string{lead + v, ""})
		}
		if strings.HasSuffix(v, "=") {
			how = wordOnly | noSpace
		}
	}
	if slices.Contains([]string{"FILE", "DIR", "REFERENCE", "INPUT"}, d.argument) {
		how = orFiles
	}
	return words, how
}

// fittingOptions returns the options that a word can become, but for those that were given and may stand once.
func (c *command) fittingOptions(args []string, word string) [][2]string {
	given, _ := arrange(args, c)
	var words [][2]string
	for _, d := range c.describe() {
		if name := strings.TrimPrefix(d.long, "--"); !given.given[name] || given.known[name].many {
			text, _, _ := strings.Cut(d.usage, ";")
			words = append(words, [2]string{d.long, text})
		}
	}
	return beginning(words, word)
}

// beginning returns the words that begin as another does.
func beginning(words [][2]string, with string) [][2]string {
	return slices.DeleteFunc(slices.Clone(words), func(w [2]string) bool { return !strings.HasPrefix(w[0], with) })
}
