package watch

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// machine provides measurements of the process. Tests replace it.
type machine struct {
	clock     func() time.Duration // time since an arbitrary moment
	processor func() time.Duration // time that all processors worked for this process
	idle      func() bool          // whether no goroutine has anything to do, except in the system
	memory    func() int64         // bytes that the process holds
	collectAt func(bytes int64)    // sets the memory limit of the garbage collector
}

func thisMachine() machine {
	start := time.Now()
	collectAt := func(bytes int64) { debug.SetMemoryLimit(bytes) }
	if debug.SetMemoryLimit(-1) != math.MaxInt64 { // the user set a limit with GOMEMLIMIT
		collectAt = func(int64) {}
	}
	return machine{
		clock:     func() time.Duration { return time.Since(start) },
		processor: Processor,
		idle:      idle,
		memory:    held,
		collectAt: collectAt,
	}
}

// held returns the number of bytes of the machine's memory that the Go runtime holds.
func held() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// idle reports whether all other goroutines wait, in Go or in a system call.
func idle() bool {
	samples := []metrics.Sample{
		{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"},
	}
	metrics.Read(samples)
	return samples[0].Value.Uint64()+samples[1].Value.Uint64() <= 1 // this one
}

// unknownMemory is the memory, in bytes, that DefaultMemory assumes if the machine does not report
// its size.
const unknownMemory = 4 << 30

// LeastMemory is the minimum memory, in bytes, of a run.
const LeastMemory = 128 << 20

// mostMemory is the largest result, in bytes, of DefaultMemory. No honest input needs more.
const mostMemory = 4 << 30

// DefaultMemory returns half of the memory, in bytes, of the machine or of the process's control
// group, whichever is smaller, but at least LeastMemory and at most mostMemory.
func DefaultMemory() int64 {
	has := uint64(unknownMemory)
	if n, err := memlimit.FromSystem(); err == nil && n > 0 {
		has = n
	}
	if n, err := memlimit.FromCgroup(); err == nil && n > 0 {
		has = min(has, n)
	}
	if strconv.IntSize == 32 {
		has = min(has, 2<<30) // the usable address space of a 32-bit process
	}
	return max(LeastMemory, int64(min(has/2, mostMemory)))
}

// LimitProcessors limits the goroutines that run at once to the number of processors, even if
// GOMAXPROCS is larger. More would only hold more memory, and start work that turns out to exceed a
// limit.
func LimitProcessors() {
	if n := runtime.NumCPU(); runtime.GOMAXPROCS(0) > n {
		runtime.GOMAXPROCS(n)
	}
}
