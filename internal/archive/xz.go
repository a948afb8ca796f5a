package archive

import (
	"bufio"
	"errors"
	"io"

	"github.com/therootcompany/xz"
)

// xzReader unpacks an .xz file: any number of streams, with zeros between them. The library checks
// every part of the format; told apart here is what follows the last stream.
//
// The dictionary is allocated once for the largest that was asked for, and then used for all
// blocks, streams and files. The system gives memory to the part that is written to only, so it
// grows with what is unpacked, whatever the header of a block states.
type xzReader struct {
	u    *Unpacker
	z    *xz.Reader
	junk *bool
	err  error // what ended the reading; it stays
	window
}

// unxz starts to unpack an .xz file. The reader has to be closed, unless there is an error.
func (u *Unpacker) unxz(src *bufio.Reader, junk *bool) (*xzReader, error) {
	x := &xzReader{u: u, junk: junk, window: u.takeWindow()}
	var err error
	if known, ok := u.xzs.take(x.window); ok {
		x.z = known
	} else {
		x.z, err = xz.NewReader(nil, uint32(x.most))
	}
	if err == nil {
		err = x.z.Reset(onlyEOF{src})
	}
	if err != nil {
		x.Close()
		return nil, x.inWords(err)
	}
	x.z.Multistream(false)
	return x, nil
}

// onlyEOF never returns bytes together with the end: the library would pass over a second stream
// among them.
type onlyEOF struct{ r io.Reader }

func (o onlyEOF) Read(p []byte) (int, error) {
	n, err := o.r.Read(p)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// Read returns unpacked bytes. The end comes only if all sizes and checksums of the file are right.
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

// nextStream begins the stream that follows the one that ended. Anything else that follows is junk.
func (x *xzReader) nextStream() error {
	err := x.z.Reset(nil)
	if errors.Is(err, xz.ErrFormat) || errors.Is(err, xz.ErrBuf) {
		*x.junk = true
		return io.EOF
	}
	x.z.Multistream(false)
	return err
}

// Close gives the memory back. What may be of any size is kept for another file.
func (x *xzReader) Close() error {
	x.u.give(x.window)
	if x.z != nil {
		x.u.xzs.put(x.window, x.z)
	}
	return nil
}

// inWords puts errors of the library into the words of this package.
func (x *xzReader) inWords(err error) error {
	switch {
	case errors.Is(err, xz.ErrBuf):
		return io.ErrUnexpectedEOF
	case errors.Is(err, xz.ErrMemlimit):
		return x.tooSmall("dictionary", "pack it again with less")
	case errors.Is(err, xz.ErrOptions), errors.Is(err, xz.ErrUnsupportedCheck):
		return unsupported("an unsupported variant of xz; unpack it with xz first")
	}
	return err
}
