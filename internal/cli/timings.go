package cli

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/internal/watch"
)

// timings records the cost of each stage of a run. A nil timings records nothing.
type timings struct {
	begin, last cost
	stages      []stage
	files       int
	bytes       int64
	objects     int
}

// stage is a part of the run with its cost.
type stage struct {
	name string
	cost cost
}

// cost is the resources used up to a moment, or between two moments. Peaks are always up to a
// moment.
type cost struct {
	clock     time.Time
	wall      time.Duration
	processor time.Duration
	allocated uint64 // bytes, including freed ones
	heap      uint64 // peak of the heap in bytes
	memory    uint64 // peak of the process's memory in bytes; 0 if unknown
}

// newTimings starts recording.
func newTimings() *timings {
	now := costNow()
	return &timings{begin: now, last: now}
}

// costNow returns the cost up to now. Go reports no peak of the heap, so the address space of the
// heap approximates it.
func costNow() cost {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return cost{
		clock:     time.Now(),
		processor: watch.Processor(),
		allocated: m.TotalAlloc,
		heap:      m.HeapSys,
		memory:    peak(),
	}
}

func (c cost) since(before cost) cost {
	c.heap = max(c.heap, before.heap) // stacks can reuse some of the address space
	c.wall = c.clock.Sub(before.clock)
	c.processor -= before.processor
	c.allocated -= before.allocated
	return c
}

// Done ends a stage.
func (t *timings) Done(name string) {
	if t == nil {
		return
	}
	now := costNow()
	spent := now.since(t.last)
	now.heap = spent.heap
	t.stages = append(t.stages, stage{name, spent})
	t.last = now
}

// Input records how much was read.
func (t *timings) Input(inputs []source.Input, objects int) {
	if t == nil {
		return
	}
	t.objects = objects
	for _, i := range inputs {
		t.files += i.Files
		t.bytes += i.Bytes
	}
}

// Print writes a table of the stages and the amount of input.
func (t *timings) Print(w io.Writer) {
	if t == nil {
		return
	}
	row := func(name, wall, processor, allocated, heap, memory string) {
		fmt.Fprintf(w, "%-14s %10s %10s %10s %10s %11s\n", name, wall, processor, allocated, heap, memory)
	}
	line := func(name string, c cost) {
		row(
			name,
			milliseconds(c.wall),
			milliseconds(c.processor),
			megabytes(c.allocated),
			megabytes(c.heap),
			orDash(c.memory),
		)
	}
	row("timings", "time", "processor", "allocated", "peak heap", "peak memory")
	for _, s := range t.stages {
		line(s.name, s.cost)
	}
	total := costNow().since(t.begin)
	total.heap = max(total.heap, t.last.heap)
	line("total", total)
	fmt.Fprintf(
		w,
		"%s in %s with %s\n",
		finding.Plural(t.objects, "CR", "CRs"),
		finding.Plural(t.files, "file", "files"),
		megabytes(uint64(t.bytes)),
	)
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

func megabytes(n uint64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func orDash(n uint64) string {
	if n == 0 {
		return "-"
	}
	return megabytes(n)
}
