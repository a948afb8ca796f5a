// Package crew has work done by several goroutines at once, and says whether any of it was left
// when a run was interrupted. Work that takes much memory waits for room, so that many processors
// do not hold much at once. It also reads what may never come, such as a pipe that nobody writes
// to, until then. What is to be done, and what comes of it, is its callers' business.
package crew

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// Crew are goroutines that are at work.
type Crew struct{ ended chan struct{} }

// Size is how many are of use for n pieces of work; wanted is 0 for as many as there are
// processors.
func Size(wanted, n int) int {
	if wanted <= 0 {
		wanted = runtime.GOMAXPROCS(0)
	}
	return min(wanted, n)
}

// Start has so many goroutines call step, which does a piece of work, until it returns false.
func Start(size int, step func() bool) *Crew {
	var group sync.WaitGroup
	for range size {
		group.Go(func() {
			for step() {
			}
		})
	}
	c := &Crew{make(chan struct{})}
	go func() {
		group.Wait()
		close(c.ended)
	}()
	return c
}

// Wait waits until all have ended, and reports whether they have. Once the context has ended it
// waits for as long as grace allows: step is to return false then, but a goroutine that is in the
// middle of something long cannot be stopped.
func (c *Crew) Wait(ctx context.Context, grace time.Duration) bool {
	select {
	case <-c.ended:
		return true
	case <-ctx.Done():
	}
	select {
	case <-c.ended:
		return true
	case <-time.After(grace):
		return false
	}
}
