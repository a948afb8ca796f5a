package cli

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/watch"
)

// timings is a table of the cost of each stage of a run. A nil timings records nothing.
type timings struct {
	table       strings.Builder
	start, last cost
	files       int
	bytes       int64
	objects     int
}

// cost has the resources that the run has used up to some point in time.
type cost struct {
	clock     time.Time
	processor time.Duration
	allocated uint64 // bytes, including freed ones
	heap      uint64 // peak of the heap in bytes
	memory    uint64 // peak of the process's memory in bytes; 0 if unknown
}

// timingsRow is the layout of a row of the table.
const timingsRow = "%-14s %10s %10s %10s %10s %11s\n"

// newTimings starts recording.
func newTimings() *timings {
	now := costNow()
	t := &timings{start: now, last: now}
	fmt.Fprintf(&t.table, timingsRow, "timings", "time", "processor", "allocated", "peak heap", "peak memory")
	return t
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

// Done ends a stage.
func (t *timings) Done(stage string) {
	if t != nil {
		t.last = t.add(stage, t.last)
	}
}

// add adds a row with the resources that were used since an earlier point in time, and returns the
// cost up to now.
func (t *timings) add(name string, since cost) cost {
	now := costNow()
	now.heap = max(now.heap, t.last.heap) // the address space of the heap can shrink, because stacks reuse some of it
	memory := "-"
	if now.memory > 0 {
		memory = megabytes(now.memory)
	}
	clock, processor := now.clock.Sub(since.clock), now.processor-since.processor
	fmt.Fprintf(&t.table, timingsRow, name, milliseconds(clock), milliseconds(processor),
		megabytes(now.allocated-since.allocated), megabytes(now.heap), memory)
	return now
}

// Input records the amount of input that was read.
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

// Print writes the table of stages, and the amount of input.
func (t *timings) Print(w io.Writer) {
	t.add("total", t.start)
	fmt.Fprintf(w, "%s%s in %s with %s\n", &t.table, finding.Plural(t.objects, "CR", "CRs"),
		finding.Plural(t.files, "file", "files"), megabytes(uint64(t.bytes)))
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

func megabytes(n uint64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
