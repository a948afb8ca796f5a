package archive

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// inflate starts to decompress s, whose first bytes show the format.
func (u *Unpacker) inflate(s *Stream) (io.Reader, func(), error) {
	nothing := func() {}
	switch s.inner {
	case formatGzip:
		return u.gunzip(s)
	case formatXZ:
		x, err := u.unxz(s.Reader, &s.junk)
		if err != nil {
			return nil, nil, err
		}
		return x, func() { x.Close() }, nil
	case formatBzip2:
		return bzip2.NewReader(s.Reader), nothing, nil
	case formatZstd:
		z, err := u.unzstd(s.Reader)
		if err != nil {
			return nil, nil, err
		}
		return z, func() { z.Close() }, nil
	default:
		return nil, nil, unsupported("%s cannot be unpacked", s.inner)
	}
}

// zstdReader decompresses zstd data. When a reader for windows of any size is closed, it is kept
// for another file: its window is allocated once for the largest size requested, and the operating
// system provides memory only for the part that is written.
type zstdReader struct {
	u *Unpacker
	z *zstd.Decoder
	window
}

// unzstd starts to decompress zstd data. The caller must close the reader if there is no error.
func (u *Unpacker) unzstd(src io.Reader) (zstdReader, error) {
	r := zstdReader{u: u, window: u.takeWindow()}
	var err error
	if known, ok := u.zstds.take(r.window); ok {
		r.z = known
		err = r.z.Reset(src)
	} else {
		r.z, err = zstd.NewReader(src, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(uint64(r.most)), zstd.WithDecoderLowmem(true))
	}
	if err != nil {
		u.give(r.window)
	}
	return r, err
}

// Read returns decompressed bytes. It replaces the library's error for a window that is too large.
func (r zstdReader) Read(p []byte) (int, error) {
	n, err := r.z.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = r.tooSmall("window", "pack it again without --long or --ultra")
	}
	return n, err
}

// Close releases the memory, or keeps the decoder for another file.
func (r zstdReader) Close() error {
	r.u.give(r.window)
	if err := r.z.Reset(nil); err != nil {
		return err
	}
	if !r.u.zstds.put(r.window, r.z) {
		r.z.Close()
	}
	return nil
}

// onlyZeros reads r to its end and reports whether it contained only zeros.
func onlyZeros(r *bufio.Reader) (bool, error) {
	for {
		_, err := r.Peek(1)
		if err == io.EOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		chunk, err := r.Peek(r.Buffered())
		if err != nil {
			return false, err
		}
		if len(bytes.Trim(chunk, "\x00")) > 0 {
			return false, nil
		}
		if _, err := r.Discard(len(chunk)); err != nil {
			return false, err
		}
	}
}
