package inflate

import "encoding/binary"

// fast unpacks codes while there is enough input and output, and reports whether the last code
// ended the block. At the head of the loop, e is the entry of the next code, and at least 56 bits
// are buffered, including that code. They suffice for three literals with codes of the first table,
// or one of the second, and for a length and an offset, which take at most 48 bits with their extra
// bits. Each refill takes at most 8 bytes of input. A round refills at most three times, and makes
// three bytes, or a copy and two bytes.
func (r *Reader) fast() (end bool, err error) {
	const inputRound, outputRound = 4 * 8, room + 2
	in, i, to, o := r.in, r.at, r.to, r.filled
	if len(in)-i < inputRound || len(to)-o < outputRound {
		return false, nil
	}
	lits, offs := &r.lits, &r.offs
	bits, n, i := refilled(in, r.bits, r.n, i)
	e := lits[bits&(1<<literalBits-1)]
	for len(in)-i >= inputRound && len(to)-o >= outputRound {
		if e&isLiteral != 0 {
			to[o] = byte(e >> 12)
			o++
			bits, n = bits>>(e.taken()&63), n-e.taken()
			if e = lits[bits&(1<<literalBits-1)]; e&isLiteral != 0 {
				to[o] = byte(e >> 12)
				o++
				bits, n = bits>>(e.taken()&63), n-e.taken()
				if e = lits[bits&(1<<literalBits-1)]; e&isLiteral != 0 {
					to[o] = byte(e >> 12)
					o++
					bits, n, i = refilled(in, bits>>(e.taken()&63), n-e.taken(), i)
					e = lits[bits&(1<<literalBits-1)]
					continue
				}
			}
			bits, n, i = refilled(in, bits, n, i) // e stays valid: its bits were buffered
		}
		if e&isMore != 0 {
			bits, n = bits>>literalBits, n-literalBits
			e = lits[(uint(e>>12)+uint(bits)&(1<<e.extra()-1))&(literalSize-1)]
			if e&isLiteral != 0 {
				to[o] = byte(e >> 12)
				o++
				bits, n, i = refilled(in, bits>>(e.taken()&63), n-e.taken(), i)
				e = lits[bits&(1<<literalBits-1)]
				continue
			}
		}
		if e.taken() == 0 {
			err = ErrCorrupt
			break
		}
		bits, n = bits>>(e.taken()&63), n-e.taken()
		if e&isEnd != 0 {
			end, r.step = true, (*Reader).header
			break
		}
		length := int(e>>12) + int(bits&(1<<e.extra()-1))
		bits, n = bits>>e.extra(), n-e.extra()
		e = offs[bits&(1<<offsetBits-1)]
		if e&isMore != 0 {
			bits, n = bits>>offsetBits, n-offsetBits
			e = offs[(uint(e>>12)+uint(bits)&(1<<e.extra()-1))&(offsetSize-1)]
		}
		if e.taken() == 0 {
			err = ErrCorrupt
			break
		}
		bits, n = bits>>(e.taken()&63), n-e.taken()
		offset := int(e>>12) + 1 + int(bits&(1<<e.extra()-1))
		bits, n, i = refilled(in, bits>>e.extra(), n-e.extra(), i)
		e = lits[bits&(1<<literalBits-1)] // looked up before the copy, to hide the latency
		if offset > o {
			if r.filled = o; r.copy(offset, length) != nil {
				err = ErrCorrupt
				break
			}
			o = r.filled
			continue
		}
		repeat(to[o-offset:], offset, length)
		o += length
	}
	r.bits, r.n, r.at, r.filled = bits, n, i, o
	return end, err
}

// refilled fills up bits, which has n bits, from in[i:]. It may put more bits above the 56 to 63
// that it counts. They are the next bits of the input, so adding them again does no harm.
func refilled(in []byte, bits uint64, n uint, i int) (uint64, uint, int) {
	return bits | binary.LittleEndian.Uint64(in[i:])<<(n&63), n | 56, i + int((63-n)>>3)
}

// repeat appends copies of the first offset bytes to them, length bytes in total (at least 3). Each
// copied word doubles the source, until it is a whole word. It writes up to 8 bytes too many.
func repeat(from []byte, offset, length int) {
	to := from[offset:]
	if length > 32 && length <= offset {
		copy(to[:length], from)
		return
	}
	for ; offset < 8; offset *= 2 {
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
		to, length = to[offset:], length-offset
	}
	for ; length > 0; length -= 8 {
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
		from, to = from[8:], to[8:]
	}
}
