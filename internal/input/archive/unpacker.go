package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/validationtool/validationtool/internal/input/xz"
	"github.com/validationtool/validationtool/internal/run/code"
)

// Limits protect against archives that were built to exhaust memory or time.
type Limits struct {
	Unpacked int64 // bytes that decompression produces in all streams of an Unpacker together
	Memory   int64 // bytes of archives in memory, together; also bounds decompression windows
	Depth    int   // depth of nested compression
}

// Unpacker opens streams, also nested ones, and counts them against its limits. It keeps the memory
// of closed streams for the next. Only one goroutine may use it.
type Unpacker struct {
	ctx       context.Context
	limits    Limits
	unpacked  int64 // decompressed bytes so far
	held      int64 // bytes of archives in memory
	buffers   pool[*bufio.Reader]
	gzips     pool[*gzipReader]
	xzs       pool[*xz.Reader]
	zstds     pool[*zstd.Decoder]
	inflaters pool[*inflater]
	ahead     pool[[][]byte] // memory for a readAhead or a zipAhead
}

// pool is values for reuse. Several goroutines may use it.
type pool[T any] struct {
	mu   sync.Mutex
	free []T
}

// take removes and returns a value, or returns the zero value if the pool is empty.
func (p *pool[T]) take() (one T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.free) - 1; last >= 0 {
		one, p.free = p.free[last], p.free[:last]
	}
	return one
}

func (p *pool[T]) put(one T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, one)
}

// NewUnpacker returns an Unpacker whose reading stops when the context ends.
func NewUnpacker(ctx context.Context, limits Limits) *Unpacker {
	return &Unpacker{ctx: ctx, limits: limits}
}

// aheadMemory returns blocks for reading ahead, to be put back; a block is nil until its first use.
func (u *Unpacker) aheadMemory() [][]byte {
	if memory := u.ahead.take(); memory != nil {
		return memory
	}
	return make([][]byte, aheadBlocks)
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

// Bounds, in bytes, of the window or dictionary that a compressed stream may request. The strongest
// settings of common programs need less than the maximum.
const (
	maxWindow   = 256 << 20
	leastWindow = 1 << 20
)

// window returns the largest window, in bytes, that a stream may request. The operating
// system provides memory only for the part that is written.
func (u *Unpacker) window() int64 { return min(maxWindow, max(leastWindow, u.limits.Memory/2)) }

// windowError returns the error for a stream that requests a larger window.
func (u *Unpacker) windowError(what, instead string) error {
	if u.window() == maxWindow {
		return unsupported("compressed with a %s of more than 256 MiB; %s", what, instead)
	}
	return &Refusal{
		code.LimitMemory,
		fmt.Sprintf("compressed with a %s of more than %d bytes, half of the memory limit; %s, "+
			"or raise the limit with --limit memory=N", what, u.window(), instead),
	}
}

// bufferSize is the number of bytes read at once.
const bufferSize = 256 << 10

// read makes s read from r with a buffer, until it ends.
func (s *Stream) read(r io.Reader) {
	b := s.u.buffers.take()
	if b == nil {
		b = bufio.NewReaderSize(nil, bufferSize)
	}
	b.Reset(r)
	s.Reader = b
	s.closers = append(s.closers, func() {
		b.Reset(nil)
		s.u.buffers.put(b)
	})
}

// Open removes the compression of src. The stream is never nil and must be ended, also after an
// error. A nested stream reads from an enclosing archive, which reports its own errors.
func (u *Unpacker) Open(src io.Reader, nested bool) (*Stream, error) {
	s := &Stream{Nested: nested, u: u, raw: &rawReader{ctx: u.ctx, src: src}}
	s.at, _ = src.(seekable)
	s.read(s.raw)
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
			return s, &Refusal{code.LimitDepth, fmt.Sprintf("not read, because it is compressed more than %d times, "+
				"the limit; unpack it yourself, or raise the limit with --limit depth=N", u.limits.Depth)}
		}
		if err := s.takeOff(); err != nil {
			return s, err
		}
	}
}

// takeOff removes the outermost compression of s.
func (s *Stream) takeOff() error {
	s.layers = append(s.layers, s.inner)
	inflated, done, err := s.u.inflate(s)
	s.inner = formatPlain // until its first bytes are known
	if err != nil {
		return err
	}
	s.closers = append(s.closers, done)
	if len(s.layers) == 1 && !s.Nested {
		memory := s.u.aheadMemory()
		s.closers = append(s.closers, func() { s.u.ahead.put(memory) })
		s.ahead = newReadAhead(inflated, memory)
		inflated = s.ahead
	}
	limited := &limiter{u: s.u, src: inflated}
	s.limits = append(s.limits, limited)
	s.read(limited)
	return nil
}
