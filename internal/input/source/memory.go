package source

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/workers"
)

// raiseMemory is the advice for a file that is too large.
const raiseMemory = "or raise the limit with --limit memory=N"

// fileLimit returns the maximum size, in bytes, of a file that is read.
func (w *walker) fileLimit() int64 { return min(w.limits.File, w.limits.Memory) }

// tooLarge records that a file was not read because of its size, which may be -1 for unknown.
func (w *walker) tooLarge(p place, size int64) {
	is := "is larger than"
	if size >= 0 {
		is = fmt.Sprintf("has %d bytes, more than", size)
	}
	if w.limits.Memory < w.limits.File && size <= w.limits.File {
		w.refuse(
			p,
			code.LimitMemory,
			"%s the %d bytes of memory that one file may use, and was not read; leave it out of the input, split it, "+raiseMemory,
			is,
			w.limits.Memory,
		)
		return
	}
	w.refuse(
		p,
		code.LimitSize,
		"%s %d bytes, the limit for one file, and was not read; leave it out of the input, split it, "+
			"or raise the limit with --limit file=N",
		is,
		w.limits.File,
	)
}

// claimedFrom is the size, in bytes, from which the content of a file is claimed from
// Options.Semaphore. Only a few smaller files per processor are in memory at once.
const claimedFrom = 256 << 10

// claiming reads a file for which memory was claimed. It checks its context often.
type claiming struct {
	ctx       context.Context
	semaphore *workers.Semaphore
	src       io.Reader
	may       int64 // bytes that may still be read
	claim     *workers.Claim
}

// claim returns a reader of a file with a declared size in bytes, negative if unknown. It waits
// until so much memory is available before it reads.
func (w *walker) claim(src io.Reader, size int64) (*claiming, error) {
	const first = claimedFrom + 1 // one more byte makes the end visible
	c := &claiming{ctx: w.ctx, semaphore: w.opt.Semaphore, src: src, may: first}
	if size > claimedFrom {
		return c, c.take(size)
	}
	return c, nil
}

func (c *claiming) take(n int64) (err error) {
	claim, ok := c.semaphore.Acquire(c.ctx, n)
	if !ok {
		return c.ctx.Err()
	}
	c.claim, c.may = claim, n+1
	return nil
}

// more claims memory for a file that is larger than declared, or has no declared size: first some,
// then all, so that only one file that is much larger is read at a time.
func (c *claiming) more() error {
	const step = 4 << 20
	if c.claim == nil {
		return c.take(step)
	}
	c.claim.Release() // who waits must hold nothing
	c.claim = nil
	return c.take(math.MaxInt64 - 1)
}

func (c *claiming) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	if c.may <= 0 {
		if err := c.more(); err != nil {
			return 0, err
		}
	}
	n, err := c.src.Read(p[:min(int64(len(p)), c.may)])
	c.may -= int64(n)
	return n, err
}

// allocateAtOnce is the maximum number of bytes that are allocated because an archive declares the
// size of an entry: a declared size can be wrong.
const allocateAtOnce = 64 << 20

// content returns head followed by the rest of r. size is the expected length of both, or negative;
// it may be wrong. Up to atOnce bytes of it are allocated before reading. More bytes than the limit
// for one file are archive.ErrTooLarge. The memory that it claims is in w.claimed.
func (w *walker) content(r io.Reader, head []byte, size, atOnce int64) ([]byte, error) {
	c, err := w.claim(r, size)
	if err != nil {
		return nil, err
	}
	most := w.fileLimit()
	// One extra byte lets the reader see the end before the slice must grow.
	memory := w.opt.Buffers.Take(int(max(int64(len(head)), min(size, atOnce, most))) + 1)
	data, err := archive.ReadAll(c, memory[:copy(memory, head)], most)
	if err != nil {
		c.claim.Release()
		return nil, err
	}
	w.claimed = c.claim
	return data, nil
}

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
