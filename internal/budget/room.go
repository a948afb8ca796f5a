package budget

import (
	"context"
	"sync"
	"sync/atomic"
)

// Room is memory that work takes for a while. Its methods may be called by several goroutines at once. A nil Room has room for
// everything.
type Room struct {
	size    int64
	refused atomic.Bool // something did not fit

	mu    sync.Mutex
	used  int64
	freed chan struct{} // closed when something is given back; nil while nobody waits
}

// NewRoom is a Room of size bytes.
func NewRoom(size int64) *Room { return &Room{size: size} }

// Size is how much there is in all; for a nil Room the largest number.
func (r *Room) Size() int64 {
	if r == nil {
		return 1<<63 - 1
	}
	return r.size
}

// Fits reports whether n bytes fit when nobody else takes any.
func (r *Room) Fits(n int64) bool {
	if n <= r.Size() {
		return true
	}
	r.refused.Store(true)
	return false
}

// Refused reports whether there was anything that never fits.
func (r *Room) Refused() bool { return r != nil && r.refused.Load() }

// Acquire waits until n bytes are free and takes them. It is false where they never fit, or where the context ended first; then nothing
// was taken. Whoever waits must not hold what those need who are to give back.
func (r *Room) Acquire(ctx context.Context, n int64) bool {
	if r == nil || n <= 0 {
		return true
	}
	for r.Fits(n) {
		r.mu.Lock()
		if n <= r.size-r.used {
			r.used += n
			r.mu.Unlock()
			return true
		}
		if r.freed == nil {
			r.freed = make(chan struct{})
		}
		freed := r.freed
		r.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
	}
	return false
}

// Release gives n bytes back.
func (r *Room) Release(n int64) {
	if r == nil || n <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= n
	if r.freed != nil {
		close(r.freed)
		r.freed = nil
	}
}
