package source

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"sync/atomic"
)

// passed computes the checksum of a source whose bytes all pass by in their order, as those of a
// compressed file do. Of a source in which reading skips bytes it computes none.
type passed struct {
	sum hash.Hash // nil once bytes were skipped, or if no checksum is wanted
	n   int64     // bytes that passed
	end bool      // the source ended
}

// newPassed starts before the first byte of a source.
func newPassed(wanted bool) (p passed) {
	if wanted {
		p.sum = sha256.New()
	}
	return p
}

// add adds the result of a reading.
func (p *passed) add(b []byte, err error) {
	if p.sum != nil {
		p.sum.Write(b)
	}
	p.n += int64(len(b))
	p.end = p.end || err == io.EOF
}

// move is told of a position from which reading goes on.
func (p *passed) move(to int64) {
	if to != p.n {
		p.sum = nil
	}
}

// checksum returns the SHA-256 of a source of size bytes, -1 if unknown, in hexadecimal digits. It is
// "" if not all bytes passed.
func (p *passed) checksum(size int64) string {
	if p.sum == nil || !p.end && p.n != size {
		return ""
	}
	return hex.EncodeToString(p.sum.Sum(nil))
}

// gauge reports the bytes read from a file, sequentially or at random, to Options.Progress. Several
// goroutines may call ReadAt at once.
type gauge struct {
	*os.File
	passed
	tell func(inputs int, bytes int64)
	read atomic.Int64
}

// count reports bytes that were read.
func (g *gauge) count(n int) {
	g.tell(0, int64(n))
	g.read.Add(int64(n))
}

// end reports skipped bytes, or subtracts bytes that were read several times.
func (g *gauge) end(size int64) { g.count(int(size - g.read.Load())) }

func (g *gauge) Read(p []byte) (int, error) {
	n, err := g.File.Read(p)
	g.count(n)
	g.add(p[:n], err)
	return n, err
}

func (g *gauge) ReadAt(p []byte, offset int64) (int, error) {
	n, err := g.File.ReadAt(p, offset)
	g.count(n)
	return n, err
}

// Seek implements io.Seeker.
func (g *gauge) Seek(offset int64, whence int) (int64, error) {
	at, err := g.File.Seek(offset, whence)
	g.move(at)
	return at, err
}

// gaugedStream reports the bytes read from a stream to Options.Progress.
type gaugedStream struct {
	io.Reader
	passed
	tell func(inputs int, bytes int64)
}

func (s *gaugedStream) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.tell(0, int64(n))
	s.add(p[:n], err)
	return n, err
}
