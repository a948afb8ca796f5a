package source

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
)

// Buffers keeps memory for the content of files, to be used again for others. Its methods may be
// called by several goroutines at once, also on a nil one, which keeps nothing.
type Buffers struct {
	mu   sync.Mutex
	free [][]byte // the smallest first
}

const (
	buffersKept   = 16       // how many are kept: with fewer, archives take a tenth more time
	bufferKept    = 8 << 20  // bytes of the largest one that is
	bufferAtLeast = 64 << 10 // bytes of the smallest one
)

// Take returns a slice of size bytes whose content is left over from before.
func (b *Buffers) Take(size int) []byte {
	if b == nil || size > bufferKept {
		return make([]byte, size)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.free, func(f []byte) bool { return cap(f) >= size })
	if i < 0 { // a power of two fits more than one file
		return make([]byte, size, max(bufferAtLeast, 1<<bits.Len(uint(size-1))))
	}
	found := b.free[i]
	b.free = slices.Delete(b.free, i, i+1)
	return found[:size]
}

// Give takes back memory that nobody looks at any more. If there is enough, the smallest is let go.
func (b *Buffers) Give(memory []byte) {
	if b == nil || cap(memory) < bufferAtLeast || cap(memory) > bufferKept {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, memory)
	slices.SortFunc(b.free, func(a, b []byte) int { return cmp.Compare(cap(a), cap(b)) })
	b.free = slices.Delete(b.free, 0, max(0, len(b.free)-buffersKept))
}
