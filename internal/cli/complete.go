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

// scripts holds a script for each shell. The scripts ask this tool how the last word of a command
// line can continue. The scripts of the library are not used: they evaluate what the user typed,
// and complete no values of options.
//
//go:embed completion
var scripts embed.FS

// Instructions for the shell, as the numbers that cobra and kubectl use.
const (
	orFiles  = 0 // complete names of files too
	noSpace  = 2 // add no blank after the word
	wordOnly = 4 // complete no names of files
)

// shells returns the arguments of the command completion, each with its help.
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

// completes returns a function for the library that prints the possible arguments of a command.
func completes(words func() [][2]string) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		for _, w := range words() {
			fmt.Fprintf(c.App.Writer, "%s\t%s\n", w[0], w[1])
		}
	}
}

// argumentWords returns the possible arguments of a command, each with its help; nil for files.
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

// complete prints how the last word can continue, each with its help after a tab, and an
// instruction for the shell.
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

// candidates returns how a word can continue after the words before it, each with its help.
func (p *program) candidates(ctx context.Context, before []string, word string) ([][2]string, int) {
	c, _, args := p.find(before)
	l, _ := arrange(c.Flags, args) // the line may be incomplete, so its errors do not matter
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
	at, _, _ := p.find([]string{before[0], "--help"}) // the name of a command may also be a folder
	return append(described(at.Subcommands), argumentWords(at)...), orFiles
}

// waits returns the option whose value comes after some words, or nil.
func waits(flags []cli.Flag, words []string) cli.Flag {
	if len(words) == 0 {
		return nil
	}
	word := words[len(words)-1]
	name, long := strings.CutPrefix(word, "--")
	if letters, short := strings.CutPrefix(word, "-"); short && !long && letters != "" {
		name = letters[len(letters)-1:] // one word may hold several short options
	}
	if f := flagOf(flags, name); f != nil && valued(f) && strings.HasPrefix(word, "-") {
		return f
	}
	return nil
}

// valuesOf returns how the value of an option can continue. Each result begins with lead and the
// earlier items of a list.
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

// componentsOf returns the names of the components of the command line's reference.
func (p *program) componentsOf(ctx context.Context, l line) []string {
	const longest = 2 * time.Second // the user is waiting
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
