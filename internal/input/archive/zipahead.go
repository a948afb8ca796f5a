package archive

import (
	"archive/zip"
	"io"
	"runtime"
	"sync"
)

// zipAhead unpacks entries of a zip archive in goroutines of its own, before they are opened. It
// holds only content that was unpacked without any error; an entry with an error is unpacked again
// when it is opened, which shows the error.
type zipAhead struct {
	z      *Zip
	worth  func(Entry) bool
	memory [][]byte // blocks of aheadBlock bytes, nil until their first use
	free   []int    // the blocks that no batch uses
	next   int      // the first entry that is in no batch
	queue  []*zipBatch
	work   chan *zipBatch
	group  sync.WaitGroup
}

// zipBatch is entries that are unpacked into one block of memory, one after the other.
type zipBatch struct {
	block   int
	entries []zipPiece
	last    int // no later entry is in this batch
	passed  int // how many of entries were taken, or were never opened
	done    chan struct{}
}

// zipPiece is an entry of a batch.
type zipPiece struct {
	at      int // its number
	content []byte
	intact  bool // the content is complete; set before the batch is done
}

// ReadAhead unpacks deflated entries in the background until the caller opens them, and returns a
// function that ends this. worth says of an entry, earlier than it is opened, whether it probably will
// be; ReadAhead and Open call it. It does nothing on a single processor.
func (z *Zip) ReadAhead(worth func(Entry) bool) (halt func()) {
	size := min(runtime.GOMAXPROCS(0), aheadBlocks)
	if size == 1 {
		return func() {}
	}
	memory := z.u.ahead.take()
	if memory == nil {
		memory = make([][]byte, aheadBlocks)
	}
	a := &zipAhead{z: z, worth: worth, memory: memory, work: make(chan *zipBatch, len(memory))}
	for i := range min(2*size, len(memory)) {
		a.free = append(a.free, i)
	}
	for range size {
		a.group.Go(func() {
			for b := range a.work {
				z.unpack(b)
			}
		})
	}
	z.ahead = a
	a.fill()
	return func() {
		close(a.work)
		a.group.Wait()
		z.ahead = nil
		z.u.ahead.put(memory)
	}
}

// fill starts batches while there is memory for them.
func (a *zipAhead) fill() {
	for len(a.free) > 0 {
		b := a.batch()
		if b == nil {
			return
		}
		a.free = a.free[1:]
		a.queue = append(a.queue, b)
		a.work <- b
	}
}

// batch returns the next entries that fit into a block, or nil if there are none.
func (a *zipAhead) batch() *zipBatch {
	b := &zipBatch{block: a.free[0], done: make(chan struct{})}
	used := 0
	for ; a.next < a.z.Len(); a.next++ {
		f := a.z.list.File[a.next]
		fits := f.Method == zip.Deflate && f.Flags&1 == 0 && f.UncompressedSize64 <= aheadBlock
		if !fits || !a.worth(a.z.Entry(a.next)) {
			continue
		}
		end := used + int(f.UncompressedSize64)
		if end > aheadBlock {
			break
		}
		memory := &a.memory[b.block]
		if *memory == nil {
			*memory = make([]byte, aheadBlock)
		}
		b.entries = append(b.entries, zipPiece{at: a.next, content: (*memory)[used:end]})
		used = end
	}
	if b.last = a.next - 1; len(b.entries) == 0 {
		return nil
	}
	return b
}

// take returns the content of entry i, which is valid until it is called again, or false if it was
// not unpacked. The entries are taken in their order.
func (a *zipAhead) take(i int) ([]byte, bool) {
	for len(a.queue) > 0 && a.queue[0].last < i {
		<-a.queue[0].done
		a.free = append(a.free, a.queue[0].block)
		a.queue = a.queue[1:]
	}
	a.fill()
	if len(a.queue) == 0 {
		return nil, false
	}
	b := a.queue[0]
	for b.passed < len(b.entries) && b.entries[b.passed].at < i {
		b.passed++
	}
	if b.passed == len(b.entries) || b.entries[b.passed].at > i {
		return nil, false
	}
	<-b.done
	return b.entries[b.passed].content, b.entries[b.passed].intact
}

// unpack unpacks a batch.
func (z *Zip) unpack(b *zipBatch) {
	defer close(b.done)
	for i := range b.entries {
		if z.u.ctx.Err() != nil {
			return
		}
		p := &b.entries[i]
		p.intact = unpackPiece(z.list.File[p.at], p.content)
	}
}

// unpackPiece fills memory with the content of an entry and reports whether that is exactly the
// content, according to its checksum too.
func unpackPiece(f *zip.File, memory []byte) bool {
	r, err := f.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	n := 0
	for n < len(memory) && err == nil {
		var k int
		k, err = readSafely(r, memory[n:])
		n += k
	}
	if n < len(memory) {
		return false
	}
	for err == nil && n == len(memory) { // archive/zip tells of a wrong checksum at the end only
		var more [1]byte
		var k int
		k, err = readSafely(r, more[:])
		n += k
	}
	return err == io.EOF && n == len(memory)
}
