package inflate

import (
	"bufio"
	"errors"
	"io"
)

const (
	window   = 32 << 10    // how far back a copy may begin
	longest  = 258         // bytes of the longest copy
	room     = longest + 7 // what one code may write, as repeat goes by words: where less is free, no code is unpacked
	directly = 64 << 10    // from this size on, memory of the caller is unpacked to directly
)

// ErrCorrupt is for data that is not what deflate makes.
var ErrCorrupt = errors.New("corrupt deflate data")

// Reader unpacks one stream of deflate data. The zero value is ready for Reset.
//
// It looks at what src has in its buffer, and takes that from it only when all of it is used, or when the stream ends. Between any two of
// its methods: in[:at] is used, but for the lowest n bits of bits, which come next. Above these there are zeros, or those bits that come
// next in in[at:]. What n>>3 counts in whole bytes lies in in, so that release can give it back.
type Reader struct {
	src  *bufio.Reader
	in   []byte
	at   int
	bits uint64
	n    uint

	step   func(*Reader) error // what stands next in the stream
	err    error               // what it ended with
	final  bool                // the block at hand is the last one
	stored int                 // bytes of a stored block that are left

	to     []byte // what is being filled, and how many bytes of it are
	filled int
	past   [window]byte // the end of what was filled before to
	known  int          // how many bytes of past there are, at its end

	small  []byte // for callers with little memory: what was unpacked
	unread []byte // of small, what was not handed out yet

	isFixed bool // the tables are those of RFC 1951, section 3.2.6
	lits    [literalSize]entry
	offs    [offsetSize]entry
	lengths [288 + 32]uint8
}

// Reset begins to unpack what comes next in src. At the end of the data src stands right behind it; until then, only this may read it.
func (r *Reader) Reset(src *bufio.Reader) {
	r.src, r.in, r.at, r.bits, r.n = src, nil, 0, 0, 0
	r.step, r.err, r.final, r.known, r.unread = (*Reader).header, nil, false, 0, nil
}

// Read unpacks into p, of which it may use all. The error is io.EOF at the end of the data, io.ErrUnexpectedEOF where src ends before
// it, ErrCorrupt, or that of src; it comes with the bytes before it, or behind them.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) >= directly && len(r.unread) == 0 {
		return r.unpack(p)
	}
	if len(r.unread) == 0 && len(p) > 0 {
		if r.small == nil {
			r.small = make([]byte, directly)
		}
		n, err := r.unpack(r.small)
		if n == 0 {
			return 0, err
		}
		r.unread = r.small[:n]
	}
	n := copy(p, r.unread)
	r.unread = r.unread[n:]
	return n, nil
}

// unpack fills p, as far as there is data, until there is little room.
func (r *Reader) unpack(p []byte) (int, error) {
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

// remember keeps the end of what is handed out.
func (r *Reader) remember(p []byte) {
	p = p[max(0, len(p)-window):]
	kept := min(r.known, window-len(p))
	copy(r.past[window-len(p)-kept:], r.past[window-kept:])
	copy(r.past[window-len(p):], p)
	r.known = kept + len(p)
}

// need makes sure that there are n bits, at most 48, all of which are taken next: for what is left of in may be given up for more.
func (r *Reader) need(n uint) error {
	for r.n < n {
		switch left := len(r.in) - r.at; {
		case left >= 8:
			r.bits, r.n, r.at = refilled(r.in, r.bits, r.n, r.at)
		case left > 0:
			r.bits |= uint64(r.in[r.at]) << r.n
			r.at, r.n = r.at+1, r.n+8
		default:
			if err := r.load(); err != nil {
				return unexpected(err)
			}
		}
	}
	return nil
}

// load goes on to what src has next.
func (r *Reader) load() error {
	_, err := r.src.Discard(r.at)
	if err == nil {
		_, err = r.src.Peek(1)
	}
	r.at = 0
	r.in, _ = r.src.Peek(r.src.Buffered())
	return err
}

// release gives back to src the whole bytes that are not used.
func (r *Reader) release() error {
	_, err := r.src.Discard(r.at - int(r.n>>3))
	r.n &= 7
	r.in, r.at, r.bits = nil, 0, r.bits&(1<<r.n-1)
	return err
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// take takes n bits that are there.
func (r *Reader) take(n uint) int {
	v := r.bits & (1<<n - 1)
	r.bits >>= n
	r.n -= n
	return int(v)
}

// header reads what stands before a block: RFC 1951, section 3.2.3.
func (r *Reader) header() error {
	if r.final {
		if err := r.release(); err != nil {
			return err
		}
		return io.EOF
	}
	if err := r.need(3); err != nil {
		return err
	}
	r.final = r.take(1) == 1
	switch r.take(2) {
	case 0:
		return r.storedHeader()
	case 1:
		r.step = (*Reader).codes
		return r.fixed()
	case 2:
		r.step = (*Reader).codes
		return r.dynamic()
	}
	return ErrCorrupt
}

// storedHeader reads the size of a stored block, which begins with the next whole byte.
func (r *Reader) storedHeader() error {
	r.take(r.n & 7)
	if err := r.need(32); err != nil {
		return err
	}
	size, inverse := r.take(16), r.take(16)
	if size != inverse^0xffff {
		return ErrCorrupt
	}
	r.stored, r.step = size, (*Reader).copyStored
	return r.release()
}

// copyStored copies a stored block. There are no bits left then.
func (r *Reader) copyStored() error {
	for r.stored > 0 && r.filled < len(r.to) {
		n, err := r.src.Read(r.to[r.filled:min(len(r.to), r.filled+r.stored)])
		r.filled += n
		r.stored -= n
		if err != nil {
			return unexpected(err)
		}
	}
	if r.stored == 0 {
		r.step = (*Reader).header
	}
	return nil
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
	return r.tables(r.lengths[:288], r.lengths[288:])
}

// dynamic reads the codes of a block and makes its tables: RFC 1951, section 3.2.7.
func (r *Reader) dynamic() error {
	r.isFixed = false
	if err := r.need(14); err != nil {
		return err
	}
	near, far, n := r.take(5)+257, r.take(5)+1, r.take(4)+4
	if near > 286 || far > 30 {
		return ErrCorrupt
	}
	var code [19]uint8
	order := [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	for _, at := range order[:n] {
		if err := r.need(3); err != nil {
			return err
		}
		code[at] = uint8(r.take(3))
	}
	const width = 7
	table := r.lits[:1<<width] // not in use now
	if !build(table, width, code[:], plain) {
		return ErrCorrupt
	}
	all := r.lengths[:near+far]
	for i := 0; i < len(all); {
		e, err := r.symbol(table, width)
		if err != nil {
			return err
		}
		length, times := uint8(e>>16), 1
		if length >= 16 {
			least, more := [...]int{3, 3, 11}[length-16], [...]uint{2, 3, 7}[length-16]
			if err := r.need(more); err != nil {
				return err
			}
			times = least + r.take(more)
			if times > len(all)-i || length == 16 && i == 0 {
				return ErrCorrupt
			}
			if length > 16 {
				length = 0
			} else {
				length = all[i-1]
			}
		}
		for range times {
			all[i] = length
			i++
		}
	}
	return r.tables(all[:near], all[near:])
}

// tables makes the tables of a block.
func (r *Reader) tables(near, far []uint8) error {
	if !build(r.lits[:], literalBits, near, literals) || !build(r.offs[:], offsetBits, far, offsets) {
		return ErrCorrupt
	}
	return nil
}

// symbol takes the next code that is in a table. It asks for one more bit than there are only where these are not yet a code.
func (r *Reader) symbol(table []entry, width uint) (entry, error) {
	for {
		e := table[r.bits&(1<<width-1)]
		n := e.taken()
		if e&(isLiteral|isMore) == isMore {
			e = table[int(e>>16)&0xfff+int(r.bits>>width&(1<<e.extra()-1))]
			if n = e.taken(); n > 0 {
				n += width
			}
		}
		if n > 0 && n <= r.n {
			r.take(n)
			return e, nil
		}
		if r.n >= maxCode {
			return 0, ErrCorrupt
		}
		if err := r.need(r.n + 1); err != nil {
			return 0, err
		}
	}
}

// codes unpacks a block that is made of codes, to its end or until there is little room.
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

// careful unpacks one code, and says whether it ended the block.
func (r *Reader) careful() (end bool, err error) {
	e, err := r.symbol(r.lits[:], literalBits)
	switch {
	case err != nil:
		return false, err
	case e&isLiteral != 0:
		r.to[r.filled] = byte(e >> 8)
		r.filled++
		return false, nil
	case e&isEnd != 0:
		r.step = (*Reader).header
		return true, nil
	}
	if err := r.need(e.extra()); err != nil {
		return false, err
	}
	length := int(e>>16) + r.take(e.extra())
	if e, err = r.symbol(r.offs[:], offsetBits); err != nil {
		return false, err
	}
	if err := r.need(e.extra()); err != nil {
		return false, err
	}
	return false, r.copy(int(e>>12)+1+r.take(e.extra()), length)
}

// copy copies what lies offset bytes back, which may be in the past. There has to be room.
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
