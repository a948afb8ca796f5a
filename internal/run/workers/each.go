package workers

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// grace is how long an interrupted run waits for comparisons to end.
const grace = 100 * time.Millisecond

// Each returns the results of do for 0 to n-1, computed by a number of goroutines: workers, or one
// for each processor if workers is 0. After the context ends, results that are not ready soon stay
// zero.
func Each[T any](ctx context.Context, workers, n int, do func(i int) T) []T {
	done := make([]T, n)
	var next atomic.Int64
	var mu sync.Mutex // guards done
	all := Start(Size(workers, n), func() bool {
		i := int(next.Add(1)) - 1
		if i >= n || ctx.Err() != nil {
			return false
		}
		one := do(i)
		mu.Lock()
		done[i] = one
		mu.Unlock()
		return true
	})
	if all.Wait(ctx, grace) {
		return done
	}
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(done)
}
