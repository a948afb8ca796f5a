package cli

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// scripts has, for each shell, the script that asks this tool what the last word of a command line
// can be. Those of the library evaluate what the user typed, and know no values of options.
//
//go:embed completion
var scripts embed.FS

// How a shell takes the words that it is told, as numbers that kubectl knows too: they are those of
// the library that it is made with.
const (
	orFiles  = 0 // names of files fit as well
	noSpace  = 2 // no blank comes behind the word
	wordOnly = 4 // no names of files
)

// shells returns what the command completion can be asked for.
func shells() [][2]string {
	return [][2]string{
		{"bash", "source <(validationTool completion bash)"},
		{"zsh", "source <(validationTool completion zsh)"},
		{"fish", "validationTool completion fish | source"},
		{"powershell", "validationTool completion powershell | Out-String | Invoke-Expression"},
		{
			"kubectl",
			"for the plugin: save it as kubectl_complete-NAME in a folder of PATH, NAME as in kubectl NAME, and make it executable",
		},
	}
}

// completionCommand returns the command that prints the script of a shell.
func (p *program) completionCommand() *cli.Command {
	return p.command(p.newOptions(), p.completion, &cli.Command{
		Name: "completion", ArgsUsage: "SHELL",
		Usage:        "print the completion script of a shell",
		BashComplete: completes(shells),
		Description:  "To load the script in every shell, add the line to the shell's startup file.\n\n  " + strings.TrimSpace(rows(shells())),
	})
}

// completion prints the script of a shell.
func (p *program) completion(_ context.Context, o *options) error {
	script, err := scripts.ReadFile("completion/" + o.args[0])
	if err != nil {
		return p.usageError("completion needs the name of a shell: bash, zsh, fish, powershell or kubectl")
	}
	return p.say(strings.NewReplacer("TOOL", strings.ReplaceAll(p.name, " ", "-"), "PLUGIN", p.name).Replace(string(script)))
}

// completes returns a function of the library that prints what the arguments of a command can be.
func completes(words func() [][2]string) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		for _, w := range words() {
			fmt.Fprintf(c.App.Writer, "%s\t%s\n", w[0], w[1])
		}
	}
}

// argumentWords returns what the arguments of a command can be, each with its meaning; nil for
// files.
func argumentWords(c *cli.Command) (all [][2]string) {
	if c.BashComplete == nil {
		return nil
	}
	var b strings.Builder
	c.BashComplete(cli.NewContext(&cli.App{Writer: &b}, nil, nil))
	for line := range strings.Lines(b.String()) {
		word, meaning, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all = append(all, [2]string{word, meaning})
	}
	return all
}

// complete prints what the last of some words can be, each with its meaning behind a tab, and how a
// shell is to take them.
func (p *program) complete(ctx context.Context, words []string) error {
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	fitting, how := p.candidates(ctx, words[:last], words[last])
	var b strings.Builder
	for _, f := range fitting {
		if strings.HasPrefix(f[0], words[last]) {
			fmt.Fprintf(&b, "%s\t%s\n", f[0], f[1])
		}
	}
	fmt.Fprintf(&b, ":%d\n", how)
	return p.say(b.String())
}

// candidates returns what a word can become behind others, each with its meaning.
func (p *program) candidates(ctx context.Context, before []string, word string) ([][2]string, int) {
	c, _, args := p.find(before)
	l, _ := arrange(c.Flags, args) // what is wrong may not be complete yet
	name, _, assigned := strings.Cut(word, "=")
	switch waiting := waits(c.Flags, args); {
	case slices.Contains(args, "--"):
		return nil, orFiles
	case waiting != nil:
		return p.valuesOf(ctx, waiting, l, "", word)
	case assigned && strings.HasPrefix(name, "--") && flagOf(c.Flags, name[2:]) != nil:
		return p.valuesOf(ctx, flagOf(c.Flags, name[2:]), l, name+"=", word)
	case strings.HasPrefix(word, "-") && word != "-":
		var options [][2]string
		for _, f := range c.VisibleFlags() {
			if !l.isSet(f.Names()[0]) || isMany(f) {
				options = append(options, [2]string{"--" + f.Names()[0], about(f, false)})
			}
		}
		return options, wordOnly
	case c.BashComplete != nil:
		return argumentWords(c), wordOnly
	case len(before) == 0:
		return described(p.commands()), orFiles
	}
	if len(before) > 1 {
		return nil, orFiles
	}
	at, _, _ := p.find([]string{before[0], "--help"}) // the name of a command may be a folder's too
	return append(described(at.Subcommands), argumentWords(at)...), orFiles
}

// waits returns the option that waits for its value behind some words, nil if none does.
func waits(flags []cli.Flag, words []string) cli.Flag {
	if len(words) == 0 {
		return nil
	}
	word := words[len(words)-1]
	name, long := strings.CutPrefix(word, "--")
	if letters, short := strings.CutPrefix(word, "-"); short && !long && letters != "" {
		name = letters[len(letters)-1:] // several may stand in one word
	}
	if f := flagOf(flags, name); f != nil && valued(f) && strings.HasPrefix(word, "-") {
		return f
	}
	return nil
}

// valuesOf returns what the value of an option can become. What is returned begins with lead, and
// with what a list has until now.
func (p *program) valuesOf(ctx context.Context, f cli.Flag, l line, lead, word string) ([][2]string, int) {
	known := valueOf(f).words
	if strings.HasSuffix(f.Names()[0], "component") {
		known = p.componentsOf(ctx, l)
	}
	if known == nil {
		return nil, orFiles
	}
	if i := strings.LastIndex(word, ","); i >= 0 && valueOf(f).many {
		lead = word[:i+1]
	}
	how := wordOnly
	var words [][2]string
	for _, w := range known {
		words = append(words, [2]string{lead + w, ""})
		if strings.HasSuffix(w, "=") {
			how = wordOnly | noSpace
		}
	}
	return words, how
}

// componentsOf returns the names of the components of the reference that a command line names.
func (p *program) componentsOf(ctx context.Context, l line) []string {
	const longest = 2 * time.Second // somebody waits
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	o := p.newOptions()
	o.reference = strings.Join(l.args[:min(1, len(l.args))], "")
	if i := slices.IndexFunc(l.options, func(o string) bool { return strings.HasPrefix(o, "--reference=") }); i >= 0 {
		_, o.reference, _ = strings.Cut(l.options[i], "=")
	}
	ref, _, err := p.loadReference(ctx, o)
	if err != nil {
		return []string{}
	}
	var names []string
	for _, c := range ref.Components() {
		names = append(names, c.Name)
	}
	return names
}
