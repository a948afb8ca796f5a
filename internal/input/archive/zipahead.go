package archive

import (
	"archive/zip"
	"cmp"
	"runtime"
	"slices"
	"sync"
)

// zipAhead unpacks entries of a zip archive in goroutines of its own, before they are opened. It
// holds only content that was unpacked without any error; an entry with an error is unpacked again
// when it is opened, which shows the error.
type zipAhead struct {
	z     *Zip
	worth func(Entry) bool
	empty []*[]byte // blocks of memory that no batch uses
	next  int       // the first entry that is in no batch
	queue []*zipBatch
	work  chan *zipBatch
	group sync.WaitGroup
}

// zipBatch is entries that are unpacked into one block of memory, one after the other.
type zipBatch struct {
	memory  *[]byte
	entries []*zipPiece
	last    int // no later entry is in this batch
	done    chan struct{}
}

// zipPiece is an entry of a batch.
type zipPiece struct {
	at     int    // its number
	room   []byte // for its content and one byte more, which shows whether the content ends there
	intact bool   // the content is complete; set before the batch is done
}

// ReadAhead unpacks deflated entries in the background until the caller opens them, and returns a
// function that ends this. worth says of an entry, earlier than it is opened, whether it probably will
// be; ReadAhead and Open call it. It does nothing on a single processor.
func (z *Zip) ReadAhead(worth func(Entry) bool) (halt func()) {
	size := min(runtime.GOMAXPROCS(0), aheadBlocks)
	if size == 1 {
		return func() {}
	}
	memory := z.u.aheadMemory()
	a := &zipAhead{z: z, worth: worth, work: make(chan *zipBatch, len(memory))}
	for i := range min(2*size, len(memory)) {
		a.empty = append(a.empty, &memory[i])
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
	for len(a.empty) > 0 {
		b := a.batch(a.empty[0])
		if len(b.entries) == 0 {
			return
		}
		a.empty = a.empty[1:]
		a.queue = append(a.queue, b)
		a.work <- b
	}
}

// batch returns the next entries that fit into a block of memory.
func (a *zipAhead) batch(memory *[]byte) *zipBatch {
	b := &zipBatch{memory: memory, done: make(chan struct{})}
	used := 0
	for ; a.next < a.z.Len(); a.next++ {
		f := a.z.list.File[a.next]
		fits := f.Method == zip.Deflate && f.Flags&1 == 0 && f.UncompressedSize64 < aheadBlock
		if !fits || !a.worth(a.z.Entry(a.next)) {
			continue
		}
		end := used + int(f.UncompressedSize64) + 1
		if end > aheadBlock {
			break
		}
		if *memory == nil {
			*memory = make([]byte, aheadBlock)
		}
		b.entries = append(b.entries, &zipPiece{at: a.next, room: (*memory)[used:end]})
		used = end
	}
	b.last = a.next - 1
	return b
}

// take returns the content of entry i, which is valid until it is called again, or false if it was
// not unpacked. The entries are taken in their order.
func (a *zipAhead) take(i int) ([]byte, bool) {
	for len(a.queue) > 0 && a.queue[0].last < i {
		<-a.queue[0].done
		a.empty = append(a.empty, a.queue[0].memory)
		a.queue = a.queue[1:]
	}
	a.fill()
	if len(a.queue) == 0 {
		return nil, false
	}
	b := a.queue[0]
	at, isThere := slices.BinarySearchFunc(b.entries, i, func(p *zipPiece, i int) int { return cmp.Compare(p.at, i) })
	if !isThere {
		return nil, false
	}
	<-b.done
	p := b.entries[at]
	return p.room[:len(p.room)-1], p.intact
}

// unpack unpacks a batch.
func (z *Zip) unpack(b *zipBatch) {
	defer close(b.done)
	for _, p := range b.entries {
		if z.u.ctx.Err() != nil {
			return
		}
		p.intact = unpackInto(p.room, z.list.File[p.at])
	}
}

// unpackInto unpacks an entry and reports whether its content is complete, according to its checksum
// too, and fills all but the last byte of the memory.
func unpackInto(memory []byte, f *zip.File) bool {
	defer func() { _ = recover() }() // the same happens again when the entry is opened
	r, err := f.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	n, err := Fill(r, memory)
	return err == nil && n == len(memory)-1
}
