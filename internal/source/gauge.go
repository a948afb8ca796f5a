package source

import (
	"io"
	"os"
	"sync/atomic"
)

// gauge tells Options.Progress how far the reading of an input is. A nil one tells nothing.
type gauge struct {
	tell func(inputs int, bytes int64)
	at   atomic.Int64
}

// gauge begins to tell of the next input.
func (w *walker) gauge() *gauge {
	if w.opt.Progress == nil {
		return nil
	}
	w.opt.Progress(1, 0)
	return &gauge{tell: w.opt.Progress}
}

// add tells of bytes that were read or skipped.
func (g *gauge) add(n int64) {
	g.at.Add(n)
	g.tell(0, n)
}

// move tells that reading is at an offset, whatever was told until now: at the beginning where an archive is read again, and at the
// end where the rest of it is not needed.
func (g *gauge) move(to int64) {
	if g != nil {
		g.tell(0, to-g.at.Swap(to))
	}
}

// reader returns a reader of the same bytes, which are told.
func (g *gauge) reader(src io.Reader) io.Reader {
	if g == nil {
		return src
	}
	return gaugedReader{src, g}
}

// file returns the same file, of whose bytes is told from its beginning.
func (g *gauge) file(src *os.File) io.ReadCloser {
	if g == nil {
		return src
	}
	g.move(0)
	return gaugedFile{src, g}
}

type gaugedReader struct {
	io.Reader
	gauge *gauge
}

func (r gaugedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.gauge.add(int64(n))
	return n, err
}

// gaugedFile counts what is read of a file, in order or at any place, and what is skipped.
type gaugedFile struct {
	*os.File
	gauge *gauge
}

func (f gaugedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.gauge.add(int64(n))
	return n, err
}

func (f gaugedFile) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.File.ReadAt(p, offset)
	f.gauge.add(int64(n))
	return n, err
}

func (f gaugedFile) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekCurrent {
		f.gauge.add(offset)
	}
	return f.File.Seek(offset, whence)
}
