package cluster

import (
	"runtime/debug"
	"sync/atomic"
)

// volume counts the bytes of files that are read, and sets how often the garbage collector runs.
type volume struct{ bytes atomic.Int64 }

// Percentages of garbage, relative to live memory, at which the garbage collector runs.
const (
	garbageOfSmall  = 400 // no collection while a reference and a small input are loaded
	garbageOfOthers = 50  // most of what is read is not kept
	garbageOfMany   = 100 // for the comparison of many objects, which makes much garbage
)

// Maximum numbers of bytes: of a small input, and of the texts of objects whose comparison may take
// twice their memory.
const (
	smallInput = 4 << 20
	largeTexts = 64 << 20
)

func newVolume() *volume {
	debug.SetGCPercent(garbageOfSmall)
	return &volume{}
}

// add counts bytes. Several goroutines may call it at once.
func (v *volume) add(bytes int) {
	if after := v.bytes.Add(int64(bytes)); after > smallInput && after-int64(bytes) <= smallInput {
		debug.SetGCPercent(garbageOfOthers)
	}
}

// beforeComparing sets how often the garbage collector runs during the comparison.
func (v *volume) beforeComparing(all []Collected) {
	held := 0
	for _, in := range all {
		for _, o := range in.Objects {
			held += o.Text()
		}
	}
	if held > smallInput && held <= largeTexts {
		debug.SetGCPercent(garbageOfMany)
	}
}
