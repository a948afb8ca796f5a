package cluster

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// Percentages of garbage, relative to live memory, at which the garbage collector runs; Go's
// default is 100.
const (
	garbageOfSmall  = 400 // no collection while a reference and a small input are loaded
	garbageOfOthers = 100
	garbageOfMuch   = 25 // for large inputs
	garbageOfLittle = 50 // for comparisons, which make little garbage, and for very many objects
)

// Upper bounds, in bytes of files and in objects, of a small input.
const (
	smallInput = 4 << 20
	fewObjects = 100
)

// hugeFile is the size, in bytes, of a file for which garbage is collected at once: the parts in
// which it was read take as much memory as the file, and would stay until the rest needs as much
// again.
const hugeFile = 64 << 20

// largeText is the size, in bytes, of a file or CR whose decoding takes much of the memory of a run.
const largeText = 4 << 20

// Above this number of objects their identities alone take tens or hundreds of megabytes, so
// frequent collections take long.
const (
	manyObjects     = 20_000
	veryManyObjects = 300_000
)

// volume counts what is read and sets how often the garbage collector runs.
type volume struct {
	bytes   atomic.Int64
	objects atomic.Int64
}

func newVolume() *volume {
	debug.SetGCPercent(garbageOfSmall)
	return &volume{}
}

// add counts objects and bytes of files. Several goroutines may call it at once.
func (v *volume) add(objects, bytes int) {
	switch after := v.bytes.Add(int64(bytes)); {
	case bytes > hugeFile:
		debug.SetGCPercent(garbageOfMuch)
		runtime.GC()
	case bytes > largeText:
		debug.SetGCPercent(garbageOfMuch)
	case after > smallInput && after-int64(bytes) <= smallInput:
		debug.SetGCPercent(garbageOfOthers)
	}
	switch after := v.objects.Add(int64(objects)); {
	case after > veryManyObjects && after-int64(objects) <= veryManyObjects:
		debug.SetGCPercent(garbageOfLittle)
	case after > manyObjects && after-int64(objects) <= manyObjects:
		debug.SetGCPercent(garbageOfMuch)
	}
}

// beforeComparing sets how often the garbage collector runs during the comparison.
func (v *volume) beforeComparing(all []Collected) {
	const little, much = 4 << 20, 64 << 20
	small := v.bytes.Load() <= smallInput
	objects, held, longest := 0, 0, 0
	for _, in := range all {
		objects += len(in.Objects)
		for _, o := range in.Objects {
			held += o.Text()
			longest = max(longest, o.Text())
		}
	}
	switch {
	case small && objects <= fewObjects:
	case held > much || longest > largeText:
		debug.SetGCPercent(garbageOfMuch)
	case small:
		debug.SetGCPercent(garbageOfOthers)
	case held < little:
		debug.SetGCPercent(garbageOfLittle)
	}
}
