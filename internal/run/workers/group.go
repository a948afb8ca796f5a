// Package workers runs work in several goroutines and reports whether an interrupted run left any of
// it undone. Work that needs much memory waits for its turn, so that many processors do not hold
// much memory at once. It also reads sources that may block for ever, such as a pipe that nobody
// writes to.
package workers

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// Group is a group of running goroutines.
type Group struct{ ended chan struct{} }

// Size returns the number of goroutines for n pieces of work. wanted is 0 for the number of
// processors.
func Size(wanted, n int) int {
	if wanted <= 0 {
		wanted = runtime.GOMAXPROCS(0)
	}
	return min(wanted, n)
}

// Start starts goroutines that call step, which does one piece of work, until it returns false.
func Start(size int, step func() bool) *Group {
	var group sync.WaitGroup
	for range size {
		group.Go(func() {
			for step() {
			}
		})
	}
	c := &Group{make(chan struct{})}
	go func() {
		group.Wait()
		close(c.ended)
	}()
	return c
}

// Wait waits for the goroutines and reports whether all ended. After the context ends it waits only
// for the time grace: step should then return false, but a goroutine in a long call cannot be
// stopped.
func (c *Group) Wait(ctx context.Context, grace time.Duration) bool {
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
