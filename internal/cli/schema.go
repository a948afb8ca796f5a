package cli

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/schema"
)

// schemaCommand returns the command that prints JSON schemas of the files that people write.
func (p *program) schemaCommand() *cli.Command {
	return command(p, &base{}, p.schema, &cli.Command{
		ArgsUsage: "[NAME]", BashComplete: completes(schemaRows),
		Usage: "list JSON schemas for editors, or print one",
	})
}

// schemaRows returns the names of the schemas, each with the file that it describes.
func schemaRows() [][2]string {
	about := map[string]string{
		"metadata":    "metadata.yaml of a reference, v1 and v2",
		"codes":       "codes.yaml of a reference",
		"overrides":   "files for --overrides",
		"diff-config": "files for --diff-config",
		"impact":      "files for --impact",
		"expect":      "expect.yaml of a fixture",
		"values":      "files for render --values",
	}
	var rows [][2]string
	for _, name := range schema.Names() {
		rows = append(rows, [2]string{name, about[name]})
	}
	return rows
}

// schema prints a schema, or lists all.
func (p *program) schema(_ context.Context, o *base) error {
	switch len(o.args) {
	case 0:
		return p.print("JSON schemas; schema NAME prints one:\n" + rows(schemaRows()))
	case 1:
		if text, ok := schema.Text(o.args[0]); ok {
			return p.print(string(text))
		}
		return p.usageError("there is no schema %q; there are %s%s", o.args[0], code.Enumerate(schema.Names(), "and"),
			code.DidYouMean(o.args[0], schema.Names()))
	}
	return p.usageError("schema prints one schema at a time, not %s", strings.Join(o.args, ", "))
}
