package cluster

import (
	"runtime/debug"
	"sync/atomic"
)

// Percents of garbage, of what is held, at which the garbage collector comes; 100 is what Go does
// by itself.
const (
	garbageOfSmall  = 400 // so that it does not come at all while a reference is loaded and a little is read
	garbageOfOthers = 100
	garbageOfMuch   = 25 // where much is held
	garbageOfLittle = 50 // where little is, as comparing that makes little garbage, and where very many objects are
)

// An input is small up to so many bytes of files and so many objects.
const (
	smallInput = 4 << 20
	fewObjects = 100
)

// From so many objects on their identities alone take tens of megabytes, or hundreds: then going
// through them more often takes long.
const (
	manyObjects     = 20_000
	veryManyObjects = 300_000
)

// volume counts what is read, and sets how often the garbage collector comes.
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
	if after := v.bytes.Add(int64(bytes)); after > smallInput && after-int64(bytes) <= smallInput {
		debug.SetGCPercent(garbageOfOthers)
	}
	switch after := v.objects.Add(int64(objects)); {
	case after > veryManyObjects && after-int64(objects) <= veryManyObjects:
		debug.SetGCPercent(garbageOfLittle)
	case after > manyObjects && after-int64(objects) <= manyObjects:
		debug.SetGCPercent(garbageOfMuch)
	}
}

// beforeComparing sets how often the garbage collector comes while the objects are compared.
func (v *volume) beforeComparing(all []Collected) {
	const little, much = 4 << 20, 64 << 20
	small := v.bytes.Load() <= smallInput
	objects, held := 0, 0
	for _, in := range all {
		objects += len(in.Objects)
		for _, o := range in.Objects {
			held += o.Text()
		}
	}
	switch {
	case small && objects <= fewObjects:
	case held > much:
		debug.SetGCPercent(garbageOfMuch)
	case small:
		debug.SetGCPercent(garbageOfOthers)
	case held < little:
		debug.SetGCPercent(garbageOfLittle)
	}
}
