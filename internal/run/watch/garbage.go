package watch

import (
	"runtime/debug"
	"sync"
)

// The garbage collector runs when garbage is a percentage of the live memory: mostGarbage while the
// input is small, so that hardly any run on a few files collects at all, and less the more was read,
// but at least leastGarbage.
const (
	mostGarbage  = 400
	leastGarbage = 50
	smallInput   = 6 << 20 // size, in bytes, of an input from which on the percentage falls
	objectSize   = 1 << 10 // bytes of input for which an object counts: its identity stays in memory
	// A file of more bytes than largeText may hold one large text, which takes many times its size
	// while it is decoded; it counts largeFactor times.
	largeText   = 4 << 20
	largeFactor = 20
)

// Volume counts what was read of the input, and sets how often the garbage collector runs. Several
// goroutines may call its methods.
type Volume struct {
	mu      sync.Mutex
	size    int64
	percent int
}

// NewVolume returns the volume of an input of which nothing was read.
func NewVolume() *Volume {
	debug.SetGCPercent(mostGarbage)
	return &Volume{percent: mostGarbage}
}

// Add adds objects, and the size of a file in bytes.
func (v *Volume) Add(objects, bytes int) {
	const step = 8 // a setting stops all goroutines, so it has to change by this part
	v.mu.Lock()
	defer v.mu.Unlock()
	v.size += sizeOf(objects, bytes)
	if p := garbage(v.size); p <= v.percent-v.percent/step {
		v.percent = p
		debug.SetGCPercent(p)
	}
}

// sizeOf returns what objects, and a file of a number of bytes, add to the size of an input.
func sizeOf(objects, bytes int) int64 {
	size := int64(bytes)
	if bytes > largeText {
		size *= largeFactor
	}
	return size + int64(objects)*objectSize
}

// garbage returns the percentage for an input of a size.
func garbage(size int64) int {
	return int(min(mostGarbage, max(leastGarbage, mostGarbage*smallInput/max(size, 1))))
}
