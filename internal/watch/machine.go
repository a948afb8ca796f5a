package watch

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// machine is what a Watch asks about the process, which tests answer otherwise.
type machine struct {
	clock     func() time.Duration // since any moment
	processor func() time.Duration // that all processors worked for this process
	memory    func() int64         // bytes that it holds
	collectAt func(bytes int64)    // has the garbage collector keep it under so many
}

func thisMachine() machine {
	begin := time.Now()
	collectAt := func(bytes int64) { debug.SetMemoryLimit(bytes) }
	if debug.SetMemoryLimit(-1) != math.MaxInt64 { // the user asks for another, by GOMEMLIMIT
		collectAt = func(int64) {}
	}
	return machine{
		clock:     func() time.Duration { return time.Since(begin) },
		processor: Processor,
		memory:    held,
		collectAt: collectAt,
	}
}

// held is how many bytes the Go runtime holds of the machine's memory.
func held() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// unknownMemory is what DefaultMemory takes a machine to have that does not tell.
const unknownMemory = 4 << 30

// LeastMemory is how many bytes it takes to run at all.
const LeastMemory = 128 << 20

// DefaultMemory is half of the memory, in bytes, of the machine or of the control group that the
// process runs in, whichever has less; LeastMemory where that is more.
func DefaultMemory() int64 {
	has := uint64(unknownMemory)
	if n, err := memlimit.FromSystem(); err == nil && n > 0 {
		has = n
	}
	if n, err := memlimit.FromCgroup(); err == nil && n > 0 {
		has = min(has, n)
	}
	if strconv.IntSize == 32 {
		has = min(has, 2<<30) // of its addresses
	}
	return max(LeastMemory, int64(min(has, 1<<60)/2))
}
