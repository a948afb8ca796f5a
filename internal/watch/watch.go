// Package watch stops a run that exceeds its limit of time or memory.
//
// It cancels the context of the run, as Ctrl-C does, so that the report is written from the
// complete parts. If the run does not end then, the caller's exit function ends it. No other
// package limits time and memory of the whole run.
package watch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/validationtool/validationtool/internal/code"
)

// Limits are the limits of a run. A zero field means no limit.
type Limits struct {
	// limit of both the elapsed and the processor time; a second more for every 10 MB of input, see
	// Watch.AddInput
	Time   time.Duration
	Memory int64 // bytes that the process may hold
}

// Ended is the cause of a context that a Watch cancelled.
type Ended struct {
	Code    code.Code
	Why, Do string // the reason, and what to do
}

// Message returns the reason and what to do.
func (e *Ended) Message() string { return e.Why + "; " + e.Do }

// Error returns the message with its code.
func (e *Ended) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message()) }

// And returns a copy with more appended to the reason.
func (e *Ended) And(more string) *Ended { return &Ended{e.Code, e.Why + more, e.Do} }

// Watch measures a run until Stop. Several goroutines may call its methods. A nil *Watch watches
// nothing.
type Watch struct {
	limits  Limits
	machine machine
	cancel  context.CancelCauseFunc
	exit    func(error)

	begun, processor time.Duration // values at the start, see machine
	input            atomic.Int64
	writing          atomic.Bool
	ended            *Ended // why the context was cancelled; used only by look
	endedAt          usage

	done  chan struct{}
	group sync.WaitGroup
}

// usage is the elapsed time and the processor time of the process.
type usage struct{ clock, processor time.Duration }

const (
	interval    = 20 * time.Millisecond // between two measurements
	bytesSecond = 10_000_000            // bytes of input that allow one more second
	grace       = 4 * time.Second       // time for a run to end after its context was cancelled
)

// Start starts to watch a run and returns its context. exit ends the process with a message if the
// run ignores its context, or uses 1.5 times its limit of memory; it is called at most once.
func Start(ctx context.Context, l Limits, exit func(error)) (context.Context, *Watch) {
	return start(ctx, l, exit, thisMachine())
}

func start(ctx context.Context, l Limits, exit func(error), m machine) (context.Context, *Watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &Watch{limits: l, machine: m, cancel: cancel, exit: exit, done: make(chan struct{})}
	w.keepUnder(l.Memory - l.Memory/4)
	w.begun, w.processor = m.clock(), m.processor()
	w.group.Go(w.run)
	return ctx, w
}

// keepUnder makes the garbage collector run as often as needed to keep the process below this
// number of bytes.
func (w *Watch) keepUnder(bytes int64) {
	if w.limits.Memory > 0 {
		w.machine.collectAt(bytes)
	}
}

// AddInput allows the run more time for a number of bytes of its input.
func (w *Watch) AddInput(bytes int64) {
	if w != nil {
		w.input.Add(bytes)
	}
}

// Writing removes the limit of time, because the report is being written. The limit of memory
// stays.
func (w *Watch) Writing() {
	if w != nil {
		w.writing.Store(true)
	}
}

// Stop stops the watch.
func (w *Watch) Stop() {
	if w != nil {
		close(w.done)
		w.group.Wait()
		w.keepUnder(math.MaxInt64)
		w.cancel(nil)
	}
}

func (w *Watch) run() {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-ticker.C:
			if w.look() {
				return
			}
		}
	}
}

// look compares the usage of the run with its limits, and reports whether nothing is left to watch.
func (w *Watch) look() bool {
	memory := w.limits.Memory
	if memory > 0 {
		switch held := w.machine.memory(); {
		case held-memory > memory/2:
			w.exit(&Ended{
				code.LimitMemory,
				fmt.Sprintf(
					"the run used more than %s of memory, 1.5 times its limit, and was ended without a report",
					megabytes(memory+memory/2),
				),
				moreMemory,
			})
			return true
		case held > memory && w.ended == nil:
			w.keepUnder(memory + memory/4) // so that the report is written in time
			w.end(&Ended{code.LimitMemory, "the run used more than " + megabytes(memory) + " of memory", moreMemory})
		}
	}
	if w.writing.Load() {
		return memory == 0
	}
	most := w.limits.Time + time.Duration(w.input.Load()/bytesSecond)*time.Second
	switch {
	case w.ended != nil && w.since(w.endedAt, grace):
		w.exit(w.ended.And(fmt.Sprintf(" and did not end within %s after that, so there is no report", grace)))
		return true
	case w.ended == nil && w.limits.Time > 0 && w.since(usage{w.begun, w.processor}, most):
		w.end(&Ended{code.LimitTime, fmt.Sprintf("the run took more than %s", most), moreTime})
	}
	return false
}

const (
	moreMemory = "compare a part of the input, or raise the limit with --limit memory=N"
	moreTime   = "compare a part of the input, leave components out, or raise the limit with --limit time=DURATION"
)

func (w *Watch) end(why *Ended) {
	w.ended, w.endedAt = why, usage{w.machine.clock(), w.machine.processor()}
	w.cancel(why)
}

// since reports whether both the elapsed and the processor time grew by more than most. The elapsed
// time alone also grows while the machine is busy or the run waits for its input.
func (w *Watch) since(before usage, most time.Duration) bool {
	return w.machine.clock()-before.clock > most && w.machine.processor()-before.processor > most
}

func megabytes(bytes int64) string { return fmt.Sprintf("%d MB", bytes/1_000_000) }

// Cause returns why a context has ended: the limit that the run exceeded, or an interrupt by the
// user.
func Cause(ctx context.Context) *Ended {
	var why *Ended
	if errors.As(context.Cause(ctx), &why) {
		return why
	}
	return &Ended{code.Interrupted, "the run was interrupted", "run it again"}
}
