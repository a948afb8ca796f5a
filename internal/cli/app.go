package cli

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
)

// app builds the command line.
func (p *program) app() *cli.App {
	o := &options{}
	return &cli.App{
		Name:                   "validationTool",
		HelpName:               p.name,
		Usage:                  "compare the configuration of a cluster with a reference configuration",
		CustomAppHelpTemplate:  p.help(),
		Flags:                  o.compareFlags(),
		Action:                 func(c *cli.Context) error { return p.compare(c, o) },
		HideVersion:            true,
		UseShortOptionHandling: true,
		Reader:                 p.io.In,
		Writer:                 p.io.Out,
		ErrWriter:              p.io.Err,
		ExitErrHandler:         func(*cli.Context, error) {}, // Run decides about the exit status
		OnUsageError:           func(_ *cli.Context, err error, _ bool) error { return p.usageError("%s", err) },
		Commands: []*cli.Command{
			p.explainMatchCommand(),
			{Name: "explain", Usage: "say what a code such as VT2005 means, and what to do", ArgsUsage: "CODE...", Action: p.explain,
				OnUsageError: func(_ *cli.Context, err error, _ bool) error { return p.usageError("%s", err) }},
			{Name: "version", Usage: "print the version", Action: p.version},
		},
	}
}

// usageError is the error for a command line that makes no sense.
func (p *program) usageError(format string, args ...any) error {
	return fmt.Errorf("%s: %s; see %s --help", code.Usage, fmt.Sprintf(format, args...), p.name)
}

// explain prints what codes mean.
func (p *program) explain(c *cli.Context) error {
	if c.NArg() == 0 {
		return p.usageError("explain needs a code, such as VT2005")
	}
	return p.write(func(w io.Writer) error {
		for i, arg := range c.Args().Slice() {
			e, ok := code.Lookup(code.Code(strings.ToUpper(arg)))
			if !ok {
				return p.usageError("there is no code %q", arg)
			}
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%s: %s\n\n%s\n\nWhat to do: %s\n", e.Code, e.Title, e.Cause, e.Do)
		}
		return nil
	})
}

func (p *program) version(c *cli.Context) error {
	if c.NArg() > 0 {
		return p.usageError("version takes no arguments")
	}
	return p.write(func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "validationTool %s\n", toolVersion())
		return err
	})
}

// toolVersion returns the version that Go built into the binary: the module's, "(devel)" for a build from a checkout.
func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
