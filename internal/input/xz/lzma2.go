package xz

import (
	"encoding/binary"
	"fmt"
	"io"
)

const (
	first = 64 << 10 // bytes of the window, until more are unpacked
	piece = 64 << 10 // most bytes that are unpacked at once
)

// startData starts to unpack LZMA2 data that states the size of its window.
func (r *Reader) startData(size int64) {
	c := &r.coder
	r.size, c.reach = int(size)+spare, uint32(size)
	if have := min(cap(c.window), r.size+spare); have >= 2*spare {
		c.window = c.window[:have&^15]
	} else {
		c.window = make([]byte, min(first, r.size)+spare)
	}
	r.restart()
	r.fresh, r.untaught = true, true
	r.step = (*Reader).chunk
}

// restart forgets the window.
func (r *Reader) restart() { r.pos, r.given, r.round, r.before = 0, 0, false, 0 }

// chunk reads the header of a chunk of LZMA2 data.
func (r *Reader) chunk() error {
	control, err := r.byte()
	if err != nil {
		return err
	}
	if control == 0 {
		return r.endData()
	}
	if control == 1 || control >= 0xe0 {
		r.restart()
		r.fresh, r.untaught = false, true
	}
	if r.fresh || control > 2 && control < 0x80 {
		return ErrCorrupt
	}
	var sizes [4]byte
	if control < 0x80 {
		err = r.full(sizes[:2])
		r.plain = int(binary.BigEndian.Uint16(sizes[:])) + 1
		r.step = (*Reader).copyPlain
		return err
	}
	if err := r.full(sizes[:]); err != nil {
		return err
	}
	r.plain = int(control&0x1f)<<16 + int(binary.BigEndian.Uint16(sizes[:])) + 1
	r.end = int(binary.BigEndian.Uint16(sizes[2:])) + 1
	switch {
	case control >= 0xc0:
		if err := r.properties(); err != nil {
			return err
		}
	case r.untaught:
		return ErrCorrupt
	}
	if control >= 0xa0 {
		r.models.reset()
		r.state, r.distances = 0, [4]uint32{}
	}
	return r.load()
}

// properties reads how the models are chosen.
func (r *Reader) properties() error {
	b, err := r.byte()
	if err != nil {
		return err
	}
	lc, lp, pb := uint(b)%9, uint(b)/9%5, uint(b)/45
	if pb > 4 || lc+lp > 4 {
		return ErrCorrupt
	}
	r.lc, r.low, r.mask = lc, 1<<lp-1, 1<<pb-1
	r.untaught = false
	return nil
}

// load reads a packed chunk. If the source ends before, its symbols are unpacked up to there.
func (r *Reader) load() error {
	const head = 5 // bytes that start the range coder
	if r.end < head {
		return ErrCorrupt
	}
	n, err := io.ReadFull(r.src, r.in[:r.end])
	r.packed += int64(n)
	if r.lack = noEOF(err); n < head {
		return r.lack
	}
	if r.in[0] != 0 {
		return fmt.Errorf("%w: a chunk does not begin with zero", ErrCorrupt)
	}
	clear(r.in[n : n+spare])
	r.end, r.at, r.left = n, head, 0
	r.span, r.code = 1<<32-1, binary.BigEndian.Uint32(r.in[1:])
	r.step = (*Reader).unpack
	return nil
}

// room makes space in the window, which grows until it has its size, and returns up to where it may
// be filled at once.
func (r *Reader) room() int {
	if r.pos == r.ring() {
		if r.ring() < r.size {
			grown := make([]byte, min(4*r.ring(), r.size)+spare)
			copy(grown, r.window[:r.pos])
			r.window = grown
		} else {
			r.pos, r.given, r.round = 0, 0, true
		}
	}
	return min(r.ring(), r.pos+r.plain, r.pos+piece)
}

// unpack unpacks a piece of a chunk.
func (r *Reader) unpack() error {
	limit, from := r.room(), r.pos
	r.repeat(limit)
	valid := r.symbols(limit)
	r.plain -= r.pos - from
	r.check(r.window[from:r.pos])
	switch {
	case !valid && r.lack != nil:
		return r.lack
	case !valid:
		return ErrCorrupt
	case r.plain > 0:
		return nil
	}
	if r.span < top {
		r.code = r.code<<8 | uint32(r.in[r.at])
		r.at++
	}
	r.step = (*Reader).chunk
	if r.lack == nil && (r.at != r.end || r.code != 0 || r.left > 0) {
		return ErrCorrupt
	}
	return r.lack
}

// copyPlain copies a piece of a chunk that is not packed.
func (r *Reader) copyPlain() error {
	limit, from := r.room(), r.pos
	n, err := r.src.Read(r.window[from:limit])
	r.pos, r.plain, r.packed = from+n, r.plain-n, r.packed+int64(n)
	r.check(r.window[from:r.pos])
	if n > 0 {
		r.before = r.window[r.pos-1]
	}
	if r.plain == 0 {
		r.step = (*Reader).chunk
		return nil
	}
	return noEOF(err)
}
