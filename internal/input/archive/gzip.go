package archive

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/validationtool/validationtool/internal/input/inflate"
)

// gzipReader reads the members of a gzip file (RFC 1952) in order. It returns unpacked bytes before
// their checksum is verified.
type gzipReader struct {
	u    *Unpacker
	head gzip.Reader // only for headers
	data inflate.Reader
	src  *bufio.Reader
	junk *bool // set if the last member is followed by other data
	err  error // the error that ended reading; permanent
	crc  uint32
	size uint32 // of the current member, modulo 1<<32
}

// gunzip starts to read a gzip file. The caller must close the reader if there is no error.
func (u *Unpacker) gunzip(src *bufio.Reader, junk *bool) (io.ReadCloser, error) {
	g := u.gzips.take()
	if g == nil {
		g = &gzipReader{u: u}
	}
	g.src, g.junk, g.err = src, junk, nil
	return g, g.next()
}

// Close keeps the reader for another file.
func (g *gzipReader) Close() error {
	g.u.gzips.put(g)
	return nil
}

// next starts a member.
func (g *gzipReader) next() error {
	if err := g.head.Reset(g.src); err != nil {
		return eofUnexpected(err)
	}
	g.data.Reset(g.src)
	g.crc, g.size = 0, 0
	return nil
}

// Read returns unpacked bytes. It returns io.EOF only if the checksums of all members are right.
func (g *gzipReader) Read(p []byte) (int, error) {
	for g.err == nil {
		n, err := g.data.Read(p)
		g.crc = crc32.Update(g.crc, crc32.IEEETable, p[:n])
		g.size += uint32(n)
		if err == io.EOF {
			err = g.afterMember()
		}
		g.err = err
		if n > 0 {
			return n, g.err
		}
	}
	return 0, g.err
}

// afterMember verifies a member and starts the next. The last member may be followed by zeros; other
// data is junk.
func (g *gzipReader) afterMember() error {
	var tail [8]byte
	if _, err := io.ReadFull(g.src, tail[:]); err != nil {
		return eofUnexpected(err)
	}
	if g.crc != binary.LittleEndian.Uint32(tail[:]) || g.size != binary.LittleEndian.Uint32(tail[4:]) {
		return gzip.ErrChecksum
	}
	head, err := g.src.Peek(3)
	if err != nil && err != io.EOF {
		return err
	}
	if sniff(head) == formatGzip {
		return g.next()
	}
	zeros, err := onlyZeros(g.src)
	*g.junk = !zeros
	if err != nil {
		return err
	}
	return io.EOF
}
