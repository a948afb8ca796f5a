package archive

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"

	"github.com/validationtool/validationtool/internal/inflate"
)

// shortMember is the size up to which a member is checked where it is unpacked: the sums of very
// many would take memory while they wait.
const shortMember = 4 << 10

// gzipReader reads the members of a gzip file (RFC 1952) one after the other. It hands out what it
// unpacks before it knows that this is right: all of it has to go through the checked reader, which
// may do so in another goroutine.
type gzipReader struct {
	head gzip.Reader // only to read headers
	data inflate.Reader
	src  *bufio.Reader
	junk *bool // is set where something follows the last member
	done bool

	total int64  // bytes that were unpacked, of all members
	begin int64  // what total was where the member at hand begins
	crc   uint32 // of the bytes of that, while they are few

	mu   sync.Mutex
	sums []gzipSum // of the members that have ended, and were not looked at yet
}

// gzipSum is the trailer of a member, which ends where end bytes of all members were unpacked.
// With right, the member is known to be what was packed, and so are those right before it that have
// no sum here.
type gzipSum struct {
	end       int64
	crc, size uint32
	right     bool
}

// gunzip begins to read a gzip file.
func (u *Unpacker) gunzip(s *Stream) (io.Reader, func(), error) {
	g := new(gzipReader)
	if n := len(u.gzips); n > 0 {
		g, u.gzips = u.gzips[n-1], u.gzips[:n-1]
	}
	if err := g.reset(s.Reader, &s.junk); err != nil {
		return nil, nil, err
	}
	return g, func() { u.gzips = append(u.gzips, g) }, nil
}

func (g *gzipReader) reset(src *bufio.Reader, junk *bool) error {
	g.src, g.junk, g.done, g.total, g.sums = src, junk, false, 0, nil
	return g.next()
}

// next begins a member.
func (g *gzipReader) next() error {
	if err := g.head.Reset(g.src); err != nil {
		return eofUnexpected(err)
	}
	g.data.Reset(g.src)
	g.begin, g.crc = g.total, 0
	return nil
}

func (g *gzipReader) Read(p []byte) (int, error) {
	for {
		if g.done {
			return 0, io.EOF
		}
		n, err := g.data.Read(p)
		if g.total += int64(n); g.total-g.begin <= shortMember {
			g.crc = crc32.Update(g.crc, crc32.IEEETable, p[:n])
		}
		if err == io.EOF {
			err = g.afterMember()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// afterMember keeps the sum of a member and begins the next one. What follows the last one may be
// zeros; anything else is junk.
func (g *gzipReader) afterMember() error {
	var tail [8]byte
	if _, err := io.ReadFull(g.src, tail[:]); err != nil {
		return eofUnexpected(err)
	}
	g.keep(gzipSum{end: g.total, crc: binary.LittleEndian.Uint32(tail[:]), size: binary.LittleEndian.Uint32(tail[4:])})
	head, err := g.src.Peek(3)
	if err != nil && err != io.EOF {
		return err
	}
	if sniff(head) == formatGzip {
		return g.next()
	}
	g.done = true
	zeros, err := onlyZeros(g.src)
	*g.junk = !zeros
	return err
}

func (g *gzipReader) keep(s gzipSum) {
	size := g.total - g.begin
	s.right = size <= shortMember && s.size == uint32(size) && s.crc == g.crc
	g.mu.Lock()
	defer g.mu.Unlock()
	if last := len(g.sums) - 1; last >= 0 && s.right && g.sums[last].right {
		g.sums[last] = s
	} else {
		g.sums = append(g.sums, s)
	}
}

// checked returns a reader of src, which hands on everything that was unpacked, from the beginning
// and in order. Where a member is not what was packed, it ends with gzip.ErrChecksum.
func (g *gzipReader) checked(src io.Reader) io.Reader { return &gzipChecker{g: g, src: src} }

type gzipChecker struct {
	g    *gzipReader
	src  io.Reader
	sums []gzipSum // of the members that have ended, but not all of which was handed on
	at   int64     // bytes handed on
	crc  uint32
	size uint32 // of the member at hand, modulo 1<<32
	err  error
}

func (c *gzipChecker) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	before := c.at
	n, err := c.src.Read(p)
	if wrong := c.check(p[:n]); wrong != nil {
		n, err = int(c.at-before), wrong // to the end of the wrong member, however much there is already of the next
	}
	c.err = err
	return n, err
}

// check takes in what is handed on, and compares the sums of the members that end in it: these are
// all known, as a member is unpacked when the one before it has ended.
func (c *gzipChecker) check(p []byte) error {
	c.g.mu.Lock()
	c.sums = append(c.sums, c.g.sums...)
	c.g.sums = c.g.sums[:0]
	c.g.mu.Unlock()
	for len(c.sums) > 0 && c.sums[0].end <= c.at+int64(len(p)) {
		s := c.sums[0]
		n := s.end - c.at
		if !s.right {
			c.crc = crc32.Update(c.crc, crc32.IEEETable, p[:n])
			c.size += uint32(n)
		}
		c.at, p, c.sums = s.end, p[n:], c.sums[1:]
		if !s.right && (c.crc != s.crc || c.size != s.size) {
			return gzip.ErrChecksum
		}
		c.crc, c.size = 0, 0
	}
	c.crc = crc32.Update(c.crc, crc32.IEEETable, p)
	c.size += uint32(len(p))
	c.at += int64(len(p))
	return nil
}
