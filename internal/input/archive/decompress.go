package archive

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// inflate starts to decompress s, whose first bytes show the format. If there is no error, the
// caller must call the returned function when reading has ended.
func (u *Unpacker) inflate(s *Stream) (io.Reader, func(), error) {
	var r io.ReadCloser
	var err error
	switch s.inner {
	case formatGzip:
		r, err = u.gunzip(s.Reader, &s.junk)
	case formatXZ:
		r, err = u.unxz(s.Reader, &s.junk)
	case formatZstd:
		r, err = u.unzstd(s.Reader)
	case formatBzip2:
		r = io.NopCloser(bzip2.NewReader(s.Reader))
	}
	if err != nil {
		return nil, nil, err
	}
	return r, func() { r.Close() }, nil
}

// zstdReader decompresses zstd data. After Close its decoder is kept for another file: its window
// is allocated once for the largest size requested.
type zstdReader struct {
	*zstd.Decoder
	u *Unpacker
}

// unzstd starts to decompress zstd data. The caller must close the reader if there is no error.
func (u *Unpacker) unzstd(src io.Reader) (io.ReadCloser, error) {
	z := u.zstds.take()
	if z != nil {
		return zstdReader{z, u}, z.Reset(src)
	}
	z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxWindow(uint64(u.window())), zstd.WithDecoderLowmem(true))
	return zstdReader{z, u}, err
}

// Read returns decompressed bytes. It replaces the library's error for a window that is too large.
func (r zstdReader) Read(p []byte) (int, error) {
	n, err := r.Decoder.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = r.u.windowError("window", "pack it again without --long or --ultra")
	}
	return n, err
}

// Close keeps the decoder for another file.
func (r zstdReader) Close() error {
	err := r.Reset(nil)
	if err == nil {
		r.u.zstds.put(r.Decoder)
	}
	return err
}

// onlyZeros reads r to its end and reports whether it contained only zeros.
func onlyZeros(r *bufio.Reader) (bool, error) {
	for {
		b, err := r.ReadByte()
		if err != nil || b != 0 {
			return err == io.EOF, eofNil(err)
		}
	}
}
