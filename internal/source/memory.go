package source

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/crew"
)

// raiseMemory is what there is to do about it.
const raiseMemory = "or raise the limit with --limit memory=N"

// fileLimit is how large a file that is read may be.
func (w *walker) fileLimit() int64 { return min(w.limits.File, w.limits.Memory) }

// tooLarge records that a file was not read, of which the size may be -1.
func (w *walker) tooLarge(p place, size int64) {
	w.ledger.lost++
	is := "is larger than"
	if size >= 0 {
		is = fmt.Sprintf("has %d bytes, more than", size)
	}
	if w.limits.Memory < w.limits.File && size <= w.limits.File {
		w.problem(
			p,
			code.LimitMemory,
			"%s the %d bytes of memory that one file may use, and was not read; leave it out of the input, split it, "+raiseMemory,
			is,
			w.limits.Memory,
		)
		return
	}
	w.problem(
		p,
		code.LimitSize,
		"%s %d bytes, the limit for one file, and was not read; leave it out of the input, split it, "+
			"or raise the limit with --limit file=N",
		is,
		w.limits.File,
	)
}

// claimedFrom is from which size on, in bytes, the content of a file is claimed: of smaller ones
// only a few for each processor are held at once.
const claimedFrom = 256 << 10

// claiming reads a file for which there is room. It ends with its context, which it asks often
// enough.
type claiming struct {
	ctx   context.Context
	room  *crew.Room
	src   io.Reader
	may   int64 // bytes that may still be read
	claim *crew.Claim
}

// claim returns a reader of a file that says that it has size bytes; negative where nothing says
// it. It waits until there is room for so many, before anything is read.
func (w *walker) claim(src io.Reader, size int64) (*claiming, error) {
	c := &claiming{ctx: w.ctx, room: w.opt.Room, src: src, may: claimedFrom + 1} // one more lets the end be seen
	if size > claimedFrom {
		return c, c.take(size)
	}
	return c, nil
}

func (c *claiming) take(n int64) (err error) {
	claim, ok := c.room.Acquire(c.ctx, n)
	if !ok {
		return c.ctx.Err()
	}
	c.claim, c.may = claim, n+1
	return nil
}

// more is for a file that has more than it says, or that says nothing. One that has much more is
// read while no other such file is held.
func (c *claiming) more() error {
	const step = 4 << 20
	if c.claim == nil && c.room != nil {
		return c.take(step)
	}
	if !c.claim.Exceed(c.ctx) {
		return c.ctx.Err()
	}
	c.may = math.MaxInt64
	return nil
}

func (c *claiming) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	if c.may <= 0 {
		if err := c.more(); err != nil {
			return 0, err
		}
	}
	n, err := c.src.Read(p[:min(int64(len(p)), c.may)])
	c.may -= int64(n)
	return n, err
}

// allocateAtOnce is up to which size memory is allocated where an archive states the size:
// statements can lie.
const allocateAtOnce = 64 << 20

// content reads head and the rest of r. Size is what both hold, or negative; it may be wrong. Of
// it, up to atOnce bytes are allocated before they are read. More than the limit for one file are
// archive.ErrTooLarge. What it takes of the room is in claimed.
func (w *walker) content(r io.Reader, head []byte, size, atOnce int64) ([]byte, error) {
	c, err := w.claim(r, size)
	if err != nil {
		return nil, err
	}
	most := w.fileLimit()
	// One byte more than expected lets the end be seen without growing.
	memory := w.opt.Buffers.Take(int(max(int64(len(head)), min(size, atOnce, most))) + 1)
	data, err := archive.ReadAll(c, memory[:copy(memory, head)], most)
	if err != nil {
		c.claim.Release()
		return nil, err
	}
	w.claimed = c.claim
	return data, nil
}
