package source

import (
	"context"
	"fmt"
	"io"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
)

// raiseMemory is what there is to do about it.
const raiseMemory = "or raise the limit with --limit memory=N"

// fileLimit is how large a file that is read may be.
func (w *walker) fileLimit() int64 { return min(w.limits.File, w.limits.Memory) }

// tooLarge records that a file was not read, of which the size may be -1.
func (w *walker) tooLarge(p place, size int64) {
	w.ledger.lost++
	is := "it is larger than"
	if size >= 0 {
		is = fmt.Sprintf("it has %d bytes, more than", size)
	}
	if w.limits.Memory < w.limits.File && size <= w.limits.File {
		w.problem(p, code.LimitMemory, "%s the %d bytes that one file may take of the memory, and was not read; leave it out of the input, cut it into parts, "+raiseMemory,
			is, w.limits.Memory)
		return
	}
	w.problem(p, code.LimitSize, "%s %d bytes, the limit for one file, and was not read; leave it out of the input, cut it into parts, "+
		"or raise the limit with --limit file=N", is, w.limits.File)
}

// claimedFrom is from which size on the content of a file is claimed: of smaller ones only a few for each processor are held at once.
const claimedFrom = 256 << 10

// claim reads a file, and waits for room before each part of it. It ends with its context, which it asks often enough.
type claim struct {
	ctx  context.Context
	room *budget.Room
	src  io.Reader
	read int64
	size int64 // what of the room it took
}

func (c *claim) Read(p []byte) (int, error) {
	const step = 4 << 20
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	left := claimedFrom + c.size - c.read
	if left <= 0 {
		left = min(step, c.room.Size()-c.size)
		switch {
		case left <= 0:
			return 0, archive.ErrTooLarge
		case !c.room.Acquire(c.ctx, left):
			return 0, c.ctx.Err()
		}
		c.size += left
	}
	n, err := c.src.Read(p[:min(int64(len(p)), left)])
	c.read += int64(n)
	return n, err
}

// allocateAtOnce is up to which size memory is allocated where an archive states the size: statements can lie.
const allocateAtOnce = 64 << 20

// content reads head and the rest of r. Size is what r holds, or negative; it may be wrong, but is allocated. More than the limit
// for one file are archive.ErrTooLarge. What it takes of the room stands in claimed.
func (w *walker) content(r io.Reader, head []byte, size int64) ([]byte, error) {
	c := &claim{ctx: w.ctx, room: w.opt.Room, src: r}
	most := w.fileLimit()
	// One byte more than expected lets the end be seen without growing.
	memory := w.opt.Buffers.Take(int(max(int64(len(head)), min(size, most))) + 1)
	data, err := archive.ReadAll(c, memory[:copy(memory, head)], most)
	if err != nil {
		c.room.Release(c.size)
		return nil, err
	}
	w.claimed = c.size
	return data, nil
}
