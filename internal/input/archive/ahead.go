package archive

import (
	"errors"
	"io"
	"sync"
)

// Limits of a readAhead: the number of blocks and their size in bytes. Unpacked data alternates
// between long skipped and long inspected runs: the more blocks, the less the two sides wait for
// each other.
const (
	aheadBlocks = 6
	aheadBlock  = 1 << 20
	// a block with this many bytes is full: for the few bytes at its end, our decoder would need
	// extra memory
	aheadLeast = aheadBlock - 4<<10
)

// readAhead reads its source in a goroutine of its own, so that unpacking and inspecting overlap.
// Until Read has returned an error or halt has returned, no other code may use the source, or read
// variables that the source sets.
type readAhead struct {
	filled chan block
	empty  chan *[]byte
	stop   chan struct{}
	group  sync.WaitGroup
	once   sync.Once

	now  block // the block that Read returns
	used int   // bytes of it that Read has returned
}

// block is the result of one round of reading. No block follows one with an error.
type block struct {
	memory *[]byte
	data   []byte // the filled part of the memory
	err    error
}

// newReadAhead starts to read src into the given blocks of memory. A nil block is allocated at its
// first use, so that a short source takes only one.
func newReadAhead(src io.Reader, memory [][]byte) *readAhead {
	a := &readAhead{
		filled: make(chan block, len(memory)),
		empty:  make(chan *[]byte, len(memory)),
		stop:   make(chan struct{}),
	}
	for i := range memory {
		a.empty <- &memory[i]
	}
	a.group.Go(func() { a.fill(src) })
	return a
}

// fill reads until the source ends or halt is called. The channel filled has capacity for all
// blocks.
func (a *readAhead) fill(src io.Reader) {
	for {
		b := block{}
		select {
		case b.memory = <-a.empty:
		case <-a.stop:
			return
		}
		if *b.memory == nil {
			*b.memory = make([]byte, aheadBlock)
		}
		all, n := *b.memory, 0
		for n < aheadLeast && b.err == nil {
			var k int
			k, b.err = readSafely(src, all[n:])
			n += k
		}
		b.data = all[:n]
		a.filled <- b
		if b.err != nil {
			return
		}
	}
}

// errGaveUp is the error for data on which a library panicked.
var errGaveUp = errors.New("the decompressor failed")

// readSafely turns a panic of the source into an error.
func readSafely(src io.Reader, p []byte) (n int, err error) {
	defer func() {
		if recover() != nil {
			n, err = 0, errGaveUp
		}
	}()
	return src.Read(p)
}

// Read returns the bytes read ahead, and at the end the error of the source.
func (a *readAhead) Read(p []byte) (int, error) {
	for a.used == len(a.now.data) {
		if a.now.err != nil {
			return 0, a.now.err
		}
		if a.now.memory != nil {
			a.empty <- a.now.memory
		}
		a.now, a.used = <-a.filled, 0
	}
	n := copy(p, a.now.data[a.used:])
	a.used += n
	return n, nil
}

// halt stops the goroutine. When it returns, the source is no longer used.
func (a *readAhead) halt() {
	a.once.Do(func() { close(a.stop) })
	a.group.Wait()
}
