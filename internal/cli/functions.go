package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/function"
)

// functionsCommand returns the command that lists and explains the functions of templates.
func (p *program) functionsCommand() *cli.Command {
	return command(p, &base{}, p.functions, &cli.Command{
		Name: "functions", ArgsUsage: "[NAME...]", BashComplete: completes(functionWords),
		Usage: "list the template functions, or explain some with examples",
	})
}

// functionWords returns the names of all functions. Functions of this tool have their help.
func functionWords() [][2]string {
	var words [][2]string
	for _, a := range function.Own() {
		words = append(words, [2]string{a.Name, a.Does})
	}
	for _, c := range function.Collections() {
		for _, name := range c.Names {
			_, does := function.Described(name)
			words = append(words, [2]string{name, does})
		}
	}
	return words
}

// functions lists all functions, or explains those in the arguments.
func (p *program) functions(_ context.Context, o *base) error {
	var about strings.Builder
	all := function.Table()
	for i, name := range o.args {
		if i > 0 {
			about.WriteString("\n")
		}
		f, ok := all[name]
		if why := function.LeftOut(name); !ok && why != "" {
			return p.usageError("templates cannot call %s: %s", name, why)
		}
		if !ok {
			return p.usageError("unknown function %q%s", name, code.DidYouMean(name, slices.Sorted(maps.Keys(all))))
		}
		describeFunction(&about, f)
	}
	if len(o.args) == 0 {
		listFunctions(&about)
	}
	return p.print(about.String())
}

// listFunctions writes the names of all functions.
func listFunctions(b *strings.Builder) {
	b.WriteString("Functions of validationTool; functions NAME shows an example:\n")
	var own [][2]string
	for _, a := range function.Own() {
		own = append(own, [2]string{a.Signature, a.Does})
	}
	b.WriteString(rows(own))
	for _, c := range function.Collections() {
		fmt.Fprintf(b, "\nFunctions of %s, described at %s:\n", c.Name, c.Described)
		b.WriteString(rendered("  {{wrap . 2}}\n", strings.Join(c.Names, " "), map[string]any{}))
	}
}

// describeFunction writes the help of a function.
func describeFunction(b *strings.Builder, f *function.Function) {
	own := function.Own()
	if i := slices.IndexFunc(own, func(a function.About) bool { return a.Name == f.Name }); i >= 0 {
		a := own[i]
		fmt.Fprintf(b, "%s\n  %s\n\n  %s\n", a.Signature, sentence(a.Does), a.Example)
		label := "prints"
		switch {
		case a.Finds:
			label = "finds"
		case a.Of != "":
			label = "prints, where the input has " + a.Of
		}
		fmt.Fprintf(b, "  %s: %s\n", label, a.Prints)
	}
	for _, c := range function.Collections() {
		if slices.Contains(c.Names, f.Name) {
			signature, does := function.Described(f.Name)
			fmt.Fprintf(b, "%s\n  %s\n  A function of %s, described at %s\n", signature, sentence(does), c.Name, c.Described)
		}
	}
	if f.Copes {
		b.WriteString("  It accepts absent values: a key that only it reads is optional.\n")
	}
	if f.Unsteady != "" {
		fmt.Fprintf(b, "  It %s: its result may differ from run to run.\n", f.Unsteady)
	}
}
