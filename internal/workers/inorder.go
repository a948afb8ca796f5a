package workers

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/code"
)

// ahead is how many parts for each processor may be made before they are written, so that memory
// stays bounded.
const ahead = 8

// part is one part of the output when it is made.
type part struct {
	made []byte
	err  error
}

// InOrder hands what build makes of 0 to n-1 to write, in this order. The first error ends it. A
// panic of build is an error too.
func InOrder(n int, build func(i int) ([]byte, error), write func([]byte) error) (err error) {
	var stop atomic.Bool
	queue := make(chan chan part, ahead*runtime.GOMAXPROCS(0))
	go func() {
		defer close(queue)
		for i := 0; i < n && !stop.Load(); i++ {
			one := make(chan part, 1)
			queue <- one
			go func() {
				p := part{}
				defer func() {
					if fault := recover(); fault != nil {
						p.err = fmt.Errorf("%s: %s", code.Internal, code.Fault(fault))
					}
					one <- p
				}()
				p.made, p.err = build(i)
			}()
		}
	}()
	for one := range queue {
		p := <-one
		if err == nil && p.err == nil {
			p.err = write(p.made)
		}
		if err == nil && p.err != nil {
			err = p.err
			stop.Store(true)
		}
	}
	return err
}
