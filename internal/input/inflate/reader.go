package inflate

import (
	"bufio"
	"errors"
	"io"
)

const (
	window  = 32 << 10    // largest distance of a copy
	longest = 258         // length of the longest copy
	room    = longest + 8 // most bytes that one code writes, as repeat writes words
	piece   = 64 << 10    // minimum number of bytes that are unpacked at once
)

// ErrCorrupt is the error for data that is not valid deflate data.
var ErrCorrupt = errors.New("corrupt deflate data")

// Reader unpacks one stream of deflate data. The zero value is ready for Reset.
//
// It works on the buffer of src, and discards bytes there when it needs more, and at the end of the
// data. in is that buffer; its first at bytes are in bits. The lowest n bits of bits are next; the
// bits above are zeros, or the next bits of in. After the end of src, missing bits count as zeros,
// and n becomes negative.
type Reader struct {
	src  *bufio.Reader
	in   []byte
	at   int
	bits uint64
	n    uint
	lack error // the error that prevents reading more than in; nil for none

	step   func(*Reader) error // reads the next part of the stream
	err    error               // how the stream ended
	final  bool                // the current block is the last one
	stored int                 // remaining bytes of a stored block

	out    *bufio.Reader // buffers unpacked data for callers with little memory
	to     []byte        // the memory that is being filled, and the number of bytes in it
	filled int
	past   [window]byte // the bytes before to
	known  int          // number of bytes in past, at its end

	isFixed bool // the tables are those of RFC 1951, section 3.2.6
	lits    [literalSize]entry
	offs    [offsetSize]entry
	lengths [288 + 32]uint8
}

// Reset starts to unpack the data at the current position of src. At its end, src is positioned
// right after the data. Until then, only the Reader may read src.
func (r *Reader) Reset(src *bufio.Reader) {
	if r.out == nil {
		r.out = bufio.NewReaderSize(nil, piece)
	}
	r.out.Reset(unpacker{r})
	r.src, r.in, r.at, r.bits, r.n, r.lack = src, nil, 0, 0, 0, nil
	r.step, r.err, r.final, r.known = (*Reader).header, nil, false, 0
}

// Read unpacks into p, and may use all of p as scratch space. The error is io.EOF at the end of the
// data, io.ErrUnexpectedEOF if src ends early, ErrCorrupt, or an error of src. Bytes before the
// error are returned first.
func (r *Reader) Read(p []byte) (int, error) { return r.out.Read(p) }

// unpacker reads at least a piece at a time.
type unpacker struct{ r *Reader }

func (u unpacker) Read(p []byte) (int, error) {
	r := u.r
	r.to, r.filled = p, 0
	for r.err == nil && r.free() >= room {
		r.err = r.step(r)
	}
	if r.to = nil; r.filled == 0 {
		return 0, r.err
	}
	r.remember(p[:r.filled])
	return r.filled, nil
}

func (r *Reader) free() int { return len(r.to) - r.filled }

// remember keeps the end of the returned data.
func (r *Reader) remember(p []byte) {
	p = p[max(0, len(p)-window):]
	kept := min(r.known, window-len(p))
	copy(r.past[window-len(p)-kept:], r.past[window-kept:])
	copy(r.past[window-len(p):], p)
	r.known = kept + len(p)
}

// fill buffers at least 56 bits, or all remaining ones. A code with an offset takes at most 48 bits
// with their extra bits.
func (r *Reader) fill() {
	if int(r.n) < 0 {
		return
	}
	if len(r.in)-r.at < 8 && r.lack == nil {
		r.release()
		_, r.lack = r.src.Peek(8)
		r.in, _ = r.src.Peek(r.src.Buffered())
	}
	if len(r.in)-r.at >= 8 {
		r.bits, r.n, r.at = refilled(r.in, r.bits, r.n, r.at)
	}
	for ; r.n < 56 && r.at < len(r.in); r.n += 8 {
		r.bits |= uint64(r.in[r.at]) << r.n
		r.at++
	}
}

// release discards the used bytes of src, and all bits but those of the last byte.
func (r *Reader) release() {
	r.src.Discard(r.at - int(r.n>>3)) // they are in its buffer
	r.n &= 7
	r.in, r.at, r.bits, r.lack = nil, 0, r.bits&(1<<r.n-1), nil
}

// take returns n bits, which fill has buffered.
func (r *Reader) take(n uint) int {
	v := r.bits & (1<<n - 1)
	r.bits >>= n
	r.n -= n
	return int(v)
}

// missing returns the error if bits were taken after the end of src, or nil.
func (r *Reader) missing() error {
	switch {
	case int(r.n) >= 0:
		return nil
	case r.lack == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return r.lack
}

// corrupt returns ErrCorrupt, or the error of src if the bits were missing.
func (r *Reader) corrupt() error {
	if r.n < maxCode {
		r.n = ^uint(0)
	}
	if err := r.missing(); err != nil {
		return err
	}
	return ErrCorrupt
}

// header reads the header of a block: RFC 1951, section 3.2.3.
func (r *Reader) header() error {
	if r.final {
		r.release()
		return io.EOF
	}
	r.fill()
	final, kind := r.take(1), r.take(2)
	if err := r.missing(); err != nil {
		return err
	}
	r.final, r.step = final == 1, (*Reader).codes
	switch kind {
	case 0:
		return r.storedHeader()
	case 1:
		return r.fixed()
	case 2:
		return r.dynamic()
	}
	return ErrCorrupt
}

// storedHeader reads the size of a stored block, which begins at the next whole byte.
func (r *Reader) storedHeader() error {
	r.take(r.n & 7)
	r.fill()
	size, inverse := r.take(16), r.take(16)
	if err := r.missing(); err != nil {
		return err
	}
	if size != inverse^0xffff {
		return ErrCorrupt
	}
	r.release()
	r.stored, r.step = size, (*Reader).copyStored
	return nil
}

// copyStored copies a stored block. No bits are buffered then.
func (r *Reader) copyStored() error {
	n, err := r.src.Read(r.to[r.filled:min(len(r.to), r.filled+r.stored)])
	r.filled += n
	if r.stored -= n; r.stored == 0 {
		r.step = (*Reader).header
		return nil
	}
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// fixed makes the tables of RFC 1951, section 3.2.6.
func (r *Reader) fixed() error {
	if r.isFixed {
		return nil
	}
	at := 0
	for _, run := range [...]struct{ end, length int }{{144, 8}, {256, 9}, {280, 7}, {288, 8}, {320, 5}} {
		for ; at < run.end; at++ {
			r.lengths[at] = uint8(run.length)
		}
	}
	r.isFixed = true
	return r.tables(288, 320)
}

// dynamic reads the lengths of the codes of a block and makes its tables: RFC 1951, section 3.2.7.
func (r *Reader) dynamic() error {
	r.isFixed = false
	r.fill()
	near, far, n := r.take(5)+257, r.take(5)+1, r.take(4)+4
	var own [19]uint8 // lengths of the codes for the lengths
	order := [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	for _, at := range order[:n] {
		r.fill()
		own[at] = uint8(r.take(3))
	}
	const width = 7
	table := r.lits[:1<<width] // not in use at this point
	if near > 286 || far > 30 || !build(table, width, own[:], plain) {
		return r.corrupt()
	}
	for at, end := 0, near+far; at < end; {
		r.fill()
		e, err := r.code(table, width)
		if err != nil {
			return err
		}
		length, times := uint8(e.value()), 1
		switch length {
		case 16:
			times = 3 + r.take(2)
			if at == 0 {
				return r.corrupt()
			}
			length = r.lengths[at-1]
		case 17:
			length, times = 0, 3+r.take(3)
		case 18:
			length, times = 0, 11+r.take(7)
		}
		if times > end-at {
			return r.corrupt()
		}
		for ; times > 0; times-- {
			r.lengths[at] = length
			at++
		}
	}
	if err := r.missing(); err != nil {
		return err
	}
	return r.tables(near, near+far)
}

// tables makes the tables of a block. The lengths of the codes for offsets begin at near.
func (r *Reader) tables(near, end int) error {
	if !build(r.lits[:], literalBits, r.lengths[:near], literals) ||
		!build(r.offs[:], offsetBits, r.lengths[near:end], offsets) {
		return ErrCorrupt
	}
	return nil
}

// code reads the next code with a table.
func (r *Reader) code(table []entry, width uint) (entry, error) {
	e := table[r.bits&(1<<width-1)]
	if e&isMore != 0 {
		r.take(width)
		e = table[e.value()+int(r.bits&(1<<e.extra()-1))]
	}
	if e.taken() == 0 {
		return 0, r.corrupt()
	}
	r.take(e.taken())
	return e, r.missing()
}

// codes unpacks a block of codes, until its end or until little output is free.
func (r *Reader) codes() error {
	for r.free() >= room {
		end, err := r.careful()
		if !end && err == nil {
			end, err = r.fast()
		}
		if end || err != nil {
			return err
		}
	}
	return nil
}

// careful unpacks one code, and reports whether it ended the block.
func (r *Reader) careful() (end bool, err error) {
	r.fill()
	e, err := r.code(r.lits[:], literalBits)
	switch {
	case err != nil:
		return false, err
	case e&isLiteral != 0:
		r.to[r.filled] = byte(e.value())
		r.filled++
		return false, nil
	case e&isEnd != 0:
		r.step = (*Reader).header
		return true, nil
	}
	length := e.value() + r.take(e.extra())
	if e, err = r.code(r.offs[:], offsetBits); err != nil {
		return false, err
	}
	offset := e.value() + 1 + r.take(e.extra())
	if err := r.missing(); err != nil {
		return false, err
	}
	return false, r.copy(offset, length)
}

// copy copies data from offset bytes back, which may be in past. The output must have space for it.
func (r *Reader) copy(offset, length int) error {
	if back := offset - r.filled; back > 0 {
		if back > r.known {
			return ErrCorrupt
		}
		n := copy(r.to[r.filled:r.filled+length], r.past[window-back:])
		r.filled, length = r.filled+n, length-n
	}
	if length > 0 {
		repeat(r.to[r.filled-offset:], offset, length)
		r.filled += length
	}
	return nil
}
