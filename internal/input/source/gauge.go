package source

import (
	"io"
	"os"
)

// gauge reports the bytes read from a file, sequentially or at random, to Options.Progress.
type gauge struct {
	*os.File
	tell func(inputs int, bytes int64)
	read int64
}

// add reports bytes that were read.
func (g *gauge) add(n int) {
	g.tell(0, int64(n))
	g.read += int64(n)
}

// end reports skipped bytes, or subtracts bytes that were read several times.
func (g *gauge) end(size int64) { g.add(int(size - g.read)) }

func (g *gauge) Read(p []byte) (int, error) {
	n, err := g.File.Read(p)
	g.add(n)
	return n, err
}

func (g *gauge) ReadAt(p []byte, offset int64) (int, error) {
	n, err := g.File.ReadAt(p, offset)
	g.add(n)
	return n, err
}

// gaugedStream reports the bytes read from a stream to Options.Progress.
type gaugedStream struct {
	io.Reader
	tell func(inputs int, bytes int64)
}

func (s gaugedStream) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.tell(0, int64(n))
	return n, err
}
