package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/source"
)

// progress is a line on the error stream that shows the progress of a run: only on a terminal, and
// only after a second. It shows nothing before Start. Code that writes to the same terminal must
// hide it first.
type progress struct {
	out   io.Writer
	width func() int // width of the terminal, 0 if unknown
	total int64      // bytes of the inputs; -1 if unknown
	files int        // number of inputs

	started, bytes, objects atomic.Int64 // inputs started, their bytes and objects read so far
	compared, of            atomic.Int64 // objects of the current cluster: compared so far, and all

	mu    sync.Mutex
	line  func() string // nil if no line is shown
	shown bool
	done  chan struct{} // nil before Start
	group sync.WaitGroup
}

// Start starts to show the progress of reading. in is the content of the input "-". A tick shows the
// line; without ticks it is shown every second.
func (g *progress) Start(out io.Writer, width func() int, tick <-chan time.Time, inputs []string, in io.Reader) {
	if paths, err := source.Expand(inputs, true); err == nil {
		inputs = paths
	}
	g.out = out
	g.width = width
	g.files = len(inputs)
	g.total = sizeOf(inputs, in)
	g.done = make(chan struct{})
	stop := func() {}
	if tick == nil {
		t := time.NewTicker(time.Second)
		tick, stop = t.C, t.Stop
	}
	g.group.Go(func() {
		defer stop()
		for {
			select {
			case <-tick:
				g.show()
			case <-g.done:
				return
			}
		}
	})
}

// sizeOf returns the total number of bytes of inputs that are files, or -1 if an input is not a
// file.
func sizeOf(inputs []string, in io.Reader) (total int64) {
	for _, path := range inputs {
		info, err := os.Stat(path)
		if f, ok := in.(*os.File); path == "-" && ok && f != nil {
			info, err = f.Stat()
		}
		if err != nil || !info.Mode().IsRegular() {
			return -1
		}
		total += info.Size()
	}
	return total
}

// set sets the function that makes the line.
func (g *progress) set(line func() string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.line = line
}

// show writes the line over the previous one.
func (g *progress) show() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.line == nil {
		return
	}
	line := g.line()
	if width := g.width(); width > 0 {
		line = line[:min(len(line), width-1)] // a line that wraps could not be overwritten
	}
	g.shown = true
	fmt.Fprint(g.out, "\r"+line+"\x1b[K")
}

// Hide removes the line. It is shown again when a function for it is set.
func (g *progress) Hide() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shown {
		fmt.Fprint(g.out, "\r\x1b[K")
	}
	g.line = nil
	g.shown = false
}

// End removes the line for good. It may be called again.
func (g *progress) End() {
	g.Hide()
	if g.done != nil {
		close(g.done)
		g.group.Wait()
		g.done = nil
	}
}

// Reading shows the progress of reading.
func (g *progress) Reading() {
	g.set(func() string {
		which := "the input"
		if g.files > 1 {
			which = fmt.Sprintf("input %d of %d", min(max(1, g.started.Load()), int64(g.files)), g.files)
		}
		much := ""
		switch bytes := g.bytes.Load(); {
		case g.total > 0:
			much = fmt.Sprintf("%d%% of %s, ", min(max(0, bytes*100/g.total), 100), megabytes(uint64(g.total)))
		case bytes > 0:
			much = megabytes(uint64(bytes)) + ", "
		}
		return fmt.Sprintf("reading %s: %s%s", which, much, finding.Plural(int(g.objects.Load()), "CR", "CRs"))
	})
}

// Comparing shows the progress of comparing one of several clusters.
func (g *progress) Comparing(number, clusters int) {
	g.compared.Store(0)
	g.of.Store(0)
	g.set(func() string {
		which := "comparing"
		if clusters > 1 {
			which = fmt.Sprintf("comparing cluster %d of %d", number, clusters)
		}
		if of := g.of.Load(); of > 0 {
			which += fmt.Sprintf(": %d of %s", g.compared.Load(), finding.Plural(int(of), "CR", "CRs"))
		}
		return which
	})
}

// Compared records the number of objects that were compared, of all objects of the cluster.
func (g *progress) Compared(done, of int) {
	g.compared.Store(int64(done))
	g.of.Store(int64(of))
}
