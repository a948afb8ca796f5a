package xz

import (
	"encoding/binary"
	"math/bits"
)

const (
	top     = 1 << 24 // the range is at least this large when a bit is decoded
	even    = 1 << 10 // the model of a bit of which nothing is known
	largest = 1 << 16 // bytes of the largest packed chunk
	spare   = 32      // bytes that a symbol may read behind a chunk, and a copy may write behind the window
	copied  = 7       // the first state after a copy; those below are after a literal
)

// models are the probabilities, of 1<<11, that bits are zero. The first index of most is the state,
// which tells the sorts of the last symbols.
type models struct {
	isCopy, isLong         [16 << 4]uint16 // by state and position
	isAgain                [16]uint16
	not0, not1, not2       [16]uint16
	slots                  [4][64]uint16 // by length
	near                   [128]uint16   // the low bits of short distances
	align                  [16]uint16    // the lowest bits of long distances
	lengths, repeatLengths lengths
	literals               [16][0x300]uint16 // by position and the byte before
}

// lengths are the models of the lengths of copies, which are in one of three trees.
type lengths struct {
	notLow, notMid uint16
	low, mid       [16][8]uint16 // by position
	high           [256]uint16
}

// reset forgets all that was learned.
func (m *models) reset() {
	forget(m.isCopy[:], m.isLong[:], m.isAgain[:], m.not0[:], m.not1[:], m.not2[:], m.near[:], m.align[:])
	for _, l := range [...]*lengths{&m.lengths, &m.repeatLengths} {
		l.notLow, l.notMid = even, even
		forget(l.high[:])
		for i := range l.low {
			forget(l.low[i][:], l.mid[i][:])
		}
	}
	for i := range m.slots {
		forget(m.slots[i][:])
	}
	for i := range m.literals {
		forget(m.literals[i][:])
	}
}

func forget(all ...[]uint16) {
	for _, some := range all {
		for i := range some {
			some[i] = even
		}
	}
}

// coder decodes the symbols of chunks of LZMA data into a window, a ring of bytes. A symbol is a
// literal byte or a copy of bytes of the window.
type coder struct {
	in        [largest + spare]byte // the packed chunk
	at, end   int                   // position in it, and its size
	span      uint32                // the range of the range coder, and its code
	code      uint32
	state     uint
	distances [4]uint32 // of the last copies, less one
	left      int       // rest of the last copy
	lc        uint      // how many bits of the byte before choose a model of literals
	low       uint      // masks of the bits of positions that do it, and that choose the other models
	mask      uint
	models    models

	window []byte // the ring and, behind it, spare bytes
	pos    int    // where the next byte goes
	reach  uint32 // the largest distance that the data may use
	round  bool   // the ring was filled once
	before byte   // the last byte
}

func (c *coder) ring() int { return len(c.window) - spare }

// symbols decodes symbols until the window is filled up to limit, and reports whether the chunk
// suffices and is valid. A copy that goes beyond the limit is to be continued with repeat. A symbol
// that reads behind the end of the chunk is dropped.
//
// The state of the range coder is in local variables, and each bit of a decision is decoded in
// place: calls would take more time than the work.
func (c *coder) symbols(limit int) bool {
	in, i, m := &c.in, c.at, &c.models
	span, code := c.span, c.code
	window, pos, before, ring := c.window, c.pos, c.before, c.ring()
	state, distance := c.state, c.distances[0]
	lc, low, mask := c.lc&15, c.low, c.mask
	for pos < limit {
		position := uint(pos) & mask
		model := &m.isCopy[(state<<4|position)&255]
		if span < top {
			span, code, i = span<<8, code<<8|uint32(in[i]), i+1
		}
		v := uint32(*model)
		bound := span >> 11 * v
		if code < bound {
			span, *model = bound, uint16(v+(1<<11-v)>>5)
			literal := &m.literals[((uint(pos)&low)<<lc+uint(before)>>(8-lc))&15]
			var symbol uint
			if state < copied {
				symbol, span, code, i = tree(literal[:0x100], span, code, in, i)
				state = max(state, 3) - 3
			} else {
				src := pos - int(distance) - 1
				if src < 0 {
					src += ring
				}
				symbol, span, code, i = unlike(literal, uint(window[src]), span, code, in, i)
				state -= 3 + state/10*3
			}
			if i > c.end {
				c.pos = pos
				return false
			}
			before = byte(symbol)
			window[pos] = before
			pos++
			continue
		}
		span, code, *model = span-bound, code-bound, uint16(v-v>>5)
		afterLiteral, lengths := state < copied, &m.lengths
		model = &m.isAgain[state&15]
		if span < top {
			span, code, i = span<<8, code<<8|uint32(in[i]), i+1
		}
		v = uint32(*model)
		bound = span >> 11 * v
		again := code >= bound
		if !again {
			span, *model = bound, uint16(v+(1<<11-v)>>5)
			c.distances[3], c.distances[2], c.distances[1] = c.distances[2], c.distances[1], distance
			state = 7
		} else {
			span, code, *model = span-bound, code-bound, uint16(v-v>>5)
			lengths = &m.repeatLengths
			var one bool
			if one, span, code, i = bit(&m.not0[state&15], span, code, in, i); !one {
				one, span, code, i = bit(&m.isLong[(state<<4|position)&255], span, code, in, i)
				if !one {
					lengths = nil
				}
			} else if one, span, code, i = bit(&m.not1[state&15], span, code, in, i); !one {
				distance, c.distances[1] = c.distances[1], distance
			} else {
				former := c.distances[2]
				if one, span, code, i = bit(&m.not2[state&15], span, code, in, i); one {
					former, c.distances[3] = c.distances[3], former
				}
				distance, c.distances[1], c.distances[2] = former, distance, c.distances[1]
			}
			state = 8
		}
		size := 1
		if lengths == nil {
			state = 9
		} else {
			var rest int
			var symbol uint
			var branch []uint16
			if span < top {
				span, code, i = span<<8, code<<8|uint32(in[i]), i+1
			}
			v = uint32(lengths.notLow)
			bound = span >> 11 * v
			if code < bound {
				span, lengths.notLow = bound, uint16(v+(1<<11-v)>>5)
				branch, rest = lengths.low[position&15][:], 2-8
			} else {
				span, code, lengths.notLow = span-bound, code-bound, uint16(v-v>>5)
				if span < top {
					span, code, i = span<<8, code<<8|uint32(in[i]), i+1
				}
				v = uint32(lengths.notMid)
				bound = span >> 11 * v
				if code < bound {
					span, lengths.notMid = bound, uint16(v+(1<<11-v)>>5)
					branch, rest = lengths.mid[position&15][:], 10-8
				} else {
					span, code, lengths.notMid = span-bound, code-bound, uint16(v-v>>5)
					branch, rest = lengths.high[:], 18-256
				}
			}
			symbol, span, code, i = tree(branch, span, code, in, i)
			size = int(symbol) + rest
		}
		if !again {
			var symbol uint
			symbol, span, code, i = tree(m.slots[min(size-2, 3)&3][:], span, code, in, i)
			distance = uint32(symbol) - 64
			if slot := distance; slot >= 4 {
				n, branch := slot>>1-1, m.align[:]
				distance = 2 | slot&1
				if slot < 14 {
					distance <<= n
					branch = m.near[distance-slot:][:1<<n]
				} else {
					for ; n > 4; n-- {
						if span < top {
							span, code, i = span<<8, code<<8|uint32(in[i]), i+1
						}
						span >>= 1
						code -= span
						minus := -(code >> 31)
						code += span & minus
						distance = distance<<1 + minus + 1
					}
					distance <<= 4
				}
				symbol, span, code, i = tree(branch, span, code, in, i)
				distance += bits.Reverse32(uint32(symbol) << (32 - n))
			}
		}
		if !afterLiteral {
			state = 10 + state>>3 // 10 after a new distance, else 11
		}
		if i > c.end || distance >= c.reach || !c.round && distance >= uint32(pos) {
			c.pos = pos
			return false
		}
		src := pos - int(distance) - 1
		if src < 0 {
			src += ring
		}
		if size > min(limit-pos, ring-src) {
			c.pos, c.left, c.distances[0] = pos, size, distance
			c.repeat(limit)
			pos, before = c.pos, c.before
			continue
		}
		copyWithin(window[pos:], window[src:], int(distance)+1, size)
		pos += size
		before = window[pos-1]
	}
	c.at, c.span, c.code, c.state, c.distances[0], c.pos, c.before = i, span, code, state, distance, pos, before
	return true
}

// bit decodes a bit, where time matters less.
func bit(model *uint16, span, code uint32, in *[largest + spare]byte, i int) (bool, uint32, uint32, int) {
	if span < top {
		span, code, i = span<<8, code<<8|uint32(in[i]), i+1
	}
	v := uint32(*model)
	bound := span >> 11 * v
	if code < bound {
		*model = uint16(v + (1<<11-v)>>5)
		return false, bound, code, i
	}
	*model = uint16(v - v>>5)
	return true, span - bound, code - bound, i
}

// tree decodes a symbol with a tree of models, one for each of its bits and the bits before; the
// first bit of the symbol is one. It has no branches that depend on the data, but loads the models
// of both bits that can come next.
func tree(models []uint16, span, code uint32, in *[largest + spare]byte, i int) (uint, uint32, uint32, int) {
	symbol, half := uint(1), uint(len(models))/2
	for v := uint32(models[1]); ; {
		if span < top {
			span, code, i = span<<8, code<<8|uint32(in[i]), i+1
		}
		bound := span >> 11 * v
		zero := uint32((int64(code) - int64(bound)) >> 63) // all bits, if the bit is zero
		rest := span - bound
		span = rest + (bound-rest)&zero
		code += bound&zero - bound
		now := symbol
		learned := uint16(v - uint32(int32(v-zero&(1<<11-31))>>5))
		symbol = symbol<<1 + 1 + uint(int32(zero))
		if now >= half {
			models[now] = learned
			return symbol, span, code, i
		}
		v0, v1 := uint32(models[now<<1]), uint32(models[now<<1+1])
		v = v1 ^ (v0^v1)&zero
		models[now] = learned
	}
}

// unlike decodes a literal after a copy. The byte that would continue the copy chooses the models,
// until the first bit that differs.
func unlike(models *[0x300]uint16, like uint, span, code uint32, in *[largest + spare]byte, i int) (
	uint, uint32, uint32, int,
) {
	symbol, alike := uint(1), uint(0x100)
	for symbol < 0x100 {
		like <<= 1
		bit := like & alike
		model := &models[alike+bit+symbol]
		if span < top {
			span, code, i = span<<8, code<<8|uint32(in[i]), i+1
		}
		v := uint32(*model)
		bound := span >> 11 * v
		if code < bound {
			span, *model = bound, uint16(v+(1<<11-v)>>5)
			symbol <<= 1
			alike &^= bit
		} else {
			span, code, *model = span-bound, code-bound, uint16(v-v>>5)
			symbol = symbol<<1 | 1
			alike = bit
		}
	}
	return symbol, span, code, i
}

// copyWithin writes size bytes from a distance back. It may write up to 15 bytes too many. Short
// copies go by words; each copied word doubles a distance that is shorter.
func copyWithin(to, from []byte, distance, size int) {
	if size > 32 && distance >= 16 {
		for ; size > distance; distance *= 2 {
			copy(to[:distance], from)
			to, size = to[distance:], size-distance
		}
		copy(to[:size], from)
		return
	}
	for ; distance < 8; distance *= 2 {
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
		to, size = to[distance:], size-distance
	}
	for ; size > 0; size -= 8 {
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
		from, to = from[8:], to[8:]
	}
}

// repeat continues the last copy up to the limit. It writes no byte too many.
func (c *coder) repeat(limit int) {
	distance := int(c.distances[0]) + 1
	for c.left > 0 && c.pos < limit {
		src := c.pos - distance
		if src < 0 {
			src += c.ring()
		}
		n := copy(c.window[c.pos:min(limit, c.pos+c.left)], c.window[src:min(c.ring(), src+distance)])
		c.pos, c.left = c.pos+n, c.left-n
	}
	if c.pos > 0 {
		c.before = c.window[c.pos-1]
	}
}
