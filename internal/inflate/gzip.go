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

// short is the size up to which a member is checked where it is unpacked: the sums of very many would take memory while they wait.
const short = 4 << 10

// Gzip unpacks members of a gzip file (RFC 1952), each begun by Next. It hands out what it unpacks before it knows that this is right:
// all of it has to go through the Checked reader, which may do so in another goroutine. The zero value is ready for Next.
type Gzip struct {
	head  gzip.Reader // only to read headers
	data  Reader
	src   *bufio.Reader
	total int64  // bytes that were unpacked, of all members
	begin int64  // what total was where the member at hand begins
	crc   uint32 // of its bytes, while they are few
	ended bool   // the member at hand

	mu   sync.Mutex
	sums []sum // of the members that have ended, and were not looked at yet
}

// sum is what stands behind a member: it ends where end bytes of all members were unpacked. With right, the member is known to be what was
// packed, and those right before it, if they are short.
type sum struct {
	end       int64
	crc, size uint32
	right     bool
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
	g.begin, g.crc, g.ended = g.total, 0, false
	return nil
}

// Read unpacks the member. The error is io.EOF at its end.
func (g *Gzip) Read(p []byte) (int, error) {
	if g.ended {
		return 0, io.EOF
	}
	n, err := g.data.Read(p)
	if g.total += int64(n); g.total-g.begin <= short {
		g.crc = crc32.Update(g.crc, crc32.IEEETable, p[:n])
	}
	if err == io.EOF {
		err = g.end()
	}
	return n, err
}

// end reads what stands behind the data of a member.
func (g *Gzip) end() error {
	tail, err := g.src.Peek(8)
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	s := sum{end: g.total, crc: binary.LittleEndian.Uint32(tail), size: binary.LittleEndian.Uint32(tail[4:])}
	g.src.Discard(8) // they are in its buffer
	s.right = g.total-g.begin <= short && s.crc == g.crc && int64(s.size) == g.total-g.begin
	g.mu.Lock()
	defer g.mu.Unlock()
	if last := len(g.sums) - 1; last >= 0 && s.right && g.sums[last].right {
		g.sums[last] = s
	} else {
		g.sums = append(g.sums, s)
	}
	g.ended = true
	return io.EOF
}

// Checked returns a reader of src, which hands on everything that was unpacked, from the beginning and in order. Where the data of a
// member is not what was packed, it ends with gzip.ErrChecksum.
func (g *Gzip) Checked(src io.Reader) io.Reader { return &checked{g: g, src: src} }

type checked struct {
	g    *Gzip
	src  io.Reader
	sums []sum // of the members that have ended, and not all of which was handed on
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

// check takes in what is handed on, and compares the sums of the members that end in it: these are all known, as a member is unpacked
// when the one before it has ended.
func (c *checked) check(p []byte) error {
	c.g.mu.Lock()
	c.sums = append(c.sums, c.g.sums...)
	c.g.sums = c.g.sums[:0]
	c.g.mu.Unlock()
	for len(c.sums) > 0 && c.sums[0].end <= c.at+int64(len(p)) {
		s, n := c.sums[0], c.sums[0].end-c.at
		if c.sums = c.sums[1:]; !s.right {
			c.add(p[:n])
			if c.crc != s.crc || c.size != s.size {
				return gzip.ErrChecksum
			}
		}
		c.at, c.crc, c.size, p = s.end, 0, 0, p[n:]
	}
	c.add(p)
	c.at += int64(len(p))
	return nil
}

func (c *checked) add(p []byte) {
	c.crc = crc32.Update(c.crc, crc32.IEEETable, p)
	c.size += uint32(len(p))
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
