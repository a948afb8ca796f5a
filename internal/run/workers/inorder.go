package workers

import (
	"fmt"
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/run/code"
)

// ahead is the number of results for each processor that may wait to be written, so that memory
// stays bounded.
const ahead = 8

// InOrder calls build for 0 to n-1 and passes the results to write, see Ordered.
func InOrder(n int, build func(i int) ([]byte, error), write func([]byte) error) error {
	numbers := func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
	return Ordered(numbers, build, write)
}

// Ordered calls build for all items, concurrently, and passes the results to write in the order of
// the items. The first error ends it; a panic of build is an error too. When it returns, no call of
// build or write is still running.
func Ordered[A, B any](items iter.Seq[A], build func(A) (B, error), write func(B) error) (err error) {
	type result struct {
		made B
		err  error
	}
	var stop atomic.Bool
	queue := make(chan chan result, ahead*runtime.GOMAXPROCS(0))
	go func() {
		defer close(queue)
		for item := range items {
			if stop.Load() {
				return
			}
			one := make(chan result, 1)
			queue <- one
			go func() {
				r := result{}
				defer func() {
					if fault := recover(); fault != nil {
						r.err = fmt.Errorf("%s: %s", code.Internal, code.Fault(fault))
					}
					one <- r
				}()
				r.made, r.err = build(item)
			}()
		}
	}()
	for one := range queue {
		r := <-one
		if err != nil {
			continue
		}
		if err = r.err; err == nil {
			err = write(r.made)
		}
		stop.Store(err != nil)
	}
	return err
}
