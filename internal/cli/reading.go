package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/gather"
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
	passed   []compare.Passed // what of the inputs was passed over; set by collect
	err      error
	fault    error // of the tool itself
}

// read begins to read the inputs. Either collect or abandon has to be called.
func (p *program) read(c *cli.Context, inputs []string) *reading {
	debug.SetGCPercent(garbageOfSmall)
	p.spareMemory()
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
		r.summary, r.err = r.gather(ctx, source.Options{Stdin: p.io.In, Nested: c.Bool("nested"), Want: source.Candidate, Limits: p.limits.source()})
	}()
	return r
}

// abandon ends the reading before it is known what is wanted.
func (r *reading) abandon() {
	r.cancel()
	r.want(func(*manifest.Object) int64 { return 0 })
	r.wait()
}

// wait waits for the end of the reading.
func (r *reading) wait() {
	<-r.ended
	r.cancel()
	r.progress.stop()
}

// collect returns what was read, or why nothing can be compared. trim lets go of what of an object no later step asks for.
func (r *reading) collect(trim trimmer) ([]compare.Collected, error) {
	r.want(trim)
	r.wait()
	if r.fault != nil {
		return nil, r.fault
	}
	stopped := r.c.Context.Err() != nil
	if !stopped { // else a file that was left may still be read
		r.buffers = nil // they would be kept through the comparison
	}
	if r.err != nil && !stopped {
		return nil, fmt.Errorf("%s: %w", code.InputNotFound, r.err)
	}
	if r.count() > r.limits.objects() {
		return nil, fmt.Errorf("%s: the inputs hold more than %d CRs, the limit; nothing was compared; name a part of them, or raise the limit with --limit objects=N",
			code.LimitObjects, r.limits.objects())
	}
	all, passed, err := r.collected(r.summary, gather.Options{Join: r.c.Bool("join"), Only: r.c.StringSlice("cluster")})
	if err != nil {
		return nil, r.p.usageError("--cluster: %s", err)
	}
	r.passed = passed
	objects, unreadable := 0, 0
	for _, in := range all {
		objects += len(in.Objects)
		unreadable += len(in.Unreadable)
	}
	if objects+unreadable == 0 && !stopped {
		return nil, noObjects(r.inputs)
	}
	r.p.timings.input(r.summary, objects)
	r.sparing(all)
	for i := range all {
		if stopped {
			all[i].Stopped = fmt.Sprintf("the run was interrupted while the input was read: %d CRs were found until then, and no rule was evaluated; run it again",
				len(all[i].Objects))
		}
		if r.c.Bool("skip-unreadable") {
			skipUnreadable(&all[i])
		}
	}
	return all, nil
}

// skipUnreadable turns what could not be read into warnings.
func skipUnreadable(in *compare.Collected) {
	in.Unreadable = slices.DeleteFunc(in.Unreadable, func(u manifest.Problem) bool {
		skip := skippable(u.Code)
		if skip {
			in.Warnings = append(in.Warnings, warning(u))
			in.Blank = append(in.Blank, u.Place)
		}
		return skip
	})
}
