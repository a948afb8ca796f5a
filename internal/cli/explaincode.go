package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/remark"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// explainOptions are the options of the command explain.
type explainOptions struct {
	base
	format, reference string
}

// explainCommand returns the command explain.
func (p *program) explainCommand() *cli.Command {
	o := &explainOptions{}
	return command(p, o, p.explain, &cli.Command{
		ArgsUsage: "[CODE...]", Usage: "explain a code such as VT2005, and what to do",
		BashComplete: completes(codeWords),
		Description: `With --reference it also explains the reference's own codes, which its
codes.yaml defines. Without CODE it lists them.

Examples:
  validationTool explain VT2005
  validationTool explain TIME-FEW --reference reference
  validationTool explain --reference reference --output markdown`,
		Flags: []cli.Flag{
			option("reference r", rare, one(&o.reference),
				"explain the codes of `REFERENCE` too"),
			p.limitFlag(), formatFlag(&o.format, "the list of codes", "text", "markdown"),
		},
	})
}

// codeWords returns all codes with their titles.
func codeWords() [][2]string {
	var words [][2]string
	for _, e := range code.All() {
		words = append(words, [2]string{string(e.Code), e.Title})
	}
	return words
}

// explain prints explanations of codes.
func (p *program) explain(ctx context.Context, o *explainOptions) error {
	var ref *refconfig.Reference
	var engine *render.Engine
	if o.reference != "" {
		var err error
		if ref, engine, err = p.loadReference(ctx, o.reference); err != nil {
			return err
		}
	}
	switch {
	case len(o.args) == 0 && ref == nil:
		return p.usageError("explain needs a code, such as VT2005, or --reference to list its codes")
	case len(o.args) == 0:
		return p.listCodes(o, remark.Codes(ref, engine))
	case o.format != "text":
		return p.usageError("--output %s lists all codes; leave out CODE", o.format)
	}
	var about []string
	for _, arg := range o.args {
		name := strings.ToUpper(arg)
		e, known := code.Lookup(name)
		switch {
		case known:
			about = append(about, fmt.Sprintf("%s: %s\n\n%s\n\nWhat to do: %s\n", e.Code, e.Title, e.Cause, e.Do))
		case ref != nil:
			text, err := remark.Explain(ref, engine, name)
			if err != nil {
				return p.usageError("%s", err)
			}
			about = append(about, text)
		case code.CheckOwn(name) == nil:
			return p.usageError(
				"%s is not a code of the tool; for a code of a reference, add --reference", arg,
			)
		case strings.Contains(arg, "/"):
			return p.usageError("%q is not a code; use explain-match to explain why a CR matches a template", arg)
		default:
			return p.usageError("unknown code %q", arg)
		}
	}
	return p.print(strings.Join(about, "\n"))
}

// listCodes prints the codes of a reference, as a Markdown table or for a terminal.
func (p *program) listCodes(o *explainOptions, all []refconfig.OwnCode) error {
	if o.format == "markdown" {
		return p.deliver("the list of codes", func(w io.Writer) error { return formats.MarkdownCodes(w, all) })
	}
	var list [][2]string
	for _, own := range all {
		list = append(list, [2]string{own.Code, escape.Line(own.Title)})
	}
	if list == nil {
		return p.print("The reference has no codes of its own.\n")
	}
	return p.print(rows(list) + "\nTo explain a code: validationTool explain CODE --reference " + escape.Line(filepath.ToSlash(o.reference)) + "\n")
}
