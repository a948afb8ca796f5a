package cli

import (
	"context"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/template"
)

// scripts holds a script for each shell. The scripts ask this tool how the last word of a command
// line can continue. The scripts of the library are not used, because they evaluate what the user
// typed and do not complete values of options.
//
//go:embed completion
var scripts embed.FS

// Instructions for the shell, as the numbers that cobra and kubectl use.
const (
	orFiles  = 0 // complete names of files too
	noSpace  = 2 // add no blank after the word
	wordOnly = 4 // complete no names of files
)

// shells returns the arguments of the command completion, each with an example of its use.
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
	return command(p, &base{}, p.completion, &cli.Command{
		ArgsUsage:    "SHELL",
		Usage:        "print the completion script of a shell",
		BashComplete: completes(shells),
		Description:  "To load the script in every shell, add the line to the shell's startup file.\n\n  " + strings.TrimSpace(rows(shells())),
	})
}

// completion prints the script of a shell.
func (p *program) completion(_ context.Context, o *base) error {
	script, err := scripts.ReadFile("completion/" + o.args[0])
	if err != nil {
		return p.usageError("completion needs the name of a shell: bash, zsh, fish, powershell or kubectl")
	}
	tool := strings.ReplaceAll(p.name, " ", "-")
	names := tool
	if tool == finding.ToolName {
		names += " " + strings.ToLower(tool) // as `go install` and packages name it
	}
	return p.say(strings.NewReplacer("TOOL", tool, "NAMES", names, "PLUGIN", p.name).Replace(string(script)))
}

// completes returns the function with which the library prints the possible arguments of a command.
func completes(words func() [][2]string) cli.BashCompleteFunc {
	return func(c *cli.Context) { printWords(c.App.Writer, words()) }
}

// printWords prints words, each with its help after a tab.
func printWords(w io.Writer, words [][2]string) {
	for _, word := range words {
		fmt.Fprintf(w, "%s\t%s\n", word[0], word[1])
	}
}

// complete prints the possible continuations of the last word, each with its help after a tab, and
// an instruction for the shell.
func (p *program) complete(ctx context.Context, words []string) error {
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	var all, fitting strings.Builder
	how := p.candidates(ctx, &all, words[:last], words[last])
	for line := range strings.Lines(all.String()) {
		if strings.HasPrefix(line, words[last]) {
			fitting.WriteString(line)
		}
	}
	return p.say(fmt.Sprintf("%s:%d\n", fitting.String(), how))
}

// candidates prints words that can replace the word after the words before it, and returns the
// instruction for the shell.
func (p *program) candidates(ctx context.Context, w io.Writer, before []string, word string) int {
	const probe = "\x00"
	all := p.commands()
	c, rest := find(all, before)
	options, args, _ := front(c.Flags, append(slices.Clip(rest), probe)) // an incomplete command line can have errors
	name, _, assigned := strings.Cut(word, "=")
	waiting := flagOf(c.Flags, strings.TrimPrefix(name, "--"))
	_, given, _ := front(flagsOf(all), before)
	switch last := len(options) - 1; {
	case last > 0 && options[last] == probe:
		return p.completeValue(ctx, w, flagOf(c.Flags, options[last-1][2:]), "", word, referenceOf(options, args))
	case slices.Contains(before, "--"):
		return orFiles
	case assigned && strings.HasPrefix(name, "--") && waiting != nil:
		return p.completeValue(ctx, w, waiting, name+"=", word, referenceOf(options, args))
	case strings.HasPrefix(word, "-") && word != stdin:
		for _, f := range c.VisibleFlags() {
			option := "--" + f.Names()[0]
			isThis := func(word string) bool { return word == option || strings.HasPrefix(word, option+"=") }
			if valueOf(f).many || !slices.ContainsFunc(options, isThis) {
				printWords(w, [][2]string{{option, about(f, false)}})
			}
		}
		return wordOnly
	case len(given) == 1 && c.BashComplete == nil:
		c, _ = find(all, []string{given[0], "--help"}) // the name of a command may also be a folder
	case len(given) == 0:
		printWords(w, described(all, ""))
	}
	if c.Name == explanation && len(args) > 2 {
		printWords(w, p.subjectsOf(ctx, referenceOf(options, args), true))
	}
	if c.BashComplete == nil {
		return orFiles
	}
	c.BashComplete(cli.NewContext(&cli.App{Writer: w}, nil, nil))
	return wordOnly
}

// completeValue prints possible values of an option, and returns the instruction for the shell.
// Each line begins with lead, or with the earlier items of a list.
func (p *program) completeValue(ctx context.Context, out io.Writer, f cli.Flag, lead, word, reference string) int {
	known := valueOf(f).words
	switch name := f.Names()[0]; {
	case strings.HasSuffix(name, "component"):
		known = p.componentsOf(ctx, reference)
	case name == "cr":
		printWords(out, p.subjectsOf(ctx, reference, false))
		return wordOnly
	}
	if known == nil {
		return orFiles
	}
	if i := strings.LastIndex(word, ","); i >= 0 && valueOf(f).many {
		lead = word[:i+1]
	}
	how := wordOnly
	for _, w := range known {
		printWords(out, [][2]string{{lead + w, ""}})
		if strings.HasSuffix(w, "=") {
			how |= noSpace
		}
	}
	return how
}

// referenceOf returns the reference of a command line, or "".
func referenceOf(options, args []string) string {
	for i, option := range options {
		if value, assigned := strings.CutPrefix(option, "--reference="); assigned {
			return value
		} else if option == "--reference" && i+1 < len(options) {
			return options[i+1]
		}
	}
	return strings.Join(args[:min(1, len(args))], "")
}

// whileWaiting is how long a completion takes at most, because the user is waiting.
const whileWaiting = 2 * time.Second

// subjectsOf returns the CRs that the templates of a reference state, as selectors, with the paths of
// the templates as their help; and these paths if the user may name templates.
func (p *program) subjectsOf(ctx context.Context, reference string, templates bool) (words [][2]string) {
	ctx, cancel := context.WithTimeout(ctx, whileWaiting)
	defer cancel()
	_, engine, err := p.loadReference(ctx, reference)
	if err != nil {
		return nil
	}
	for _, t := range engine.Templates() {
		text := func(m template.Matcher) string {
			stated, _ := m.Exact()
			return stated
		}
		id := t.Identity
		one := finding.Object{Kind: text(id.Kind), Namespace: text(id.Namespace), Name: text(id.Name)}
		if one.Name != "" {
			words = append(words, [2]string{escape.Line(one.Selector()), escape.Line(t.Ref.Path)})
		}
		if templates {
			about, _, _ := strings.Cut(t.Ref.Description, "\n")
			words = append(words, [2]string{escape.Line(t.Ref.Path), escape.Line(about)})
		}
	}
	return words
}

// componentsOf returns the names of the components of a reference.
func (p *program) componentsOf(ctx context.Context, reference string) []string {
	ctx, cancel := context.WithTimeout(ctx, whileWaiting)
	defer cancel()
	names := []string{}
	ref, _, err := p.loadReference(ctx, reference)
	if err != nil {
		return names
	}
	for _, c := range ref.Components() {
		names = append(names, c.Name)
	}
	return names
}
