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

// shortMember is the size in bytes up to which a member is checked where it is unpacked, because
// the checksums of very many waiting members would take memory.
const shortMember = 4 << 10

// gzipReader reads the members of a gzip file (RFC 1952) in order. It returns unpacked bytes before
// their checksum is verified. All of them must pass through the reader that checked returns, which
// may run in another goroutine.
type gzipReader struct {
	head gzip.Reader // only for headers
	data inflate.Reader
	src  *bufio.Reader
	junk *bool // set if the last member is followed by other data
	done bool

	total int64  // unpacked bytes of all members
	begin int64  // total at the start of the current member
	crc   uint32 // checksum of the current member, while it is short

	mu   sync.Mutex
	sums []gzipSum // checksums of completed members, not yet checked
}

// gzipSum is the trailer of a member whose end is at offset end of all unpacked bytes. If right is
// set, this member and the preceding members without an entry here are already verified.
type gzipSum struct {
	end       int64
	crc, size uint32
	right     bool
}

// gunzip starts to read a gzip file.
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

// next starts a member.
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

// afterMember stores the checksum of a member and starts the next. The last member may be followed
// by zeros; other data is junk.
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

// checked returns a reader that verifies src, which must return all unpacked bytes, from the
// beginning and in order. At a member with a wrong checksum or size it ends with gzip.ErrChecksum.
func (g *gzipReader) checked(src io.Reader) io.Reader { return &gzipChecker{g: g, src: src} }

type gzipChecker struct {
	g    *gzipReader
	src  io.Reader
	sums []gzipSum // checksums of members that are completely unpacked, but not yet completely returned
	at   int64     // bytes returned
	crc  uint32
	size uint32 // size of the current member, modulo 1<<32
	err  error
}

func (c *gzipChecker) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	before := c.at
	n, err := c.src.Read(p)
	if wrong := c.check(p[:n]); wrong != nil {
		n, err = int(c.at-before), wrong // up to the end of the wrong member, even if bytes of the next are available
	}
	c.err = err
	return n, err
}

// check updates the checksum with p and verifies the members that end in it. Their trailers are
// known, because a member is unpacked only after the one before has ended.
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
