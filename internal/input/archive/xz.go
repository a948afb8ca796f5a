package archive

import (
	"bufio"
	"errors"
	"io"

	"github.com/validationtool/validationtool/internal/input/xz"
)

// xzReader decompresses an .xz file. After Close its decoder is kept for another file.
type xzReader struct {
	u    *Unpacker
	z    *xz.Reader
	junk *bool // set if the last stream is followed by other data
}

// unxz starts to decompress an .xz file. The caller must close the reader if there is no error.
func (u *Unpacker) unxz(src *bufio.Reader, junk *bool) (io.ReadCloser, error) {
	x := &xzReader{u: u, z: u.xzs.take(), junk: junk}
	if x.z == nil {
		x.z = new(xz.Reader)
	}
	if err := x.z.Reset(src, u.window()); err != nil {
		u.xzs.put(x.z)
		return nil, x.inWords(err)
	}
	return x, nil
}

// Read returns decompressed bytes. It returns io.EOF only if all sizes and checksums of the file
// are right.
func (x *xzReader) Read(p []byte) (int, error) {
	n, err := x.z.Read(p)
	*x.junk = x.z.Junk()
	return n, x.inWords(err)
}

// Close keeps the decoder for another file.
func (x *xzReader) Close() error {
	x.u.xzs.put(x.z)
	return nil
}

// inWords replaces errors that say what users can do.
func (x *xzReader) inWords(err error) error {
	switch {
	case errors.Is(err, xz.ErrWindow):
		return x.u.windowError("dictionary", "pack it again with less")
	case errors.Is(err, xz.ErrUnsupported):
		return unsupported("an unsupported variant of xz; unpack it with xz first")
	}
	return err
}
