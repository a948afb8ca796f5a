package workers

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestAllIsDone(t *testing.T) {
	var next atomic.Int64
	var done [1000]atomic.Int64
	c := Start(Size(7, len(done)), func() bool {
		i := int(next.Add(1)) - 1
		if i >= len(done) {
			return false
		}
		done[i].Add(1)
		return true
	})
	if !c.Wait(t.Context(), 0) {
		t.Error("some are left")
	}
	for i := range done {
		if n := done[i].Load(); n != 1 {
			t.Errorf("%d was done %d times", i, n)
		}
	}
}

func TestNoneIsMoreThanThereIsWork(t *testing.T) {
	if Size(7, 3) != 3 || Size(2, 3) != 2 || Size(0, 0) != 0 || Size(0, 1) != 1 {
		t.Error("the size is wrong")
	}
}

// TestWaitingEndsSoonAfterTheContext: what ends within the grace is waited for, what takes longer
// is left.
func TestWaitingEndsSoonAfterTheContext(t *testing.T) {
	for took, whole := range map[time.Duration]bool{time.Second: true, time.Minute: false} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			c := Start(3, func() bool {
				time.Sleep(took)
				return ctx.Err() == nil
			})
			cancel()
			began := time.Now()
			if got := c.Wait(ctx, 2*time.Second); got != whole || time.Since(began) > 2*time.Second {
				t.Errorf("work of %s: ended %t, after %s", took, got, time.Since(began))
			}
			<-c.ended // once the work is done
		})
	}
}
