package cli

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// progress is a line on the error stream that says how far the reading of the input is: on a terminal only, and only
// after a second.
type progress struct {
	objects atomic.Int64
	done    chan struct{}
	group   sync.WaitGroup
}

// startProgress begins to show progress, if there is a terminal to show it on.
func (p *program) startProgress() *progress {
	g := &progress{done: make(chan struct{})}
	if !isTerminal(p.io.Err) {
		return g
	}
	g.group.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		shown := false
		for {
			select {
			case <-tick.C:
				shown = true
				fmt.Fprintf(p.io.Err, "\rreading the input: %d CRs", g.objects.Load())
			case <-g.done:
				if shown {
					fmt.Fprint(p.io.Err, "\r\x1b[K")
				}
				return
			}
		}
	})
	return g
}

// add counts objects that were read.
func (g *progress) add(objects int) { g.objects.Add(int64(objects)) }

// stop takes the line away.
func (g *progress) stop() {
	close(g.done)
	g.group.Wait()
}
