package crew

import (
	"context"
	"sync"
)

// Room is memory, in bytes, that work takes for a while. What does not fit waits, in the order in
// which it came. Its methods may be called by several goroutines at once. A nil Room has room for
// everything.
type Room struct {
	size   int64
	first  chan struct{} // is full while somebody waits at the head of the others
	beyond chan struct{} // is full while a Claim has more than it took, see Exceed

	mu    sync.Mutex
	used  int64
	freed chan struct{} // is closed when something is given back; nil while nobody waits
}

// NewRoom makes a Room of size bytes.
func NewRoom(size int64) *Room {
	return &Room{size: size, first: make(chan struct{}, 1), beyond: make(chan struct{}, 1)}
}

// Claim is what somebody took of a Room. A nil Claim is nothing.
type Claim struct {
	room    *Room
	size    int64
	exceeds bool
}

// Acquire waits until n bytes are free and takes them. What is larger than the Room waits until it
// is alone. It is false where the context ended first; then nothing was taken. Whoever waits holds
// no other Claim of the same Room.
func (r *Room) Acquire(ctx context.Context, n int64) (*Claim, bool) {
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
			return &Claim{room: r, size: n}, true
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, false
		}
	}
}

// take takes n bytes and returns nil, or returns what is closed when something is given back.
func (r *Room) take(n int64) (freed <-chan struct{}) {
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

// Exceed allows a Claim to grow without bound: it turned out to be too little. One Claim of a Room
// at a time may; others wait until that one is released. As it takes nothing of the Room, those who
// hold something cannot wait for each other for ever. It is false where the context ended first.
func (c *Claim) Exceed(ctx context.Context) bool {
	if c == nil || c.exceeds {
		return true
	}
	select {
	case c.room.beyond <- struct{}{}:
		c.exceeds = true
		return true
	case <-ctx.Done():
		return false
	}
}

// Release gives back what was taken. It is called once.
func (c *Claim) Release() {
	if c == nil {
		return
	}
	if c.exceeds {
		<-c.room.beyond
	}
	r := c.room
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= c.size
	if r.freed != nil {
		close(r.freed)
		r.freed = nil
	}
}
