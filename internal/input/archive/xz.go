package archive

import (
	"bufio"
	"errors"
	"io"

	"github.com/therootcompany/xz"
)

// xzReader decompresses an .xz file: any number of streams, with zeros between them. The library
// verifies every part of the format; this type handles what follows the last stream.
//
// After Close its decoder is kept for another file: its dictionary is allocated once for the largest
// size requested.
type xzReader struct {
	u    *Unpacker
	z    *xz.Reader
	junk *bool
	err  error // the error that ended reading; permanent
}

// unxz starts to decompress an .xz file. The caller must close the reader if there is no error.
func (u *Unpacker) unxz(src *bufio.Reader, junk *bool) (io.ReadCloser, error) {
	x := &xzReader{u: u, z: u.xzs.take(), junk: junk}
	var err error
	if x.z == nil {
		x.z, err = xz.NewReader(nil, uint32(u.window()))
	}
	if err == nil {
		err = x.z.Reset(onlyEOF{src})
	}
	if err != nil {
		return nil, x.inWords(err)
	}
	x.z.Multistream(false)
	return x, nil
}

// onlyEOF is a reader that never returns bytes together with io.EOF: the library would miss a
// second stream in them.
type onlyEOF struct{ r io.Reader }

func (o onlyEOF) Read(p []byte) (int, error) {
	n, err := o.r.Read(p)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// Read returns decompressed bytes. It returns io.EOF only if all sizes and checksums of the file
// are right.
func (x *xzReader) Read(p []byte) (int, error) {
	for len(p) > 0 && x.err == nil {
		n, err := x.z.Read(p)
		if err == io.EOF {
			err = x.nextStream()
		}
		x.err = x.inWords(err)
		if n > 0 {
			return n, x.err
		}
	}
	return 0, x.err
}

// nextStream starts the next stream. Other data after a stream is junk.
func (x *xzReader) nextStream() error {
	err := x.z.Reset(nil)
	if errors.Is(err, xz.ErrFormat) || errors.Is(err, xz.ErrBuf) {
		*x.junk = true
		return io.EOF
	}
	x.z.Multistream(false)
	return err
}

// Close keeps the decoder for another file.
func (x *xzReader) Close() error {
	x.u.xzs.put(x.z)
	return nil
}

// inWords replaces errors of the library by errors of this package.
func (x *xzReader) inWords(err error) error {
	switch {
	case errors.Is(err, xz.ErrBuf):
		return io.ErrUnexpectedEOF
	case errors.Is(err, xz.ErrMemlimit):
		return x.u.windowError("dictionary", "pack it again with less")
	case errors.Is(err, xz.ErrOptions), errors.Is(err, xz.ErrUnsupportedCheck):
		return unsupported("an unsupported variant of xz; unpack it with xz first")
	}
	return err
}
