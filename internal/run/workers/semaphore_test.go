package workers

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestARoomIsNeverOverfull(t *testing.T) {
	r := NewSemaphore(10)
	var now, most atomic.Int64
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			n := int64(1 + i%15)
			c, ok := r.Acquire(t.Context(), n)
			if !ok || c.size != min(n, 10) {
				t.Errorf("of %d it got %d", n, c.size)
			}
			most.Store(max(most.Load(), now.Add(c.size)))
			now.Add(-c.size)
			c.Release()
		})
	}
	group.Wait()
	if most.Load() > 10 || r.used != 0 {
		t.Errorf("at most %d of 10 were taken, and %d are at the end", most.Load(), r.used)
	}
}

// TestWhatIsLargeIsAlone: it waits until all has been given back, and is not overtaken by what is
// small.
func TestWhatIsLargeIsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewSemaphore(10)
		before, _ := r.Acquire(t.Context(), 1)
		var order []string
		var mu sync.Mutex
		take := func(what string, n int64) {
			c, _ := r.Acquire(t.Context(), n)
			mu.Lock()
			order = append(order, what)
			mu.Unlock()
			c.Release()
		}
		go take("large", 1<<60)
		synctest.Wait()
		go take("small", 1)
		synctest.Wait()
		if len(order) > 0 {
			t.Errorf("%v did not wait", order)
		}
		before.Release()
		synctest.Wait()
		if len(order) != 2 || order[0] != "large" {
			t.Errorf("the order is %v", order)
		}
	})
}

func TestANilRoomHoldsEverything(t *testing.T) {
	var none *Semaphore
	c, ok := none.Acquire(t.Context(), 1<<62)
	if !ok {
		t.Error("there is no room")
	}
	c.Release()
}

func TestWaitingForRoomEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewSemaphore(10)
		all, _ := r.Acquire(t.Context(), 10)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan bool)
		for range 2 {
			go func() { _, ok := r.Acquire(ctx, 1); ended <- ok }()
		}
		synctest.Wait()
		cancel()
		for range 2 {
			if <-ended {
				t.Error("it got what was not free")
			}
		}
		go func() { _, ok := r.Acquire(t.Context(), 1); ended <- ok }()
		synctest.Wait()
		all.Release()
		if !<-ended {
			t.Error("it did not get what was free")
		}
	})
}
