package source

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// xzReader unpacks an .xz file: any number of streams, each of blocks of LZMA2 data, with their checksums, and an index
// (tukaani.org/xz/xz-file-format.txt). The container is read here rather than by the library, which allocates whatever dictionary
// a block asks for, up to 4 GiB, and takes padding and junk after the end for one another.
type xzReader struct {
	src  *bufio.Reader
	junk *bool

	open  bool // inside a stream
	done  bool
	err   error // what ended the reading; it stays
	flags [2]byte
	index xzIndex

	block  *lzma.Reader2
	packed *countingReader // packed bytes of the block
	size   int64           // unpacked bytes of the block
	header int64           // bytes of the block's header
	stated [2]int64        // packed and unpacked size that the header states, or -1
	check  hash.Hash       // nil where the check is of a kind that cannot be computed
}

// xzIndex sums up the sizes of blocks, those met and those that the index lists, so that they can be compared without keeping them.
type xzIndex struct {
	count uint64
	sum   hash.Hash32
}

func (x *xzIndex) add(unpadded, size uint64) {
	x.count++
	x.sum.Write(binary.AppendUvarint(binary.AppendUvarint(nil, unpadded), size))
}

var errXZ = errors.New("the xz data is corrupt")

func (x *xzReader) Read(p []byte) (n int, err error) {
	for n == 0 && x.err == nil && len(p) > 0 {
		switch {
		case x.done:
			x.err = io.EOF
		case x.block == nil:
			x.err = eofUnexpected(x.nextBlock())
		default:
			n, x.err = x.readBlock(p)
		}
	}
	return n, x.err
}

func (x *xzReader) readBlock(p []byte) (int, error) {
	n, err := x.block.Read(p)
	x.size += int64(n)
	if x.check != nil {
		x.check.Write(p[:n])
	}
	if err == io.EOF {
		err = eofUnexpected(x.endBlock())
	}
	return n, err
}

// nextBlock reads up to the data of the next block, through the end of one stream and the head of another if need be.
func (x *xzReader) nextBlock() error {
	if !x.open {
		return x.nextStream()
	}
	size, err := x.src.ReadByte()
	if err != nil {
		return err
	}
	if size == 0 {
		return x.endStream()
	}
	return x.startBlock(size)
}

func (x *xzReader) nextStream() error {
	var head [12]byte
	if _, err := io.ReadFull(x.src, head[:]); err != nil {
		return err
	}
	if string(head[:6]) != "\xfd7zXZ\x00" || binary.LittleEndian.Uint32(head[8:]) != crc32.ChecksumIEEE(head[6:8]) {
		return errXZ
	}
	x.flags = [2]byte(head[6:8])
	if x.flags[0] != 0 || x.flags[1] > 15 {
		return &unsupportedError{"it is an xz file of an unknown kind; unpack it with xz first"}
	}
	x.index = xzIndex{sum: crc32.NewIEEE()}
	x.open = true
	return nil
}

// startBlock reads a block's header, whose size in words its first byte gives.
func (x *xzReader) startBlock(size byte) error {
	head := make([]byte, (int(size)+1)*4)
	head[0] = size
	if _, err := io.ReadFull(x.src, head[1:]); err != nil {
		return err
	}
	body, sum := head[:len(head)-4], head[len(head)-4:]
	if binary.LittleEndian.Uint32(sum) != crc32.ChecksumIEEE(body) {
		return errXZ
	}
	dictionary, err := x.parseHeader(body)
	if err != nil {
		return err
	}
	if dictionary > maxWindow {
		return &unsupportedError{"it is packed with a dictionary of more than 256 MiB; pack it again with less"}
	}
	if size := x.stated[1]; size >= 0 {
		dictionary = min(dictionary, max(size, lzma.MinDictCap)) // no more can be looked back at
	}
	x.header, x.size = int64(len(head)), 0
	x.packed = &countingReader{r: x.src}
	x.check = xzCheck(x.flags[1])
	x.block, err = lzma.Reader2Config{DictCap: int(dictionary)}.NewReader2(x.packed)
	return err
}

// parseHeader takes the sizes from a block's header and returns the size of the dictionary.
func (x *xzReader) parseHeader(body []byte) (dictionary int64, err error) {
	flags, rest := body[1], body[2:]
	x.stated = [2]int64{-1, -1}
	for i := range x.stated {
		if flags&(0x40<<i) == 0 {
			continue
		}
		v, n := binary.Uvarint(rest)
		if n <= 0 || v > 1<<62 {
			return 0, errXZ
		}
		x.stated[i], rest = int64(v), rest[n:]
	}
	// A single LZMA2 filter: number 0x21 with one byte of properties. Filters for machine code may stand before it.
	if flags&0x3f != 0 || len(rest) < 3 || rest[0] != 0x21 || rest[1] != 1 {
		return 0, &unsupportedError{"it is packed with an xz filter that is not supported; unpack it with xz first"}
	}
	dictionary, err = lzma.DecodeDictCap(rest[2])
	if err != nil {
		return 0, errXZ
	}
	return max(dictionary, lzma.MinDictCap), nil
}

// endBlock checks sizes and checksum of the block that was read.
func (x *xzReader) endBlock() error {
	packed := x.packed.n
	if s := x.stated; s[0] >= 0 && s[0] != packed || s[1] >= 0 && s[1] != x.size {
		return errXZ
	}
	if err := x.zeros(int(-packed & 3)); err != nil {
		return err
	}
	sum := make([]byte, xzCheckSize(x.flags[1]))
	if _, err := io.ReadFull(x.src, sum); err != nil {
		return err
	}
	if x.check != nil && !sameSum(x.check, sum) {
		return fmt.Errorf("%w: a checksum is wrong", errXZ)
	}
	x.index.add(uint64(x.header+packed)+uint64(len(sum)), uint64(x.size))
	x.block = nil
	return nil
}

// sameSum compares a checksum with the one in the file, which has the numbers little end first.
func sameSum(h hash.Hash, sum []byte) bool {
	switch h := h.(type) {
	case hash.Hash32:
		return h.Sum32() == binary.LittleEndian.Uint32(sum)
	case hash.Hash64:
		return h.Sum64() == binary.LittleEndian.Uint64(sum)
	}
	return string(h.Sum(nil)) == string(sum)
}

func xzCheck(kind byte) hash.Hash {
	switch kind {
	case 1:
		return crc32.NewIEEE()
	case 4:
		return crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		return sha256.New()
	}
	return nil
}

// xzCheckSize is the size of the check of a kind, known for those too that are not in use.
func xzCheckSize(kind byte) int {
	if kind == 0 {
		return 0
	}
	return 4 << ((kind - 1) / 3)
}

// zeros reads n bytes that must be zero.
func (x *xzReader) zeros(n int) error {
	for range n {
		c, err := x.src.ReadByte()
		if err != nil {
			return err
		}
		if c != 0 {
			return errXZ
		}
	}
	return nil
}

// endStream reads the index, whose first byte is read already, and the footer, and looks for what follows.
func (x *xzReader) endStream() error {
	in := &summingReader{r: x.src, sum: crc32.NewIEEE(), n: 1}
	in.sum.Write([]byte{0})
	if err := x.checkIndex(in); err != nil {
		return err
	}
	for in.n&3 != 0 {
		if c, err := in.ReadByte(); err != nil || c != 0 {
			return orCorrupt(err)
		}
	}
	var tail [16]byte // checksum of the index, then the footer
	if _, err := io.ReadFull(x.src, tail[:]); err != nil {
		return err
	}
	foot := tail[4:]
	words := int64(binary.LittleEndian.Uint32(foot[4:]))
	if binary.LittleEndian.Uint32(tail[:]) != in.sum.Sum32() || binary.LittleEndian.Uint32(foot) != crc32.ChecksumIEEE(foot[4:10]) ||
		(words+1)*4 != in.n+4 || [2]byte(foot[8:10]) != x.flags || string(foot[10:]) != "YZ" {
		return errXZ
	}
	x.open = false
	return x.afterStream()
}

// checkIndex compares the index with the blocks that were met.
func (x *xzReader) checkIndex(in io.ByteReader) error {
	count, err := binary.ReadUvarint(in)
	if err != nil || count != x.index.count {
		return orCorrupt(err)
	}
	listed := xzIndex{sum: crc32.NewIEEE()}
	for range count {
		unpadded, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		size, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		listed.add(unpadded, size)
	}
	if listed.sum.Sum32() != x.index.sum.Sum32() {
		return errXZ
	}
	return nil
}

func orCorrupt(err error) error {
	if err == nil {
		return errXZ
	}
	return err
}

// afterStream skips zeros, and sees whether another stream, the end, or junk follows.
func (x *xzReader) afterStream() error {
	for {
		head, err := x.src.Peek(6)
		if err != nil && err != io.EOF {
			return err
		}
		if sniff(head) == formatXZ {
			return nil
		}
		if len(head) < 4 || string(head[:4]) != "\x00\x00\x00\x00" {
			x.done = true
			zeros, err := onlyZeros(x.src)
			*x.junk = !zeros
			return err
		}
		if _, err := x.src.Discard(4); err != nil {
			return err
		}
	}
}

// countingReader counts what is read from a buffer.
type countingReader struct {
	r *bufio.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// summingReader counts and sums up bytes.
type summingReader struct {
	r   *bufio.Reader
	sum hash.Hash32
	n   int64
}

func (s *summingReader) ReadByte() (byte, error) {
	c, err := s.r.ReadByte()
	if err == nil {
		s.sum.Write([]byte{c})
		s.n++
	}
	return c, err
}
