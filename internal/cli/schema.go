package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/docs"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/schema"
)

// schemaCommand returns the command that prints JSON schemas of the files that people write, and of
// the documents that the tool writes.
func (p *program) schemaCommand() *cli.Command {
	return command(p, &base{}, p.schema, &cli.Command{
		ArgsUsage: "[NAME]", BashComplete: completes(func() [][2]string { return slices.Concat(schemaRows(), documentRows()) }),
		Usage: "list JSON schemas of files and of --output json, or print one",
	})
}

// schemaRows returns the names of the schemas of files, each with the file that it describes.
func schemaRows() [][2]string {
	return describedSchemas(schema.Names(), map[string]string{
		"metadata":    "metadata.yaml of a reference, v1 and v2",
		"codes":       "codes.yaml of a reference",
		"overrides":   "files for --overrides",
		"diff-config": "files for --diff-config",
		"impact":      "files for --impact",
		"expect":      "expect.yaml of a fixture",
		"values":      "files for render --values",
	})
}

// documentRows returns the names of the schemas of documents, each with the command that prints the
// document.
func documentRows() [][2]string {
	return describedSchemas(docs.Schemas(), map[string]string{
		"report":  "a comparison, and report",
		"diff":    "diff of two reports",
		"refdiff": "diff of two references",
		"explain": "explain-match",
		"lint":    "lint",
		"inspect": "inspect",
		"needs":   "needs",
		"test":    "test",
	})
}

// describedSchemas returns names with what the schemas are about.
func describedSchemas(names []string, about map[string]string) (all [][2]string) {
	for _, name := range names {
		all = append(all, [2]string{name, about[name]})
	}
	return all
}

// schema prints a schema, or lists all.
func (p *program) schema(_ context.Context, o *base) error {
	switch len(o.args) {
	case 0:
		return p.print("JSON schemas; schema NAME prints one.\n\nOf files that you write:\n" + rows(schemaRows()) +
			"\nOf what these print with --output json:\n" + rows(documentRows()))
	case 1:
		for _, from := range []func(string) ([]byte, bool){schema.Text, docs.Schema} {
			if text, ok := from(o.args[0]); ok {
				return p.say(string(text))
			}
		}
		names := slices.Sorted(slices.Values(slices.Concat(schema.Names(), docs.Schemas())))
		return p.usageError("there is no schema %q; there are %s%s", o.args[0], code.Enumerate(names, "and"),
			code.DidYouMean(o.args[0], names))
	}
	return p.usageError("schema prints one schema at a time, not %s", strings.Join(o.args, ", "))
}
