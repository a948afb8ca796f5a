package workers

import (
	"context"
	"sync"
)

// Semaphore is an amount of memory in bytes that work claims for a while. A claim that does not fit
// waits; waiting claims are served in order. Its methods may be called by several goroutines. A nil
// Semaphore never blocks.
type Semaphore struct {
	size  int64
	first chan struct{} // is full while the first claim in the queue waits

	mu    sync.Mutex
	used  int64
	freed chan struct{} // is closed when a claim is released; nil if nobody waits
}

// NewSemaphore returns a Semaphore of size bytes.
func NewSemaphore(size int64) *Semaphore {
	return &Semaphore{size: size, first: make(chan struct{}, 1)}
}

// Claim is a claimed part of a Semaphore. A nil Claim is empty.
type Claim struct {
	semaphore *Semaphore
	size      int64
}

// Acquire waits until n bytes are free and claims them. A claim larger than the Semaphore waits
// until it is the only one. It returns false if the context ended first; then nothing was claimed.
// A goroutine that waits must hold no other Claim of the Semaphore.
func (r *Semaphore) Acquire(ctx context.Context, n int64) (*Claim, bool) {
	if r == nil || n <= 0 {
		return nil, true
	}
	select {
	case r.first <- struct{}{}:
	case <-ctx.Done():
		return nil, false
	}
	defer func() { <-r.first }()
	n = min(n, r.size)
	for {
		freed := r.take(n)
		if freed == nil {
			return &Claim{semaphore: r, size: n}, true
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, false
		}
	}
}

// take claims n bytes and returns nil, or returns a channel that is closed when a claim is
// released.
func (r *Semaphore) take(n int64) (freed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n <= r.size-r.used {
		r.used += n
		return nil
	}
	if r.freed == nil {
		r.freed = make(chan struct{})
	}
	return r.freed
}

// Release gives the memory back. It is called once.
func (c *Claim) Release() {
	if c == nil {
		return
	}
	r := c.semaphore
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= c.size
	if r.freed != nil {
		close(r.freed)
		r.freed = nil
	}
}
