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
	inputs  atomic.Int64 // that were begun
	of      atomic.Int64 // how many there are; 0 where they are read at once
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
				which := "reading the input"
				if of := g.of.Load(); of > 0 {
					which = fmt.Sprintf("reading and comparing input %d of %d", g.inputs.Load(), of)
				}
				fmt.Fprintf(p.io.Err, "\r%s: %d CRs", which, g.objects.Load())
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

// input counts an input that was begun, of so many.
func (g *progress) input(of int) {
	g.inputs.Add(1)
	g.of.Store(int64(of))
}

// stop takes the line away.
func (g *progress) stop() {
	close(g.done)
	g.group.Wait()
}
