package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
)

// noObjects is the error for an input that holds nothing to compare.
func noObjects(inputs []string) error {
	return fmt.Errorf("%s: %s: no Kubernetes object was found; point at the folder or archive that holds the CRs as YAML or JSON",
		code.InputNoObjects, quoted(inputs))
}

// reading is the reading of the inputs, which begins while the reference is loaded.
type reading struct {
	*gatherer
	p        *program
	c        *cli.Context
	progress *progress
	cancel   context.CancelFunc
	ended    chan struct{}
	summary  source.Summary
	err      error
	fault    error // of the tool itself
}

// read begins to read the inputs. Either collect or abandon has to be called.
func (p *program) read(c *cli.Context, inputs []string) *reading {
	debug.SetGCPercent(garbageOfSmall)
	progress := p.startProgress()
	ctx, cancel := context.WithCancel(c.Context)
	r := &reading{gatherer: newGatherer(inputs, progress.add, p.limits, c.Bool("no-scan")), p: p, c: c, progress: progress, cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		defer func() {
			if f := recover(); f != nil {
				r.fault = fmt.Errorf("%s: %s", code.Internal, code.Fault(f))
			}
		}()
		r.summary, r.err = r.gather(ctx, source.Options{Stdin: p.io.In, Nested: c.Bool("nested"), Want: candidate, Limits: p.limits.source()})
	}()
	return r
}

// abandon ends the reading before it is known what is wanted.
func (r *reading) abandon() {
	r.cancel()
	r.want(func(*manifest.Object) {})
	r.wait()
}

// wait waits for the end of the reading.
func (r *reading) wait() {
	<-r.ended
	r.cancel()
	r.progress.stop()
}

// collect returns what was read, or why nothing can be compared. trim lets go of what of an object no later step asks for.
func (r *reading) collect(trim func(*manifest.Object)) (compare.Collected, error) {
	r.want(trim)
	r.wait()
	var in compare.Collected
	if r.fault != nil {
		return in, r.fault
	}
	stopped := r.c.Context.Err() != nil
	if !stopped { // else a file that was left may still be read
		r.buffers = nil // they would be kept through the comparison
	}
	if r.err != nil && !stopped {
		return in, fmt.Errorf("%s: %w", code.InputNotFound, r.err)
	}
	if r.count() > r.limits.objects() {
		return in, fmt.Errorf("%s: the inputs hold more than %d CRs, the limit; nothing was compared; name a part of them, or raise the limit with --limit objects=N",
			code.LimitObjects, r.limits.objects())
	}
	in = r.collected(r.summary)
	r.p.timings.input(r.summary, len(in.Objects))
	r.sparing(in.Objects)
	if stopped {
		in.Stopped = fmt.Sprintf("the run was interrupted while the input was read: %d CRs were found until then, and no rule was evaluated; run it again",
			len(in.Objects))
	}
	if len(in.Objects) == 0 && len(in.Unreadable) == 0 && !stopped {
		return in, noObjects(r.inputs)
	}
	if r.c.Bool("skip-unreadable") {
		in.Unreadable = slices.DeleteFunc(in.Unreadable, func(u manifest.Problem) bool {
			skip := skippable(u.Code)
			if skip {
				in.Warnings = append(in.Warnings, compare.Warning{Code: u.Code, Message: u.Message, Place: compare.Where(u.Place)})
			}
			return skip
		})
	}
	return in, nil
}
