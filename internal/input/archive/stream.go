package archive

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// seekable is a random-access source of packed bytes: a file on disk, or an archive in memory.
type seekable interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Stream is the decompressed content of a file. Besides reading it can skip forward, as archive/tar
// does.
type Stream struct {
	*bufio.Reader
	Nested bool // the source is an entry of an enclosing archive

	u       *Unpacker
	raw     *rawReader
	layers  []format // compression that was removed, outermost first
	inner   format   // format of the content: tar, zip or plain
	limits  []*limiter
	junk    bool       // other data follows the compressed data
	ahead   *readAhead // reads the outermost layer, unless Nested
	at      seekable
	moved   int64 // bytes skipped by Seek
	closers []func()
}

// End stops all reading and keeps the memory for other streams.
func (s *Stream) End() {
	s.Halt()
	for _, c := range slices.Backward(s.closers) {
		c()
	}
	s.closers = nil
}

// Compressed reports whether the source was compressed.
func (s *Stream) Compressed() bool { return len(s.layers) > 0 }

// IsArchive reports whether the content is a tar or zip archive.
func (s *Stream) IsArchive() bool { return s.inner.archive() }

// IsZip reports whether the content is a zip archive.
func (s *Stream) IsZip() bool { return s.inner == formatZip }

// Junk reports whether the compressed data is followed by other data. It may be called only after
// reading has ended.
func (s *Stream) Junk() bool {
	s.Halt()
	return s.junk
}

// Source returns the number of packed bytes that were read, and the error of the source, which is
// not a fault of the archive's format. It may be called only after reading has ended.
func (s *Stream) Source() (int64, error) {
	s.Halt()
	return s.raw.n, s.raw.err
}

// Whole returns random access to all bytes and their number. It uses the file of the stream, or a
// copy of at most most bytes in memory, valid until End.
func (s *Stream) Whole(most int64) (io.ReaderAt, int64, error) {
	if s.at != nil && !s.Compressed() {
		size, err := s.at.Seek(0, io.SeekEnd)
		s.raw.err = err
		return s.at, size, err
	}
	data, err := ReadAll(s, nil, most)
	if err != nil {
		return nil, 0, err
	}
	size := int64(len(data))
	s.u.held += size
	s.closers = append(s.closers, func() { s.u.held -= size })
	return bytes.NewReader(data), size, nil
}

// OnlyZeros reads to the end and reports whether the rest contained only zeros.
func (s *Stream) OnlyZeros() (bool, error) { return onlyZeros(s.Reader) }

// Halt stops all reading in the background. The stream must not be read afterwards.
func (s *Stream) Halt() {
	if s.ahead != nil {
		s.ahead.halt()
	}
}

// Format returns the name of the format for users, such as "tar.gz".
func (s *Stream) Format() string {
	var parts []string
	if s.inner != formatPlain {
		parts = append(parts, string(s.inner))
	}
	for _, f := range slices.Backward(s.layers) {
		parts = append(parts, string(f))
	}
	return strings.Join(parts, ".")
}

// Size returns the number of bytes in a stream that was not read yet, or -1 if unknown.
func (s *Stream) Size() int64 {
	f, ok := s.at.(interface{ Stat() (fs.FileInfo, error) })
	if !ok || len(s.layers) > 0 {
		return -1
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// Offset returns the number of bytes of the decompressed content that were read. It may be called
// only after reading has ended.
func (s *Stream) Offset() int64 {
	s.Halt()
	n := s.raw.n
	switch {
	case len(s.limits) > 0:
		last := s.limits[len(s.limits)-1]
		if last.failed {
			return last.n // decompression failed at this offset
		}
		n = last.n
	case s.at != nil: // Seek may have moved beyond the end
		if end, err := s.at.Seek(0, io.SeekEnd); err == nil {
			n = min(n, end)
		}
	}
	return n - int64(s.Buffered())
}

// position returns the offset of the stream in its source, if the source has random access. It must
// not be called for a compressed source, which is read ahead.
func (s *Stream) position() (int64, bool) {
	if s.at == nil || len(s.layers) > 0 {
		return 0, false
	}
	return s.raw.n - int64(s.Buffered()), true
}

// OverLimit reports whether the stream ended because of Limits.Unpacked.
func (s *Stream) OverLimit() bool {
	return slices.ContainsFunc(s.limits, func(l *limiter) bool { return l.hit })
}

// Seek moves forward from the current position only; archive/tar needs no more to skip an entry.
// Seeking saves a copy and, on a plain tar file, also the reading.
func (s *Stream) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekCurrent || offset < 0 {
		return 0, errors.ErrUnsupported
	}
	left := offset
	if ahead := offset - int64(s.Buffered()); ahead > 0 && s.at != nil && len(s.layers) == 0 {
		if _, err := s.at.Seek(ahead, io.SeekCurrent); err != nil {
			return 0, err
		}
		s.raw.n += ahead
		s.Reset(s.raw)
		left = 0
	}
	var err error
	for left > 0 && err == nil {
		var n int
		n, err = s.Discard(int(min(left, 1<<30)))
		left -= int64(n)
	}
	s.moved += offset - left
	return s.moved, eofUnexpected(err)
}

func eofUnexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// eofNil returns err, but nil for io.EOF.
func eofNil(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// rawReader counts packed bytes, stops when the context ends, and keeps the error of its source,
// because that is not a fault of the archive's format.
type rawReader struct {
	ctx context.Context
	src io.Reader
	n   int64
	end error // error at the end of the source
	err error // the same, unless it is io.EOF
}

func (r *rawReader) Read(p []byte) (int, error) {
	if r.end != nil {
		return 0, r.end // do not read again: a terminal would wait for a second end of input
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

// limiter counts decompressed bytes against the limit of all streams together.
type limiter struct {
	u   *Unpacker
	src io.Reader
	n   int64
	hit bool // the limit was reached

	failed bool // src could not be read to its end
}

func (l *limiter) Read(p []byte) (int, error) {
	if l.hit {
		return 0, ErrUnpacked
	}
	if err := l.u.ctx.Err(); err != nil { // a few packed bytes can unpack to very many
		return 0, err
	}
	left := l.u.limits.Unpacked - l.u.unpacked
	if left < int64(len(p)) {
		p = p[:left+1] // one more byte shows whether the content ends at the limit
	}
	n, err := l.src.Read(p)
	if int64(n) > left {
		l.hit = true
		n, err = int(left), ErrUnpacked
	}
	l.failed = err != nil && err != io.EOF
	l.n += int64(n)
	l.u.unpacked += int64(n)
	return n, err
}

// Fill reads until buf is full or r ends. The error is that of r, but never io.EOF.
func Fill(r io.Reader, buf []byte) (int, error) {
	for n := 0; ; {
		if n == len(buf) {
			return n, nil
		}
		k, err := r.Read(buf[n:])
		n += k
		if err != nil {
			return n, eofNil(err)
		}
	}
}

// ReadAll appends the rest of r to data. A result of more than limit bytes is ErrTooLarge. Larger
// content is read in parts that are joined once, so that it takes at most twice its size.
func ReadAll(r io.Reader, data []byte, limit int64) ([]byte, error) {
	const largest = 16 << 20 // of a part
	var parts [][]byte
	size := 0 // of the parts
	for {
		if len(data) == cap(data) {
			parts, size = append(parts, data), size+len(data)
			data = make([]byte, 0, min(size/2+HeadSize, largest))
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(size+len(data)) > limit:
			return nil, ErrTooLarge
		case err == io.EOF:
			if size == 0 {
				return data, nil
			}
			return slices.Concat(append(parts, data)...), nil
		case err != nil:
			return nil, err
		}
	}
}
