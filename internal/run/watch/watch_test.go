package watch

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/validationtool/validationtool/internal/run/code"
)

// process is what a made-up process takes. Its clock is that of the test.
type process struct {
	processors float64 // how many work for it
	idle       bool
	memory     atomic.Int64
}

func (p *process) machine() machine {
	begin := time.Now()
	clock := func() time.Duration { return time.Since(begin) }
	return machine{
		clock:     clock,
		processor: func() time.Duration { return time.Duration(p.processors * float64(clock())) },
		idle:      func() bool { return p.idle },
		memory:    p.memory.Load,
		collectAt: func(int64) {},
	}
}

// watched watches a made-up process for an hour, and reports when its context was cancelled and
// when it was ended, with what both said. does is what the process does.
func watched(
	t *testing.T, l Limits, p *process, does func(*Watch),
) (cancelled, exited time.Duration, why, last string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		ctx, w := start(t.Context(), l, func(err error) { exited, last = time.Since(begin), err.Error() }, p.machine())
		stop := context.AfterFunc(ctx, func() { cancelled, why = time.Since(begin), Cause(ctx).Error() })
		if does != nil {
			does(w)
		}
		time.Sleep(time.Hour)
		stop()
		w.Stop()
	})
	return cancelled, exited, why, last
}

func TestTime(t *testing.T) {
	minute := Limits{Time: time.Minute}
	written := Limits{Time: time.Minute, Writing: time.Minute}
	for _, c := range []struct {
		name         string
		limits       Limits
		process      *process
		does         func(*Watch)
		cancel, exit time.Duration
	}{
		{"one processor works all the time", minute, &process{processors: 1}, nil, time.Minute, time.Minute + grace},
		{"many work: the clock decides", minute, &process{processors: 8}, nil, time.Minute, time.Minute + grace},
		{"the machine is busy with other things", minute, &process{processors: 0.1}, nil, 10 * time.Minute, 10*time.Minute + 10*grace},
		{"the machine lets it wait", minute, &process{processors: 0.001}, nil, 0, 0},
		{"it is idle while the system works for it", minute, &process{processors: 0.2, idle: true}, nil, 5 * time.Minute, 5*time.Minute + 5*grace},
		{"it waits for its input", minute, &process{processors: 0.01, idle: true}, nil, time.Minute, time.Minute + grace},
		{"it waits for an answer", minute, &process{processors: 0.01, idle: true}, (*Watch).Attended, 0, 0},
		{"there is no limit", Limits{}, &process{processors: 1}, nil, 0, 0},
		{"more input allows more time", minute, &process{processors: 1}, func(w *Watch) { w.AddInput(100_000_000) }, 70 * time.Second, 70*time.Second + grace},
		{"the time ends where the writing begins", minute, &process{processors: 1}, func(w *Watch) {
			time.Sleep(time.Second)
			w.Writing()
		}, 0, 0},
		{"a pager is left open", minute, &process{processors: 0.01, idle: true}, (*Watch).Writing, 0, 0},
		{"nobody reads the report", written, &process{processors: 0.01, idle: true}, (*Watch).Writing, 0, time.Minute},
		{"somebody reads it slowly", written, &process{processors: 0.001}, (*Watch).Writing, 0, 0},
		{"a run that ends in time is not ended hard", minute, &process{processors: 1}, func(w *Watch) {
			time.Sleep(time.Minute + time.Second)
			w.Writing()
		}, time.Minute, 0},
	} {
		cancel, exit, why, last := watched(t, c.limits, c.process, c.does)
		near := func(got, want time.Duration) bool {
			return got == 0 && want == 0 || got > want && got <= want+time.Second
		}
		if !near(cancel, c.cancel) || !near(exit, c.exit) {
			t.Errorf("%s: cancelled after %s, want %s; ended after %s, want %s", c.name, cancel, c.cancel, exit, c.exit)
		}
		if c.cancel > 0 && (!strings.Contains(why, string(code.LimitTime)) || !strings.Contains(why, "--limit time=")) {
			t.Errorf("%s: it says %q", c.name, why)
		}
		if c.exit > 0 && !strings.Contains(last, "report") {
			t.Errorf("%s: it ends with %q", c.name, last)
		}
	}
}

func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name         string
		peak         int64
		cancel, exit bool
	}{
		{"less than the limit", 99_000_000, false, false},
		{"more", 101_000_000, true, false},
		{"half as much again", 151_000_000, true, true},
	} {
		p := &process{}
		cancel, exit, why, last := watched(t, Limits{Memory: 100_000_000}, p, func(w *Watch) {
			time.Sleep(time.Second)
			p.memory.Store(min(c.peak, 120_000_000))
			time.Sleep(time.Second)
			w.Writing() // memory counts to the end
			p.memory.Store(c.peak)
		})
		if cancel > 0 != c.cancel || exit > 0 != c.exit {
			t.Errorf("%s: cancelled after %s, ended after %s", c.name, cancel, exit)
		}
		if c.cancel && (!strings.Contains(why, string(code.LimitMemory)) || !strings.Contains(why, "--limit memory=")) {
			t.Errorf("%s: it says %q", c.name, why)
		}
		if c.exit && !strings.Contains(last, "without a report") {
			t.Errorf("%s: it ends with %q", c.name, last)
		}
	}
}

func TestCause(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Cause(ctx); got.Code != code.Interrupted {
		t.Errorf("somebody else ended the context: %v", got)
	}
	var none *Watch
	none.AddInput(1)
	none.Writing()
	none.Stop()
}

func TestThisMachine(t *testing.T) {
	m := thisMachine()
	for begin := time.Now(); time.Since(begin) < 50*time.Millisecond; {
	}
	if m.clock() <= 0 || m.processor() <= 0 || m.memory() <= 0 || DefaultMemory() < 100<<20 || DefaultMemory() > 4<<30 {
		t.Errorf(
			"clock %s, processor %s, memory %d, default memory %d",
			m.clock(),
			m.processor(),
			m.memory(),
			DefaultMemory(),
		)
	}
}

// TestProcessors: what GOMAXPROCS asks for beyond the machine's processors is not used, and less is
// left as it is.
func TestProcessors(t *testing.T) {
	was := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(was)
	for asked, want := range map[int]int{1: 1, 16 * runtime.NumCPU(): runtime.NumCPU()} {
		runtime.GOMAXPROCS(asked)
		if LimitProcessors(); runtime.GOMAXPROCS(0) != want {
			t.Errorf("%d of %d processors", runtime.GOMAXPROCS(0), want)
		}
	}
}

// TestInterruptedRunsEnd: a run that is interrupted ends three seconds later, whether it works or waits. On a machine that
// is busy with other things it has as much time of its own.
func TestInterruptedRunsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		process *process
		most    time.Duration
	}{
		"it works":                              {&process{processors: 2}, 3100 * time.Millisecond},
		"it waits":                              {&process{idle: true}, 4100 * time.Millisecond},
		"the machine is busy with other things": {&process{processors: 0.25}, 12100 * time.Millisecond},
		"it waits, and the machine is busy":     {&process{}, 15100 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var begin time.Time
			ended := time.Duration(-1)
			stop := endInterrupted(ctx, func(err error) { ended = time.Since(begin) }, c.process.machine)
			time.Sleep(time.Minute)
			synctest.Wait()
			if begin = time.Now(); ended >= 0 {
				t.Errorf("%s: it ended before it was interrupted", name)
			}
			cancel()
			time.Sleep(time.Minute)
			synctest.Wait()
			stop()
			if ended < c.most-time.Second || ended > c.most {
				t.Errorf("%s: it ended %s after it was interrupted, want %s", name, ended, c.most)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		stop := endInterrupted(ctx, func(error) { t.Error("it ended in time") }, (&process{processors: 2}).machine)
		cancel()
		time.Sleep(2 * time.Second)
		stop()
		time.Sleep(time.Minute)
	})
}
