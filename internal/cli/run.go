package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/internal/watch"
)

// IO is what a run reads from and writes to.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) (string, bool) // looks up an environment variable
	Terminal func(stream any) bool       // says whether a stream is a terminal to ask questions on; nil to look
	Tick     <-chan time.Time            // when progress is shown; nil for every second
	Build    Build                       // what the binary was made from
	Exit     func(status int)            // ends the process, where a run cannot be ended otherwise; nil for never
}

// The exit statuses.
const (
	exitSame    = 0 // nothing was found that counts as a failure
	exitDiffers = 1 // differences
	exitTrouble = 2 // the answer is not trustworthy
)

// Run runs the command line args, whose first element is the program's own name, and returns the
// exit status.
func Run(ctx context.Context, args []string, io IO) (status int) {
	name := programName(args)
	p := &program{io: io, name: name, called: name, status: exitSame, limits: limits{}}
	defer func() {
		if r := recover(); r != nil {
			p.complain(fmt.Errorf("%s: %s", code.Internal, code.Fault(r)))
			status = exitTrouble
		}
	}()
	var rest []string
	if len(args) > 0 {
		rest = args[1:]
	}
	if err := p.run(ctx, rest); err != nil {
		p.complain(err)
		return exitTrouble
	}
	return p.status
}

// run runs the command that is meant.
func (p *program) run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == "__complete" { // what the scripts of the command completion call
		return p.complete(ctx, args[1:])
	}
	c, named, args := p.find(args)
	name := strings.Join(named, " ")
	if name != comparison {
		p.called += " " + name
	}
	l, err := arrange(c.Flags, args)
	switch asked := l.asked(); {
	case asked == "version":
		return p.version(ctx, nil)
	case asked != "":
		return p.printHelp(name, c, asked == "help-all")
	case err != nil:
		return p.usageError("%s", err)
	}
	return p.app().RunContext(ctx, slices.Concat([]string{p.name}, named, l.options, []string{"--"}, l.args))
}

// program is one invocation.
type program struct {
	io     IO
	name   string // as the user calls it: validationTool, kubectl compare, oc compare
	called string // with the command, where one is named
	status int
	limits limits // of --limit
	watch  *watch.Watch

	timings *timings // nil unless asked for

	mu         sync.Mutex // of what exit needs
	unfinished []func()   // take away what was written of files that are not complete
	progress   *progress  // nil unless there is a terminal
}

// programName returns how the user calls the program: a link named kubectl-compare is called as
// "kubectl compare", and kubectl finds kubectl-validation_tool as "kubectl validation-tool".
func programName(args []string) string {
	if len(args) > 0 {
		base := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(args[0]), ".exe"), "_", "-")
		for _, host := range []string{"kubectl", "oc"} {
			if plugin, found := strings.CutPrefix(base, host+"-"); found && plugin != "" {
				return host + " " + plugin
			}
		}
	}
	return finding.ToolName
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
	p.watch.Writing()
	w := bufio.NewWriterSize(p.io.Out, 64<<10)
	if err := f(w); err != nil {
		return err
	}
	return w.Flush()
}

// plainly writes a text as it is.
func plainly(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// say writes a text that was asked for.
func (p *program) say(text string) error { return p.deliver("the text", plainly(text)) }

// deliver writes what a command is for. It is no error that nobody reads it to its end.
func (p *program) deliver(what string, f func(io.Writer) error) error {
	err := p.write(f)
	if err == nil || isClosedPipe(err) {
		return nil
	}
	return fmt.Errorf("%s: %s could not be written: %w", code.OutputFailed, what, err)
}

// answer writes what a command found out: as the document that it is, or in the format that asText
// has for all others. Where the context has ended, it is not all, and why that is so takes its
// place.
func (p *program) answer(ctx context.Context, o *options, what string, found any, asText func(io.Writer) error) error {
	if ctx.Err() != nil {
		return watch.Cause(ctx).And(", and nothing was reported")
	}
	return p.deliver(what, func(w io.Writer) error {
		switch o.format {
		case "json":
			return visible.WriteJSON(w, found)
		case "yaml":
			return formats.AnyYAML(w, found)
		}
		return asText(w)
	})
}

// isTerminal reports whether somebody sits at a stream, who can be asked and told.
func (p *program) isTerminal(stream any) bool {
	if p.io.Terminal != nil {
		return p.io.Terminal(stream)
	}
	return isTerminal(stream)
}

// exit ends the process where a run goes on after its limits. Files that are not complete are taken
// away.
func (p *program) exit(why error) {
	if p.io.Exit == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock() // at the end of the process, so that nothing new is begun
	p.progress.Hide()
	p.complain(why)
	for _, drop := range p.unfinished {
		drop()
	}
	p.io.Exit(exitTrouble)
}

// begun has exit take away what was written so far of a file or folder, by drop.
func (p *program) begun(drop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unfinished = append(p.unfinished, drop)
}
