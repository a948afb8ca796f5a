package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/source"
)

// progress is a line on the error stream that shows the progress of a run: only on a terminal, and
// only after a second. A nil progress shows nothing. Other writers to the terminal must hide it
// first.
type progress struct {
	out   io.Writer
	width func() int // width of the terminal, 0 if unknown
	total int64      // bytes of the inputs; -1 if unknown
	files int        // number of inputs

	begun, bytes, objects atomic.Int64 // inputs started, their bytes and objects read so far
	compared, of          atomic.Int64 // objects of the current cluster: compared so far, and all

	mu    sync.Mutex
	line  func() string // nil to show nothing
	shown bool
	done  chan struct{}
	group sync.WaitGroup
}

// newProgress starts to show the progress of reading. in is the content of the input "-". A tick
// shows the line; without ticks it is shown every second.
func newProgress(out io.Writer, width func() int, tick <-chan time.Time, inputs []string, in io.Reader) *progress {
	if paths, err := source.Expand(inputs, true); err == nil {
		inputs = paths
	}
	g := &progress{out: out, width: width, files: len(inputs), total: sizeOf(inputs, in), done: make(chan struct{})}
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
	return g
}

// sizeOf returns the number of bytes of inputs that are files, or -1 if others are among them.
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

// says sets the function that makes the line.
func (g *progress) says(line func() string) {
	if g == nil {
		return
	}
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

// Hide removes the line until the next tick.
func (g *progress) Hide() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shown {
		fmt.Fprint(g.out, "\r\x1b[K")
	}
	g.line, g.shown = nil, false
}

// End removes the line for good.
func (g *progress) End() {
	if g != nil {
		g.Hide()
		close(g.done)
		g.group.Wait()
	}
}

// Reading shows the progress of reading; what is the action on each input.
func (g *progress) Reading(what string) {
	g.says(func() string {
		which, much := "the input", ""
		if g.files > 1 {
			which = fmt.Sprintf("input %d of %d", min(max(1, g.begun.Load()), int64(g.files)), g.files)
		}
		switch bytes := g.bytes.Load(); {
		case g.total > 0:
			much = fmt.Sprintf("%d%% of %s, ", min(max(0, bytes*100/g.total), 100), megabytes(uint64(g.total)))
		case bytes > 0:
			much = megabytes(uint64(bytes)) + ", "
		}
		return fmt.Sprintf("%s %s: %s%s", what, which, much, finding.Plural(int(g.objects.Load()), "CR", "CRs"))
	})
}

// Comparing shows the progress of comparing one of several clusters.
func (g *progress) Comparing(number, clusters int) {
	if g == nil {
		return
	}
	g.compared.Store(0)
	g.of.Store(0)
	g.says(func() string {
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

// Found counts objects that were read.
func (g *progress) Found(objects int) {
	if g != nil {
		g.objects.Add(int64(objects))
	}
}

// Read returns a function that takes the progress of reading; nil if nothing is shown.
func (g *progress) Read() func(inputs int, bytes int64) {
	if g == nil {
		return nil
	}
	return func(inputs int, bytes int64) {
		g.begun.Add(int64(inputs))
		g.bytes.Add(bytes)
	}
}

// Compare returns a function that takes the progress of comparing; nil if nothing is shown.
func (g *progress) Compare() func(done, of int) {
	if g == nil {
		return nil
	}
	return func(done, of int) {
		g.compared.Store(int64(done))
		g.of.Store(int64(of))
	}
}
