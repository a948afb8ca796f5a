package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"github.com/validationtool/validationtool/internal/code"
)

// Limits protect against archives that were built to exhaust memory or time.
type Limits struct {
	Unpacked int64 // bytes that come out of decompression in all streams of an Unpacker together
	Memory   int64 // bytes of windows of decompressors and archives in memory, together
	Depth    int   // compression inside compression
}

// Unpacker opens streams, one inside the other if need be, and counts them against its limits. It
// keeps the memory of those that were closed for the next. Only one goroutine may use it.
type Unpacker struct {
	ctx       context.Context
	limits    Limits
	unpacked  int64 // bytes out of decompression so far
	held      int64 // bytes of windows of decompressors, and of archives in memory
	buffers   []*bufio.Reader
	gzips     []*gzipReader
	xzs       kept[*xz.Reader]
	zstds     kept[*zstd.Decoder]
	inflaters []*inflater
	ahead     [][]byte // memory for reading ahead, while none does
}

// kept are decompressors to be used again, by the largest window that they take.
type kept[T any] map[int64][]T

// take returns one for a window, and whether there is one.
func (k kept[T]) take(w window) (one T, ok bool) {
	list := k[w.most]
	if len(list) == 0 {
		return one, false
	}
	k[w.most] = list[:len(list)-1]
	return list[len(list)-1], true
}

// put keeps one for another file, and reports whether it did: nobody counts the memory of what is
// kept, so it is of a few windows only.
func (k *kept[T]) put(w window, one T) bool {
	const windows = 4 // as many as lie in each other mostly
	if *k == nil {
		*k = kept[T]{}
	}
	list, known := (*k)[w.most]
	if !known && len(*k) == windows {
		return false
	}
	(*k)[w.most] = append(list, one)
	return true
}

// NewUnpacker is an Unpacker that gives up when the context ends.
func NewUnpacker(ctx context.Context, limits Limits) *Unpacker {
	return &Unpacker{ctx: ctx, limits: limits}
}

// Left is how much of Limits.Memory there is left for an archive in memory.
func (u *Unpacker) Left() int64 { return u.limits.Memory - u.held }

// Restart counts from zero what comes out of decompression.
func (u *Unpacker) Restart() { u.unpacked = 0 }

// ErrUnpacked is for content that is more than is left of Limits.Unpacked.
var ErrUnpacked = errors.New("more bytes than the limit")

// ErrTooLarge is for content that is more than was allowed to be read.
var ErrTooLarge = errors.New("larger than the limit for one file")

// Refusal is the error for content that may be sound but is not unpacked.
type Refusal struct {
	Code code.Code
	What string // what is the matter, and what to do about it
}

// Error is What.
func (e *Refusal) Error() string { return e.What }

func unsupported(format string, args ...any) *Refusal {
	return &Refusal{code.InputUnreadable, fmt.Sprintf(format, args...)}
}

// maxWindow is the largest window, or dictionary, that a compressed stream may ask to be kept in
// memory. The strongest settings of the usual programs stay below it.
const maxWindow = 256 << 20

// leastWindow is what every decompressor may have, however many there are around it.
const leastWindow = 1 << 20

// window is the memory that a decompressor may take for what it looks back at.
type window struct{ most int64 }

// takeWindow takes the memory for a decompressor: it may have half of what those around it leave,
// so that the innermost always has some and the outcome depends on the archive only. It has to be
// given back.
func (u *Unpacker) takeWindow() window {
	most := min(maxWindow, max(leastWindow, u.Left()/2))
	u.held += most
	return window{most}
}

func (u *Unpacker) give(back window) { u.held -= back.most }

// tooSmall is the error for a stream that asks for more.
func (w window) tooSmall(what, instead string) error {
	if w.most == maxWindow {
		return unsupported("compressed with a %s of more than 256 MiB; %s", what, instead)
	}
	return &Refusal{
		code.LimitMemory,
		fmt.Sprintf(
			"compressed with a %s of more than %d bytes, the memory that the outer archives leave; "+
				"%s, or raise the limit with --limit memory=N",
			what,
			w.most,
			instead,
		),
	}
}

// bufferSize is how much is read at once.
const bufferSize = 256 << 10

// buffer and release keep read buffers for the next archive.
func (u *Unpacker) buffer(r io.Reader) *bufio.Reader {
	if n := len(u.buffers); n > 0 {
		b := u.buffers[n-1]
		u.buffers = u.buffers[:n-1]
		b.Reset(r)
		return b
	}
	return bufio.NewReaderSize(r, bufferSize)
}

func (u *Unpacker) release(b *bufio.Reader) func() {
	return func() {
		b.Reset(nil)
		u.buffers = append(u.buffers, b)
	}
}

// blocks and the function returned keep the memory for reading ahead.
func (u *Unpacker) blocks() ([][]byte, func()) {
	memory := u.ahead
	u.ahead = nil
	if memory == nil {
		memory = make([][]byte, aheadBlocks)
	}
	return memory, func() { u.ahead = memory }
}

// Open takes the compression off src. The stream is never nil and must be ended, also after an
// error. A nested one reads from an archive around it, which has to report what goes wrong there.
func (u *Unpacker) Open(src io.Reader, nested bool) (*Stream, error) {
	s := &Stream{Nested: nested, u: u, raw: &rawReader{ctx: u.ctx, src: src}}
	s.at, _ = src.(seekable)
	s.Reader = u.buffer(s.raw)
	s.closers = append(s.closers, u.release(s.Reader))
	for {
		head, err := s.Peek(HeadSize)
		if err != nil && err != io.EOF {
			return s, err
		}
		s.inner = sniff(head)
		if s.inner == formatPlain || s.inner.archive() {
			return s, nil
		}
		if len(s.layers) == u.limits.Depth {
			return s, &Refusal{
				code.LimitDepth,
				fmt.Sprintf(
					"not read, because it is compressed more than %d times, the limit; unpack it yourself, "+
						"or raise the limit with --limit depth=N",
					u.limits.Depth,
				),
			}
		}
		if err := s.takeOff(); err != nil {
			return s, err
		}
	}
}

// takeOff takes off the compression that s begins with.
func (s *Stream) takeOff() error {
	s.layers = append(s.layers, s.inner)
	unpacked, done, err := s.u.inflate(s)
	s.inner = formatPlain // until its first bytes tell
	if err != nil {
		return err
	}
	inflated := unpacked
	if len(s.layers) == 1 && !s.Nested {
		memory, release := s.u.blocks()
		s.ahead = newReadAhead(inflated, memory)
		inflated = s.ahead
		s.closers = append(s.closers, release)
	}
	if g, ok := unpacked.(*gzipReader); ok {
		inflated = g.checked(inflated) // here, and not where it is unpacked, which takes longer
	}
	limited := &limiter{u: s.u, src: inflated}
	s.limits = append(s.limits, limited)
	s.Reader = s.u.buffer(limited)
	s.closers = append(s.closers, done, s.u.release(s.Reader))
	return nil
}
