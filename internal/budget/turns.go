package budget

import (
	"cmp"
	"slices"
	"sync"
)

// Turns lets a few pieces of work at a time take more than Little memory, of which it is not known before that they will. Of those that wait,
// the first in their order is next. Nil Turns let all.
type Turns struct {
	mu      sync.Mutex
	free    int
	waiting []*Turn
}

// Little is how many bytes a piece of work may take without a turn.
const Little = 16 << 20

// Turn is that of one piece of work, which is done by one goroutine. A nil Turn is always there.
type Turn struct {
	of     *Turns
	at     int
	wanted func() bool
	kept   int64
	comes  chan struct{} // nil as long as it was not asked for
}

// NewTurns is for so many at a time: one at least.
func NewTurns(free int) *Turns { return &Turns{free: max(1, free)} }

// Turn is that of a piece of work with its place in the order. wanted tells whether what comes of it is still wanted.
func (t *Turns) Turn(at int, wanted func() bool) *Turn { return &Turn{of: t, at: at, wanted: wanted} }

// Keep takes down that the work goes on to take so many bytes more.
func (t *Turn) Keep(bytes int64) {
	if t != nil {
		t.kept += bytes
	}
}

// Take is told before the work takes so many bytes for a while. Where that is more than a little, with those that it keeps, it waits for the turn, unless
// it has come, and reports whether what comes of the work is still wanted.
func (t *Turn) Take(bytes int64) bool {
	if t == nil || bytes <= Little-t.kept {
		return true
	}
	if t.comes == nil && t.of != nil {
		t.comes = make(chan struct{})
		t.of.wait(t)
		<-t.comes
	}
	return t.wanted()
}

// End ends the turn, if it has come.
func (t *Turn) End() {
	if t == nil || t.comes == nil {
		return
	}
	t.comes = nil
	t.of.next()
}

func (t *Turns) wait(turn *Turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.free == 0 {
		t.waiting = append(t.waiting, turn)
		return
	}
	t.free--
	close(turn.comes)
}

func (t *Turns) next() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.free++
		return
	}
	first := slices.MinFunc(t.waiting, func(a, b *Turn) int { return cmp.Compare(a.at, b.at) })
	t.waiting = slices.DeleteFunc(t.waiting, func(w *Turn) bool { return w == first })
	close(first.comes)
}
