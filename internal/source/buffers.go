package source

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
)

// Buffers keeps the memory of file contents for reuse. Several goroutines may call its methods at
// once. A nil *Buffers keeps nothing.
type Buffers struct {
	mu   sync.Mutex
	free [][]byte // sorted by size, the smallest first
}

const (
	buffersKept   = 16       // number of buffers kept: with fewer, archives take a tenth more time
	bufferKept    = 8 << 20  // bytes of the largest buffer kept
	bufferAtLeast = 64 << 10 // bytes of the smallest buffer kept
)

// Take returns a slice of size bytes with arbitrary content.
func (b *Buffers) Take(size int) []byte {
	if b == nil || size > bufferKept {
		return make([]byte, size)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.free, func(f []byte) bool { return cap(f) >= size })
	if i < 0 { // a power of two fits files of several sizes
		return make([]byte, size, max(bufferAtLeast, 1<<bits.Len(uint(size-1))))
	}
	found := b.free[i]
	b.free = slices.Delete(b.free, i, i+1)
	return found[:size]
}

// Give returns memory that is no longer used. If there are enough buffers, the smallest is dropped.
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
