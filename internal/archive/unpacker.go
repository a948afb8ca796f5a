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
	Unpacked int64 // bytes that decompression produces in all streams of an Unpacker together
	Memory   int64 // bytes of decompression windows and archives in memory, together
	Depth    int   // depth of nested compression
}

// Unpacker opens streams, also nested ones, and counts them against its limits. It keeps the memory
// of closed streams for the next. Only one goroutine may use it.
type Unpacker struct {
	ctx       context.Context
	limits    Limits
	unpacked  int64 // decompressed bytes so far
	held      int64 // bytes of decompression windows and of archives in memory
	buffers   []*bufio.Reader
	gzips     []*gzipReader
	xzs       kept[*xz.Reader]
	zstds     kept[*zstd.Decoder]
	inflaters []*inflater
	ahead     [][]byte // memory for a readAhead, while none uses it
}

// kept is decompressors for reuse, by the largest window that they accept.
type kept[T any] map[int64][]T

// take removes and returns a decompressor for a window, and whether one was kept.
func (k kept[T]) take(w window) (one T, ok bool) {
	list := k[w.most]
	if len(list) == 0 {
		return one, false
	}
	k[w.most] = list[:len(list)-1]
	return list[len(list)-1], true
}

// put keeps a decompressor for another file, and reports whether it did. Nothing counts the memory
// of kept decompressors, so they are limited to a few window sizes.
func (k *kept[T]) put(w window, one T) bool {
	const windows = 4 // the usual maximum depth of nesting
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

// NewUnpacker returns an Unpacker whose reading stops when the context ends.
func NewUnpacker(ctx context.Context, limits Limits) *Unpacker {
	return &Unpacker{ctx: ctx, limits: limits}
}

// Left returns the bytes of Limits.Memory that are available for an archive in memory.
func (u *Unpacker) Left() int64 { return u.limits.Memory - u.held }

// Restart resets the count of decompressed bytes.
func (u *Unpacker) Restart() { u.unpacked = 0 }

// ErrUnpacked is the error for content that exceeds the rest of Limits.Unpacked.
var ErrUnpacked = errors.New("more bytes than the limit")

// ErrTooLarge is the error for content that exceeds the limit of a single read.
var ErrTooLarge = errors.New("larger than the limit for one file")

// Refusal is the error for content that may be intact but is not unpacked.
type Refusal struct {
	Code code.Code
	What string // the problem, and what to do about it
}

// Error returns What.
func (e *Refusal) Error() string { return e.What }

func unsupported(format string, args ...any) *Refusal {
	return &Refusal{code.InputUnreadable, fmt.Sprintf(format, args...)}
}

// maxWindow is the largest window or dictionary, in bytes, that a compressed stream may request.
// The strongest settings of common programs need less.
const maxWindow = 256 << 20

// leastWindow is the window, in bytes, that every decompressor may have at any depth.
const leastWindow = 1 << 20

// window is the memory, in bytes, that a decompressor may use for its window.
type window struct{ most int64 }

// takeWindow reserves memory for a decompressor: half of what the decompressors around it leave, so
// that the innermost always has some and the result depends only on the archive. The caller must
// give it back.
func (u *Unpacker) takeWindow() window {
	most := min(maxWindow, max(leastWindow, u.Left()/2))
	u.held += most
	return window{most}
}

func (u *Unpacker) give(back window) { u.held -= back.most }

// tooSmall returns the error for a stream that requests a larger window.
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

// bufferSize is the number of bytes read at once.
const bufferSize = 256 << 10

// buffer returns a read buffer for r; release keeps it for the next archive.
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

// blocks returns memory for a readAhead, and a function that keeps it for the next.
func (u *Unpacker) blocks() ([][]byte, func()) {
	memory := u.ahead
	u.ahead = nil
	if memory == nil {
		memory = make([][]byte, aheadBlocks)
	}
	return memory, func() { u.ahead = memory }
}

// Open removes the compression of src. The stream is never nil and must be ended, also after an
// error. A nested stream reads from an enclosing archive, which reports its own errors.
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

// takeOff removes the outermost compression of s.
func (s *Stream) takeOff() error {
	s.layers = append(s.layers, s.inner)
	unpacked, done, err := s.u.inflate(s)
	s.inner = formatPlain // until its first bytes are known
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
		inflated = g.checked(inflated) // check here and not in the goroutine that unpacks, which is slower
	}
	limited := &limiter{u: s.u, src: inflated}
	s.limits = append(s.limits, limited)
	s.Reader = s.u.buffer(limited)
	s.closers = append(s.closers, done, s.u.release(s.Reader))
	return nil
}
