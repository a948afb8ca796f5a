package xz

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"slices"
)

// The errors of files that cannot be unpacked, besides io.ErrUnexpectedEOF and those of the source.
var (
	ErrCorrupt     = errors.New("xz: data is corrupt")
	ErrFormat      = errors.New("xz: file format not recognized")
	ErrUnsupported = errors.New("xz: compression options not supported")
	ErrWindow      = errors.New("xz: the window is larger than allowed")
)

// Reader unpacks one .xz file: streams, with zeros between them. The zero value is ready for Reset.
// It keeps its window for the next file.
type Reader struct {
	coder
	src  *bufio.Reader
	most int64               // bytes of the largest window allowed
	step func(*Reader) error // reads the next part of the file
	err  error               // how the file ended
	junk bool

	given    int   // where the bytes of the window begin that were not returned yet
	size     int   // of the ring, when it has grown
	plain    int   // rest of the current chunk, unpacked
	lack     error // why the current chunk is shorter than stated
	fresh    bool  // the data has to begin with a new window
	untaught bool  // the data has to set its properties

	sort   byte      // of the checksums of blocks
	sum    hash.Hash // of the current block; nil for none
	header int64     // size of the block's header
	packed int64     // bytes that were read of the block, or of the index
	made   int64     // bytes that the block was unpacked to
	stated [2]int64  // what packed and made have to be; -1 for unknown
	blocks int64
	sizes  hash.Hash // of the sizes of all blocks
	crc    uint32    // of the index
}

// Reset starts to unpack the file at the current position of src, in which no block may state a
// window of more than most bytes. Until an error, only the Reader may read src.
func (r *Reader) Reset(src *bufio.Reader, most int64) error {
	r.src, r.most, r.junk, r.pos, r.given = src, most, false, 0, 0
	r.err = r.stream()
	return r.err
}

// Junk reports whether the last stream is followed by other data.
func (r *Reader) Junk() bool { return r.junk }

// Read returns unpacked bytes. The error is io.EOF only if all sizes and checksums of the file are
// right. Bytes before an error are returned first.
func (r *Reader) Read(p []byte) (int, error) {
	for r.given == r.pos && r.err == nil && len(p) > 0 {
		r.err = r.step(r)
	}
	if n := copy(p, r.window[r.given:r.pos]); n > 0 || len(p) == 0 {
		r.given += n
		return n, nil
	}
	return 0, r.err
}

// byte reads a byte of a block or of the index.
func (r *Reader) byte() (byte, error) {
	b, err := r.src.ReadByte()
	if err == nil {
		r.packed++
	}
	return b, noEOF(err)
}

// full fills p with bytes of a block or of the index.
func (r *Reader) full(p []byte) error {
	n, err := io.ReadFull(r.src, p)
	r.packed += int64(n)
	return noEOF(err)
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

const magic = "\xfd7zXZ\x00"

// stream reads the header of a stream.
func (r *Reader) stream() error {
	var head [12]byte
	if err := r.full(head[:]); err != nil {
		return err
	}
	flags := head[len(magic):8]
	switch {
	case string(head[:len(magic)]) != magic:
		return ErrFormat
	case crc32.ChecksumIEEE(flags) != binary.LittleEndian.Uint32(head[8:]):
		return ErrCorrupt
	case flags[0] != 0:
		return ErrUnsupported
	}
	r.sort = flags[1]
	switch r.sort {
	case 0:
		r.sum = nil
	case 1:
		r.sum = crc32.NewIEEE()
	case 4:
		r.sum = crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		r.sum = sha256.New()
	default:
		return ErrUnsupported
	}
	r.blocks, r.sizes, r.step = 0, sha256.New(), (*Reader).block
	return nil
}

// block reads the header of a block, or that of the index.
func (r *Reader) block() error {
	r.packed, r.made, r.stated = 0, 0, [2]int64{-1, -1}
	first, err := r.byte()
	if err != nil {
		return err
	}
	if first == 0 {
		r.step = (*Reader).index
		return nil
	}
	head := make([]byte, 4*(int(first)+1))
	head[0] = first
	if err := r.full(head[1:]); err != nil {
		return err
	}
	end := len(head) - 4
	if crc32.ChecksumIEEE(head[:end]) != binary.LittleEndian.Uint32(head[end:]) {
		return ErrCorrupt
	}
	flags, rest := head[1], bytes.NewReader(head[2:end])
	if flags&0x3f != 0 { // reserved bits, or other filters before LZMA2
		return ErrUnsupported
	}
	for i, bit := range []byte{0x40, 0x80} {
		if flags&bit != 0 {
			if r.stated[i], err = number(rest.ReadByte); err != nil {
				return ErrCorrupt
			}
		}
	}
	var filter [3]byte
	if _, err := io.ReadFull(rest, filter[:]); err != nil || r.stated[0] == 0 {
		return ErrCorrupt
	}
	property := filter[2]
	if filter[0] != 0x21 || filter[1] != 1 || property > 40 {
		return ErrUnsupported
	}
	window := int64(2|property&1) << (property/2 + 11)
	if window > r.most {
		return ErrWindow
	}
	if len(bytes.Trim(head[end-rest.Len():end], "\x00")) > 0 {
		return ErrUnsupported
	}
	r.header, r.packed = int64(len(head)), 0
	if r.sum != nil {
		r.sum.Reset()
	}
	r.startData(window)
	return nil
}

// number reads an integer of seven bits in each byte.
func number(next func() (byte, error)) (v int64, err error) {
	for shift := 0; shift < 63; shift += 7 {
		b, err := next()
		if err != nil {
			return 0, err
		}
		v |= int64(b&0x7f) << shift
		switch {
		case b == 0 && shift > 0:
			return 0, ErrCorrupt // a shorter form exists
		case b < 0x80:
			return v, nil
		}
	}
	return 0, ErrCorrupt
}

// check counts unpacked bytes of a block and adds them to its checksum.
func (r *Reader) check(p []byte) {
	r.made += int64(len(p))
	if r.sum != nil {
		r.sum.Write(p) // never fails
	}
}

// endData verifies a block after its data.
func (r *Reader) endData() error {
	for i, size := range []int64{r.packed, r.made} {
		if r.stated[i] >= 0 && r.stated[i] != size {
			return ErrCorrupt
		}
	}
	unpadded := r.header + r.packed
	if err := r.padding(r.byte); err != nil {
		return err
	}
	if r.sum != nil {
		want, got := r.sum.Sum(nil), make([]byte, r.sum.Size())
		unpadded += int64(len(want))
		if err := r.full(got); err != nil {
			return err
		}
		if r.sort < 10 {
			slices.Reverse(want) // the number in little-endian order
		}
		if !bytes.Equal(want, got) {
			return ErrCorrupt
		}
	}
	r.blocks++
	list(r.sizes, unpadded, r.made)
	r.step = (*Reader).block
	return nil
}

// list adds the sizes of a block to a list of which only a hash is kept.
func list(sizes hash.Hash, unpadded, made int64) {
	sizes.Write(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(unpadded)), uint64(made)))
}

// padding reads zeros until whole words were read.
func (r *Reader) padding(next func() (byte, error)) error {
	for r.packed%4 != 0 {
		if b, err := next(); err != nil || b != 0 {
			return cmp.Or(err, ErrCorrupt)
		}
	}
	return nil
}

// indexed reads a byte of the index.
func (r *Reader) indexed() (byte, error) {
	b, err := r.byte()
	r.crc = crc32.Update(r.crc, crc32.IEEETable, []byte{b})
	return b, err
}

// index reads the index of a stream after its first byte, which repeats the sizes of all blocks,
// and the end of the stream.
func (r *Reader) index() error {
	r.crc = crc32.ChecksumIEEE([]byte{0})
	n, err := number(r.indexed)
	if err == nil && n != r.blocks {
		err = ErrCorrupt
	}
	listed := sha256.New()
	for ; n > 0 && err == nil; n-- {
		var unpadded, made int64
		if unpadded, err = number(r.indexed); err == nil {
			made, err = number(r.indexed)
		}
		list(listed, unpadded, made)
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(listed.Sum(nil), r.sizes.Sum(nil)) {
		return ErrCorrupt
	}
	if err := r.padding(r.indexed); err != nil {
		return err
	}
	var tail [16]byte // the checksum of the index, and the footer of the stream
	size, word := r.packed+4, binary.LittleEndian.Uint32
	if err := r.full(tail[:4]); err != nil {
		return err
	}
	if word(tail[:]) != r.crc {
		return ErrCorrupt
	}
	if err := r.full(tail[4:]); err != nil {
		return err
	}
	if word(tail[4:]) != crc32.ChecksumIEEE(tail[8:14]) || 4*(int64(word(tail[8:]))+1) != size ||
		tail[12] != 0 || tail[13] != r.sort || string(tail[14:]) != "YZ" {
		return ErrCorrupt
	}
	r.step = (*Reader).after
	return nil
}

// after reads what follows a stream: zeros, and perhaps another stream. Anything else is junk.
func (r *Reader) after() error {
	for r.packed = 0; ; r.packed++ {
		b, err := r.src.ReadByte()
		if err == nil && b == 0 {
			continue
		}
		if err == nil {
			err = r.src.UnreadByte()
		}
		switch {
		case err != nil && err != io.EOF:
			return err
		case r.packed%4 != 0:
			return ErrCorrupt
		case err == io.EOF:
			return io.EOF
		}
		head, err := r.src.Peek(12)
		if err != nil && err != io.EOF {
			return err
		}
		if r.junk = len(head) < 12 || string(head[:len(magic)]) != magic; r.junk {
			return io.EOF
		}
		return r.stream()
	}
}
