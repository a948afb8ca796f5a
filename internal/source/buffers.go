package source

import "sync"

// Buffers keeps memory for the content of files, to be used again for others. Its methods may be called by several goroutines at
// once, also on a nil one, which keeps nothing.
type Buffers struct {
	mu   sync.Mutex
	free [][]byte
}

const (
	buffersKept = 16      // how many are kept
	bufferKept  = 8 << 20 // bytes of the largest one that is
)

// bufferAtLeast is how many bytes a buffer has that is kept.
const bufferAtLeast = 64 << 10

// Take returns a slice of size bytes whose content is left over from before.
func (b *Buffers) Take(size int) []byte {
	if b == nil {
		return make([]byte, size)
	}
	b.mu.Lock()
	best := -1
	for i, f := range b.free {
		if cap(f) >= size && (best < 0 || cap(f) < cap(b.free[best])) {
			best = i
		}
	}
	if best < 0 {
		b.mu.Unlock()
		return make([]byte, size, roundUp(size))
	}
	found := b.free[best]
	last := len(b.free) - 1
	b.free[best] = b.free[last]
	b.free = b.free[:last]
	b.mu.Unlock()
	return found[:size]
}

// roundUp makes sizes fit more than one file.
func roundUp(size int) int {
	n := bufferAtLeast
	for n < size && n < bufferKept {
		n *= 2
	}
	return max(n, size)
}

// Give takes back memory that nobody looks at any more. If there is enough, the smallest is let go.
func (b *Buffers) Give(memory []byte) {
	if b == nil || cap(memory) < bufferAtLeast || cap(memory) > bufferKept {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.free) < buffersKept {
		b.free = append(b.free, memory)
		return
	}
	least := 0
	for i, f := range b.free {
		if cap(f) < cap(b.free[least]) {
			least = i
		}
	}
	if cap(b.free[least]) < cap(memory) {
		b.free[least] = memory
	}
}
