// Package watch stops a run that exceeds its limit of time or memory, and sets how often garbage is
// collected.
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

	"github.com/validationtool/validationtool/internal/run/code"
)

// Limits are the limits of a run. A zero field means no limit.
type Limits struct {
	// limit of both the elapsed time and the time of work, see usage; a second more for every 10 MB of
	// input, see Watch.AddInput
	Time    time.Duration
	Writing time.Duration // limit of the time in which nobody reads the report that is being written
	Memory  int64         // bytes that the process may hold
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

	input    atomic.Int64
	writing  atomic.Bool
	attended atomic.Bool
	begun    usage

	// Used only by look.
	second         second
	blocked, stuck time.Duration // how long it was blocked, before and since the report is written
	ended          *Ended        // why the context was cancelled
	endedAt        usage

	done  chan struct{}
	group sync.WaitGroup
}

// usage is the elapsed time and the time of work: that of the processors, and that in which the
// process was blocked, because it waited for another process or a disk. The elapsed time alone also
// grows while the machine is busy.
type usage struct{ clock, work time.Duration }

// second is a stretch of measurements that take a second.
type second struct {
	looks, idle int           // all, and those when the process was idle
	processor   time.Duration // when it began
}

// add adds a measurement. At the end of the second it returns how long the process was blocked in
// it: all of it, or nothing. Measurements are counted instead of time, because a process that is
// stopped measures nothing.
func (s *second) add(processor time.Duration, idle bool) (blocked time.Duration) {
	s.look(idle)
	took := time.Duration(s.looks) * interval
	if took < time.Second {
		return 0
	}
	if s.isBlocked(processor, took) {
		blocked = took
	}
	*s = second{processor: processor}
	return blocked
}

func (s *second) look(idle bool) {
	s.looks++
	if idle {
		s.idle++
	}
}

// isBlocked reports whether the process had hardly anything to do in the time since the stretch began,
// which does not depend on how busy the machine is.
func (s *second) isBlocked(processor, took time.Duration) bool {
	const hardly = 10 // part of the time
	return s.looks-s.idle <= s.looks/hardly && processor-s.processor < took/hardly
}

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
	w.begun = usage{m.clock(), m.processor()}
	w.second.processor = w.begun.work
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

// Attended says that the run waits for what a person types, so that waiting is not work.
func (w *Watch) Attended() {
	if w != nil {
		w.attended.Store(true)
	}
}

// Writing replaces the limit of time by that of writing, because the report is being written. The
// limit of memory stays.
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
	writing := w.writing.Load()
	now := w.measure(writing)
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
			w.end(now, &Ended{code.LimitMemory, "the run used more than " + megabytes(memory) + " of memory", moreMemory})
		}
	}
	if writing {
		if most := w.limits.Writing; most > 0 && w.stuck > most {
			why := fmt.Sprintf("nobody read the report for %s, so it is not complete", most)
			w.exit(&Ended{code.LimitTime, why, lessWaiting})
			return true
		}
		return memory == 0 && w.limits.Writing == 0
	}
	most := w.limits.Time + time.Duration(w.input.Load()/bytesSecond)*time.Second
	switch {
	case w.ended != nil && now.exceeds(w.endedAt, grace):
		w.exit(w.ended.And(fmt.Sprintf(" and did not end within %s after that, so there is no report", grace)))
		return true
	case w.ended == nil && w.limits.Time > 0 && now.exceeds(w.begun, most):
		why, do := fmt.Sprintf("the run took more than %s", most), moreTime
		if w.blocked > most/2 {
			why, do = why+", mostly waiting for another process or a disk", lessWaiting
		}
		w.end(now, &Ended{code.LimitTime, why, do})
	}
	return false
}

const (
	moreMemory = "compare a part of the input, or raise the limit with --limit memory=N"
	moreTime   = "compare a part of the input, leave components out, or raise the limit with --limit time=DURATION"

	lessWaiting = "check the other end of the pipe, or raise the limit with --limit time=DURATION"
)

// measure returns the usage at this moment.
func (w *Watch) measure(writing bool) usage {
	processor := w.machine.processor()
	blocked := w.second.add(processor, w.machine.idle())
	switch {
	case w.attended.Load():
	case writing:
		w.stuck += blocked
	default:
		w.blocked += blocked
	}
	return usage{w.machine.clock(), processor + w.blocked}
}

func (w *Watch) end(now usage, why *Ended) {
	w.ended, w.endedAt = why, now
	w.cancel(why)
}

// exceeds reports whether both times grew by more than most.
func (u usage) exceeds(before usage, most time.Duration) bool {
	return u.clock-before.clock > most && u.work-before.work > most
}

// EndInterrupted calls exit if a run goes on for three seconds after its context has ended, whatever
// it does or waits for, until stop is called. Time in which other processes keep the machine from it
// does not count, up to 15 seconds by the clock: on a machine that is busy all the time, nobody can
// tell a run that waits for a processor from one that waits forever.
func EndInterrupted(ctx context.Context, exit func(error)) (stop func()) {
	return endInterrupted(ctx, exit, thisMachine)
}

func endInterrupted(ctx context.Context, exit func(error), of func() machine) (stop func()) {
	const most, byClock = 3 * time.Second, 15 * time.Second
	done := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		m := of()
		begin := usage{m.clock(), m.processor()}
		var waited time.Duration // by the clock: who waits for a pipe should not wait for the processor too
		part, since := second{processor: begin.work}, begin.clock
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for now := begin; !now.exceeds(begin, most) && now.clock-begin.clock < byClock; {
			select {
			case <-ticker.C:
			case <-done:
				return
			}
			now = usage{m.clock(), m.processor()}
			part.look(m.idle())
			if now.clock-since >= time.Second {
				if part.isBlocked(now.work, now.clock-since) {
					waited += now.clock - since
				}
				part, since = second{processor: now.work}, now.clock
			}
			now.work += waited
		}
		exit(Cause(ctx).And(fmt.Sprintf(" and did not end within %s after that, so its result is not complete", most)))
	})
	return func() {
		unwatch()
		close(done)
	}
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
