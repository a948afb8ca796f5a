package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/visible"
)

// IO is what a run reads from and writes to.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) (string, bool) // looks up an environment variable
	Terminal func(stream any) bool       // says whether a stream is a terminal to ask questions on; nil to look
}

// The exit statuses.
const (
	exitSame    = 0 // nothing was found that counts as a failure
	exitDiffers = 1 // differences
	exitTrouble = 2 // the answer is not trustworthy
)

// Run runs the command line args, whose first element is the program's own name, and returns the exit status.
func Run(ctx context.Context, args []string, io IO) (status int) {
	p := &program{io: io, name: programName(args), status: exitSame}
	defer func() {
		if r := recover(); r != nil {
			p.complain(fmt.Errorf("%s: %s", code.Internal, code.Fault(r)))
			status = exitTrouble
		}
	}()
	app := p.app()
	rest := []string{}
	if len(args) > 0 {
		rest = args[1:]
	}
	name, rest := command(rest, commandNames(app))
	argv, flags := []string{app.Name}, app.Flags
	if name != "" {
		argv = append(argv, name)
		flags = nil
		if c := app.Command(name); c != nil {
			flags = c.Flags
		}
	}
	arranged, help, err := arrange(rest, flags)
	switch {
	case err != nil:
		p.complain(p.usageError("%s", err))
		return exitTrouble
	case help:
		arranged = []string{"--help"}
	}
	if err := app.RunContext(ctx, append(argv, arranged...)); err != nil {
		p.complain(err)
		return exitTrouble
	}
	return p.status
}

// program is one invocation.
type program struct {
	io     IO
	name   string // as the user calls it: validationTool, kubectl compare, oc compare
	status int

	timings *timings // nil unless asked for
}

// programName returns how the user calls the program: a link named kubectl-compare is called as "kubectl compare".
func programName(args []string) string {
	if len(args) == 0 {
		return "validationTool"
	}
	base := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	switch strings.ReplaceAll(base, "_", "-") {
	case "kubectl-compare":
		return "kubectl compare"
	case "oc-compare":
		return "oc compare"
	}
	return "validationTool"
}

func commandNames(app *cli.App) map[string]bool {
	names := map[string]bool{"compare": true, "help": true}
	for _, c := range app.Commands {
		names[c.Name] = true
	}
	return names
}

// complain prints an error that ended the run.
func (p *program) complain(err error) {
	if isClosedPipe(err) {
		return
	}
	prefix := strings.ReplaceAll(p.name, " ", "-") + ": "
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(p.io.Err, prefix+visible.Short(line)) // names and messages may hold anything
		prefix = ""
	}
}

// isClosedPipe reports whether the reader of our output went away.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// write runs f with a buffered output stream.
func (p *program) write(f func(io.Writer) error) error {
	w := bufio.NewWriterSize(p.io.Out, 64<<10)
	if err := f(w); err != nil {
		return err
	}
	return w.Flush()
}

// file returns the *os.File behind a stream, if there is one.
func file(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && f != nil
}
