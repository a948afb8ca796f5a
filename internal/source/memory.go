package source

import (
	"context"
	"fmt"
	"io"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
)

// memoryError is for content that needs more memory than there is left of Limits.Memory.
type memoryError struct{ what string }

func (e *memoryError) Error() string { return e.what }

// raiseMemory is what there is to do about it.
const raiseMemory = "or raise the limit with --limit memory=N"

// leastWindow is what every decompressor may have, however many there are around it.
const leastWindow = 1 << 20

// window is the memory that a decompressor may take for what it looks back at.
type window struct{ most int64 }

// takeWindow takes the memory for a decompressor: it may have half of what those around it leave, so that the innermost always has some
// and the outcome depends on the archive only. It has to be given back.
func (w *walker) takeWindow() window {
	most := min(maxWindow, max(leastWindow, (w.limits.Memory-w.held)/2))
	w.held += most
	return window{most}
}

func (w *walker) give(back window) { w.held -= back.most }

// tooSmall is the error for a stream that asks for more.
func (w window) tooSmall(what, instead string) error {
	if w.most == maxWindow {
		return &unsupportedError{fmt.Sprintf("it is packed with a %s of more than 256 MiB; %s", what, instead)}
	}
	return &memoryError{fmt.Sprintf("it is packed with a %s of more than %d bytes, which is what it may take of the memory beside what is around it; %s, %s",
		what, w.most, instead, raiseMemory)}
}

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
			return 0, errTooLarge
		case !c.room.Acquire(c.ctx, left):
			return 0, c.ctx.Err()
		}
		c.size += left
	}
	n, err := c.src.Read(p[:min(int64(len(p)), left)])
	c.read += int64(n)
	return n, err
}
