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

// seekable is a source of packed bytes with random access: a file on disk, or an archive held in
// memory.
type seekable interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Stream is the content of a file with all compression taken off. It reads, and skips forward where
// archive/tar wants to.
type Stream struct {
	*bufio.Reader
	Nested bool // it reads from an archive around it

	u       *Unpacker
	raw     *rawReader
	layers  []format // compression taken off, outermost first
	inner   format   // what is inside: tar, zip or plain
	limits  []*limiter
	junk    bool       // something follows the end of the compressed data
	ahead   *readAhead // reads the outermost layer, unless nested
	at      seekable
	moved   int64 // bytes skipped by Seek
	closers []func()
}

// End ends all reading, and keeps the memory for other streams.
func (s *Stream) End() {
	s.Halt()
	for _, c := range slices.Backward(s.closers) {
		c()
	}
	s.closers = nil
}

// Compressed reports whether compression was taken off.
func (s *Stream) Compressed() bool { return len(s.layers) > 0 }

// IsArchive reports whether it is a tar or zip archive.
func (s *Stream) IsArchive() bool { return s.inner.archive() }

// IsZip reports whether it is a zip archive.
func (s *Stream) IsZip() bool { return s.inner == formatZip }

// Junk reports whether something follows the end of the compressed data. Reading has to have ended.
func (s *Stream) Junk() bool {
	s.Halt()
	return s.junk
}

// Source is how many packed bytes were read, and what went wrong with reading them, which is no
// fault of the archive's format. Reading has to have ended.
func (s *Stream) Source() (int64, error) {
	s.Halt()
	return s.raw.n, s.raw.err
}

// Whole returns all bytes with random access, and how many there are: the file they are in, or else
// at most so many in memory, until the stream is ended.
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

// OnlyZeros reads to the end and reports whether nothing but zeros was there.
func (s *Stream) OnlyZeros() (bool, error) { return onlyZeros(s.Reader) }

// Halt ends all reading that goes on unasked. Nothing more may be read then.
func (s *Stream) Halt() {
	if s.ahead != nil {
		s.ahead.halt()
	}
}

// Format is the name of the format for people: "tar.gz".
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

// Size is how many bytes a stream from its beginning has, or -1 where that is not known.
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

// Offset is how far the unpacked content was read. It may only be asked for when reading has ended.
func (s *Stream) Offset() int64 {
	s.Halt()
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

// position returns the offset of the stream in its source, if that can be read at any offset. A
// compressed source is read ahead, and its offset must not be asked for.
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

// Seek only goes forward from where the stream is. That is all that archive/tar asks for, to skip
// what is not read: it spares a copy, and on a plain tar file the reading too.
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

// rawReader counts packed bytes, stops when the context ends, and remembers the error of its
// source: what goes wrong below is no fault of the archive's format.
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

// limiter counts what comes out of decompression, against the limit of all streams together.
type limiter struct {
	u   *Unpacker
	src io.Reader
	n   int64
	hit bool // the limit is reached

	failed bool // src could not be read to its end
}

func (l *limiter) Read(p []byte) (int, error) {
	if l.hit {
		return 0, ErrUnpacked
	}
	if err := l.u.ctx.Err(); err != nil { // little that is packed can unpack to much
		return 0, err
	}
	left := l.u.limits.Unpacked - l.u.unpacked
	if left < int64(len(p)) {
		p = p[:left+1] // one more, to tell the end from more
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

// Fill reads until buf is full or r ends; the error is that of r, never io.EOF.
func Fill(r io.Reader, buf []byte) (int, error) {
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

// ReadAll adds the rest of r to data. More than limit bytes are ErrTooLarge.
func ReadAll(r io.Reader, data []byte, limit int64) ([]byte, error) {
	for {
		if len(data) == cap(data) {
			data = grown(data, limit)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, ErrTooLarge
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		}
	}
}

// grown returns data with room for half as much more, but not for more than tells that the limit is
// exceeded.
func grown(data []byte, limit int64) []byte {
	size := len(data) + len(data)/2 + HeadSize
	if int64(size) > limit {
		size = max(int(limit), len(data)) + 1
	}
	larger := make([]byte, len(data), size)
	copy(larger, data)
	return larger
}
