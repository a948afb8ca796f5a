package source

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
)

// bufferSize is how much is read at once.
const bufferSize = 256 << 10

var (
	errUnpacked = errors.New("more bytes than the limit")
	errDepth    = errors.New("compression nested deeper than the limit")
)

// unsupportedError is for content that is sound but that this program cannot unpack.
type unsupportedError struct{ what string }

func (e *unsupportedError) Error() string { return e.what }

// seekable is a source of packed bytes with random access: a file on disk, or an archive held in memory.
type seekable interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// stream is the content of a file with all compression taken off. It reads, and skips forward where archive/tar wants to.
type stream struct {
	*bufio.Reader
	raw    *rawReader
	layers []format // compression taken off, outermost first
	inner  format   // what is inside: tar, zip or plain
	limits []*limiter
	junk   bool       // something follows the end of the compressed data
	nested bool       // raw reads from an archive around this one, which has to report what goes wrong there
	ahead  *readAhead // reads the outermost layer, unless nested
	at     seekable
	moved  int64 // bytes skipped by Seek
	close  func()
}

// unpack takes the compression off src. The stream must be closed, also after an error.
func (w *walker) unpack(src io.Reader, nested bool) (*stream, error) {
	s := &stream{raw: &rawReader{ctx: w.ctx, src: src}, nested: nested}
	s.at, _ = src.(seekable)
	var closers []func()
	s.close = func() {
		s.halt()
		for _, c := range slices.Backward(closers) {
			c()
		}
		closers = nil
	}
	s.Reader = w.buffer(s.raw)
	closers = append(closers, w.release(s.Reader))
	for {
		head, err := s.Peek(headSize)
		if err != nil && err != io.EOF {
			return s, err
		}
		s.inner = sniff(head)
		if s.inner == formatPlain || s.inner.archive() {
			return s, nil
		}
		if len(s.layers) == w.limits.Depth {
			return s, errDepth
		}
		s.layers = append(s.layers, s.inner)
		unpacked, done, err := w.inflate(s)
		if err != nil {
			return s, err
		}
		inflated := unpacked
		if len(s.layers) == 1 && !nested {
			memory, release := w.blocks()
			s.ahead = newReadAhead(inflated, memory)
			inflated = s.ahead
			closers = append(closers, release)
		}
		if c, sums := unpacked.(interface{ checked(io.Reader) io.Reader }); sums {
			inflated = c.checked(inflated) // here, and not where it is unpacked, which takes longer
		}
		limited := &limiter{w: w, src: inflated}
		s.limits = append(s.limits, limited)
		s.Reader = w.buffer(limited)
		closers = append(closers, done, w.release(s.Reader))
	}
}

// halt ends all reading that goes on unasked. Nothing more may be read then, but raw and junk may be looked at.
func (s *stream) halt() {
	if s.ahead != nil {
		s.ahead.halt()
	}
}

// format is the name of the format for people: "tar.gz".
func (s *stream) format() string {
	var parts []string
	if s.inner != formatPlain {
		parts = append(parts, string(s.inner))
	}
	for _, f := range slices.Backward(s.layers) {
		parts = append(parts, string(f))
	}
	return strings.Join(parts, ".")
}

// size is how many bytes a stream from its beginning has, or -1 where that is not known.
func (s *stream) size() int64 {
	f, ok := s.at.(*os.File)
	if !ok || len(s.layers) > 0 {
		return -1
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// offset is how far the unpacked content was read. It may only be asked for when reading has ended.
func (s *stream) offset() int64 {
	s.halt()
	n := s.raw.n
	switch {
	case len(s.limits) > 0:
		last := s.limits[len(s.limits)-1]
		if last.failed {
			return last.n // decompression itself failed there
		}
		n = last.n
	case s.at != nil: // skipping may have gone beyond the end
		if end, err := s.at.Seek(0, io.SeekEnd); err == nil {
			n = min(n, end)
		}
	}
	return n - int64(s.Buffered())
}

// overLimit says whether the stream ended because of Limits.Unpacked.
func (s *stream) overLimit() bool {
	return slices.ContainsFunc(s.limits, func(l *limiter) bool { return l.hit })
}

// Seek only goes forward from where the stream is. That is all that archive/tar asks for, to skip what is not read: it spares a
// copy, and on a plain tar file the reading too.
func (s *stream) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekCurrent || offset < 0 {
		return 0, errors.ErrUnsupported
	}
	if s.at != nil && len(s.layers) == 0 && offset > int64(s.Buffered()) {
		ahead := offset - int64(s.Buffered())
		if _, err := s.at.Seek(ahead, io.SeekCurrent); err != nil {
			return 0, err
		}
		s.raw.n += ahead
		s.Reset(s.raw)
		s.moved += offset
		return s.moved, nil
	}
	for left := offset; left > 0; {
		n, err := s.Discard(int(min(left, 1<<30)))
		left -= int64(n)
		if err != nil {
			s.moved += offset - left
			return s.moved, eofUnexpected(err)
		}
	}
	s.moved += offset
	return s.moved, nil
}

func eofUnexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// buffer and release keep read buffers for the next archive.
func (w *walker) buffer(r io.Reader) *bufio.Reader {
	if n := len(w.buffers); n > 0 {
		b := w.buffers[n-1]
		w.buffers = w.buffers[:n-1]
		b.Reset(r)
		return b
	}
	return bufio.NewReaderSize(r, bufferSize)
}

func (w *walker) release(b *bufio.Reader) func() {
	return func() {
		b.Reset(nil)
		w.buffers = append(w.buffers, b)
	}
}

// rawReader counts packed bytes, stops when the context ends, and remembers the error of its source: what goes wrong below is no
// fault of the archive's format.
type rawReader struct {
	ctx context.Context
	src io.Reader
	n   int64
	end error // what the source ended with
	err error // the same, unless it is io.EOF
}

func (r *rawReader) Read(p []byte) (int, error) {
	if r.end != nil {
		return 0, r.end // once is enough: a terminal would ask for another end of input
	}
	n, err := 0, r.ctx.Err()
	if err == nil {
		n, err = r.src.Read(p)
	}
	r.n += int64(n)
	r.end = err
	if err != io.EOF {
		r.err = err
	}
	return n, err
}

// limiter counts what comes out of decompression, against the limit of the whole walk.
type limiter struct {
	w   *walker
	src io.Reader
	n   int64
	hit bool // the limit is reached

	failed bool // src could not be read to its end
}

func (l *limiter) Read(p []byte) (int, error) {
	if l.hit {
		return 0, errUnpacked
	}
	if err := l.w.ctx.Err(); err != nil { // little that is packed can unpack to much
		return 0, err
	}
	left := l.w.limits.Unpacked - l.w.unpacked
	if left < int64(len(p)) {
		p = p[:left+1] // one more, to tell the end from more
	}
	n, err := l.src.Read(p)
	if int64(n) > left {
		l.hit = true
		n, err = int(left), errUnpacked
	}
	l.failed = err != nil && err != io.EOF
	l.n += int64(n)
	l.w.unpacked += int64(n)
	return n, err
}

// blocks and the function returned keep the memory for reading ahead.
func (w *walker) blocks() ([][]byte, func()) {
	memory := w.ahead
	w.ahead = nil
	if memory == nil {
		memory = make([][]byte, aheadBlocks)
	}
	return memory, func() { w.ahead = memory }
}

// fill reads until buf is full or r ends; the error is that of r, never io.EOF.
func fill(r io.Reader, buf []byte) (int, error) {
	for n := 0; ; {
		if n == len(buf) {
			return n, nil
		}
		k, err := r.Read(buf[n:])
		n += k
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return n, err
		}
	}
}

// allocateAtOnce is up to which size memory is allocated where an archive states the size: statements can lie.
const allocateAtOnce = 64 << 20

// content reads head and the rest of r. Size is what r holds, or negative; it may be wrong, but is allocated. More than the limit
// for one file are errTooLarge. What it takes of the room stands in claimed.
func (w *walker) content(r io.Reader, head []byte, size int64) ([]byte, error) {
	c := &claim{ctx: w.ctx, room: w.opt.Room, src: r}
	most := w.fileLimit()
	// One byte more than expected lets the end be seen without growing.
	memory := w.opt.Buffers.Take(int(max(int64(len(head)), min(size, most))) + 1)
	data, err := readAll(c, memory[:copy(memory, head)], most)
	if err != nil {
		c.room.Release(c.size)
		return nil, err
	}
	w.claimed = c.size
	return data, nil
}

// readAll adds the rest of r to data. More than limit bytes are errTooLarge.
func readAll(r io.Reader, data []byte, limit int64) ([]byte, error) {
	for {
		if len(data) == cap(data) {
			data = grown(data, limit)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, errTooLarge
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		}
	}
}

// grown returns data with room for half as much more, but not for more than tells that the limit is exceeded.
func grown(data []byte, limit int64) []byte {
	size := len(data) + len(data)/2 + headSize
	if int64(size) > limit {
		size = max(int(limit), len(data)) + 1
	}
	larger := make([]byte, len(data), size)
	copy(larger, data)
	return larger
}

var errTooLarge = errors.New("larger than the limit for one file")
