package archive

import (
	"errors"
	"io"
	"sync"
)

// A readAhead may be ahead by so many blocks of so many bytes. What is unpacked comes in turns of
// much that is passed over and much that is looked at: the more it may be ahead, the less one waits
// for the other.
const (
	aheadBlocks = 6
	aheadBlock  = 1 << 20
	// a block is full with so many: for few at its end, our decoder would need memory of its own
	aheadLeast = aheadBlock - 4<<10
)

// readAhead reads its source in a goroutine of its own, so that unpacking goes on while what was
// unpacked is looked at. The source must not be touched, and what its reading sets must not be
// read, before the end was returned or halt was called.
type readAhead struct {
	filled chan block
	empty  chan *[]byte
	stop   chan struct{}
	group  sync.WaitGroup
	once   sync.Once

	now  block // being handed out
	used int   // bytes of it that were
}

// block is what one round of reading gave. Behind one with an error comes no other.
type block struct {
	memory *[]byte
	data   []byte // the part of the memory that was filled
	err    error
}

// newReadAhead begins to read src into the given blocks of memory. A block that is nil is allocated
// when it is first needed, so that a short source takes no more than one.
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

// fill reads until the source ends or nobody wants more. There is always room in filled for all
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

// errGaveUp is for a library that panicked on what it was to unpack.
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

// Read hands out what was read, and at the end the error of the source.
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

// halt ends the reading ahead. When it returns, the source is left alone for good.
func (a *readAhead) halt() {
	a.once.Do(func() { close(a.stop) })
	a.group.Wait()
}
