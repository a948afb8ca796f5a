package inflate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Gzip unpacks members of a gzip file (RFC 1952), each begun by Next. It hands out what it unpacks before it knows that this is right:
// all of it has to go through the Checked reader, which may do so in another goroutine. The zero value is ready for Next.
type Gzip struct {
	head  gzip.Reader // only to read headers
	data  Reader
	src   *bufio.Reader
	total int64 // bytes that were unpacked, of all members
	ended bool  // the member at hand

	mu   sync.Mutex
	sums []sum // of the members that have ended, and were not looked at yet
}

// sum is what stands behind a member: it ends where end bytes of all members were unpacked.
type sum struct {
	end       int64
	crc, size uint32
}

// Reset forgets all members.
func (g *Gzip) Reset() { g.total, g.ended, g.sums = 0, true, nil }

// Next reads the header of a member from src, where the rest of it comes from too. The errors are those of gzip.Reader.Reset.
func (g *Gzip) Next(src *bufio.Reader) error {
	g.src = src
	if err := g.head.Reset(src); err != nil {
		return err
	}
	g.data.Reset(src)
	g.ended = false
	return nil
}

// Read unpacks the member. The error is io.EOF at its end.
func (g *Gzip) Read(p []byte) (int, error) {
	if g.ended {
		return 0, io.EOF
	}
	n, err := g.data.Read(p)
	g.total += int64(n)
	if err != io.EOF {
		return n, err
	}
	var tail [8]byte
	if _, err := io.ReadFull(g.src, tail[:]); err != nil {
		return n, unexpected(err)
	}
	g.mu.Lock()
	g.sums = append(g.sums, sum{g.total, binary.LittleEndian.Uint32(tail[:]), binary.LittleEndian.Uint32(tail[4:])})
	g.mu.Unlock()
	g.ended = true
	return n, io.EOF
}

// next is the first sum that was not looked at, if there is one at all; done forgets it.
func (g *Gzip) next(done bool) (s sum, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.sums) == 0 {
		return s, false
	}
	s = g.sums[0]
	if done {
		g.sums = g.sums[1:]
	}
	return s, true
}

// Checked returns a reader of src, which hands on everything that was unpacked, from the beginning and in order. Where the data of a
// member is not what was packed, it ends with gzip.ErrChecksum.
func (g *Gzip) Checked(src io.Reader) io.Reader { return &checked{g: g, src: src} }

type checked struct {
	g    *Gzip
	src  io.Reader
	at   int64 // bytes handed on
	crc  uint32
	size uint32 // of the member at hand, modulo 1<<32
	err  error
}

func (c *checked) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.src.Read(p)
	if wrong := c.check(p[:n]); wrong != nil {
		err = wrong
	}
	c.err = err
	return n, err
}

// check takes in what is handed on, and compares the sums of the members that end in it.
func (c *checked) check(p []byte) error {
	for {
		s, ok := c.g.next(false)
		n := int64(len(p))
		if ok {
			n = min(n, s.end-c.at)
		}
		c.crc = crc32.Update(c.crc, crc32.IEEETable, p[:n])
		c.size += uint32(n)
		c.at += n
		p = p[n:]
		if !ok || c.at < s.end {
			return nil
		}
		if c.crc != s.crc || c.size != s.size {
			return gzip.ErrChecksum
		}
		c.crc, c.size = 0, 0
		c.g.next(true)
	}
}

// Damaged reports whether an error says that data is not what was packed, in the eyes of this package.
func Damaged(err error) bool { return errors.Is(err, ErrCorrupt) || errors.Is(err, gzip.ErrChecksum) }

// Sound reads a gzip file to its end with the library alone, and reports whether it finds nothing wrong. Then what this package finds
// wrong with it is a fault of this package.
func Sound(src io.Reader) bool {
	z, err := gzip.NewReader(src)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, z)
	return err == nil
}
