package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
)

// functionsCommand returns the command that lists and explains the functions of templates.
func (p *program) functionsCommand() *cli.Command {
	return command(p, &base{}, p.functions, &cli.Command{
		ArgsUsage: "[NAME...]", BashComplete: completes(functionWords),
		Usage: "list the template functions, or explain some with examples",
	})
}

// functionWords returns the names of all functions with their help.
func functionWords() [][2]string {
	var words [][2]string
	for _, d := range function.Docs() {
		words = append(words, [2]string{d.Name, d.Does})
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
	var others []function.Collection
	names := map[function.Collection][]string{}
	for _, d := range function.Docs() {
		if d.Example != "" {
			own = append(own, [2]string{d.Signature, d.Does})
			continue
		}
		if names[d.Of] == nil {
			others = append(others, d.Of)
		}
		names[d.Of] = append(names[d.Of], d.Name)
	}
	b.WriteString(rows(own))
	for _, of := range others {
		fmt.Fprintf(b, "\nFunctions of %s, described at %s:\n", of.Name, of.URL)
		b.WriteString(rendered("  {{wrap . 2}}\n", strings.Join(names[of], " "), map[string]any{}))
	}
}

// describeFunction writes the help of a function.
func describeFunction(b *strings.Builder, f *function.Function) {
	for _, d := range function.Docs() {
		if d.Name != f.Name {
			continue
		}
		fmt.Fprintf(b, "%s\n  %s\n", d.Signature, sentence(d.Does))
		if d.Example != "" {
			fmt.Fprintf(b, "\n  %s\n  %s: %s\n", d.Example, d.Label, d.Output)
		} else {
			fmt.Fprintf(b, "  A function of %s, described at %s\n", d.Of.Name, d.Of.URL)
		}
	}
	if f.Absent == function.Copes {
		b.WriteString("  It accepts absent values: a key that only it reads is optional.\n")
	}
	if f.Unsteady != "" {
		fmt.Fprintf(b, "  It %s: its result may differ from run to run.\n", f.Unsteady)
	}
}
