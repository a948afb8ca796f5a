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

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/destination"
	"github.com/validationtool/validationtool/internal/run/watch"
)

// IO has the streams and the environment of a run.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) (string, bool) // returns an environment variable
	Terminal func(stream any) bool       // reports whether a stream is a terminal; nil for the check of the system
	Now      func() time.Time            // the time for reports; nil for reports without one
	Tick     <-chan time.Time            // each tick shows the progress line; nil to show it every second
	Build    Build                       // describes the binary
	Exit     func(status int)            // ends the process if a run does not stop at its limits; nil to never end it
}

// The exit statuses.
const (
	exitOK         = 0 // no findings count as a failure
	exitDiffers    = 1 // findings count as a failure
	exitUnreliable = 2 // the result is unreliable
	// the reader of standard output ended before it had everything: 128 and the number of SIGPIPE, as
	// shells report it for other programs
	exitUnread = 141
)

// Run runs the command line args, whose first element is the program's name, and returns the exit
// status.
func Run(ctx context.Context, args []string, io IO) (status int) {
	name := programName(args)
	if io.Terminal == nil {
		io.Terminal = isTerminal
	}
	p := &program{io: io, name: name, called: name, status: exitOK, limits: limits{}}
	defer func() {
		if r := recover(); r != nil {
			p.printError(fmt.Errorf("%s: %s", code.Internal, code.Fault(r)))
			status = exitUnreliable
		}
	}()
	var rest []string
	if len(args) > 0 {
		rest = args[1:]
	}
	defer watch.EndInterrupted(ctx, p.exit)()
	switch err := p.run(ctx, rest); {
	case p.unread && err == nil, isClosedPipe(err):
		return exitUnread
	case err != nil:
		p.printError(err)
		return exitUnreliable
	}
	return p.status
}

// run finds and runs the command.
func (p *program) run(ctx context.Context, words []string) error {
	if len(words) > 0 && words[0] == "__complete" { // a completion script calls this
		return p.complete(ctx, words[1:])
	}
	all := p.possible(words)
	c, rest := find(all, words)
	if group := formerGroup(all, words); group != "" {
		fmt.Fprintf(p.io.Err, "%s: the command is now %s %s, without %s\n", p.name, p.name, c.Name, group)
	}
	if c.Name != comparison {
		p.called += " " + c.HelpName
	}
	options, args, err := front(c.Flags, rest)
	switch asked := helpIn(options); {
	case asked == "--version":
		return p.version(ctx, nil)
	case asked != "":
		return p.print(p.help(c, asked == "--help-all"))
	case err != nil:
		return p.usageError("%s", err)
	}
	one := *c
	one.Flags = given(c.Flags, options)
	words = slices.Concat([]string{p.name, c.Name}, options, []string{"--"}, args)
	return p.app([]*cli.Command{&one}).RunContext(ctx, words)
}

// given returns the flags of options, which have the form that front returns. The library takes a
// microsecond or two for each flag, whether it is given or not.
func given(flags []cli.Flag, options []string) (all []cli.Flag) {
	for _, o := range options {
		name, _, _ := strings.Cut(strings.TrimLeft(o, "-"), "=")
		if f := flagOf(flags, name); f != nil && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// program is one invocation.
type program struct {
	io     IO
	name   string // as the user calls it: validationTool, kubectl compare, oc compare
	called string // name with the words of the command, if the user names one
	status int
	unread bool   // the reader of standard output ended too early
	limits limits // the values of --limit
	watch  *watch.Watch
	inUse  destination.InUse // files that no output may be
	own    ownFiles          // files that are no input

	followLinks bool // links of inputs may lead out of them

	timings *timings // nil if --timings is not set

	mu         sync.Mutex // guards unfinished
	unfinished []func()   // functions that remove unfinished files
	progress   progress
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

// printError prints an error that ended the run.
func (p *program) printError(err error) {
	prefix := strings.ReplaceAll(p.name, " ", "-") + ": "
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(p.io.Err, prefix+escape.Short(line)) // names and messages can have any characters
		prefix = ""
	}
}

// isClosedPipe reports whether the reader of the output has closed it.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// write runs f with a buffered output stream. If the reader of the stream ends, this is no error, but
// decides about the exit status.
func (p *program) write(f func(io.Writer) error) error {
	p.watch.Writing()
	w := bufio.NewWriterSize(p.io.Out, 64<<10)
	err := f(w)
	if err == nil {
		err = w.Flush()
	}
	if isClosedPipe(err) {
		p.unread = true
		return nil
	}
	return err
}

// say writes a text that the user requested.
func (p *program) say(text string) error {
	return p.deliver("the text", func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// deliver writes the output of a command.
func (p *program) deliver(what string, f func(io.Writer) error) error {
	if err := p.write(f); err != nil {
		return fmt.Errorf("%s: %s could not be written: %w", code.OutputFailed, what, err)
	}
	return nil
}

// answer writes the result of a command: as a document in JSON or YAML, or with asText. If the
// context has ended, the result is incomplete; answer then returns the reason as an error and
// writes nothing.
func (p *program) answer(ctx context.Context, format, what string, found any, asText func(io.Writer) error) error {
	if ctx.Err() != nil {
		return watch.Cause(ctx).And(", and nothing was reported")
	}
	return p.deliver(what, func(w io.Writer) error {
		switch format {
		case "json":
			return escape.WriteJSON(w, found)
		case "yaml":
			return formats.AnyYAML(w, found)
		}
		return asText(w)
	})
}

// exit removes unfinished files and ends the process of a run that does not stop at its limits, or
// after an interrupt. It does not wait long for those who should read its message.
func (p *program) exit(why error) {
	if p.io.Exit == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock() // keep the lock until the process ends, so that no file is created
	for _, drop := range p.unfinished {
		drop()
	}
	said := make(chan struct{})
	go func() {
		p.progress.Hide()
		p.printError(why)
		close(said)
	}()
	select {
	case <-said:
	case <-time.After(time.Second / 2):
	}
	p.io.Exit(exitUnreliable)
}

// removeOnExit registers drop, which removes an unfinished file or folder.
func (p *program) removeOnExit(drop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unfinished = append(p.unfinished, drop)
}
