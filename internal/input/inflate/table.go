package inflate

import "math/bits"

const (
	maxCode     = 15 // bits of the longest code
	literalBits = 11 // bits of the index of the first table of literals and lengths
	offsetBits  = 8  // the same for offsets

	// How many entries a table can need in all, with its second parts: 2342 for 288 symbols, and
	// 402 for 32. They are rounded up, so that a masked index needs no check.
	literalSize = 4096
	offsetSize  = 512
)

// An entry of a table is the meaning of a code: its flags (none for lengths and offsets), and
//
//	bits 12-26  the byte, the base of the length, the base of the offset minus one, or the start of the second table
//	bits 8-11   number of extra bits after the code, or of bits that index the second table
//	bits 0-7    number of bits of the code; 0 for an invalid code
type entry uint32

const (
	isLiteral entry = 1 << 31 // a byte
	isMore    entry = 1 << 30 // the code is longer than the index: look into the second part
	isEnd     entry = 1 << 29 // the end of the block
	// none marks a symbol that has a code but no meaning. It is in no table.
	none entry = 1 << 28
)

func (e entry) taken() uint { return uint(e & 0xff) }
func (e entry) extra() uint { return uint(e>>8) & 0xf }
func (e entry) value() int  { return int(e>>12) & 0x7fff }

// of returns the entry of a code with n bits; an invalid entry if the symbol has no meaning.
func (e entry) of(n int) entry {
	if e == none {
		return 0
	}
	return e | entry(n)
}

// alphabet returns the entry of a symbol, without the bits of its code.
type alphabet func(symbol int) entry

// literals is the alphabet of bytes, the end of the block and lengths: RFC 1951, section 3.2.5. The
// first eight lengths have no extra bits; then each group of four has one more than the group
// before, except for the last length.
func literals(symbol int) entry {
	switch n := symbol - 257; {
	case symbol < 256:
		return isLiteral | entry(symbol)<<12
	case symbol == 256:
		return isEnd
	case n < 8:
		return entry(3+n) << 12
	case n < 28:
		extra := n/4 - 1
		return entry(3+(4+n%4)<<extra)<<12 | entry(extra)<<8
	case n == 28:
		return longest << 12
	}
	return none
}

// offsets is the alphabet of the distances of copies. After the first two, each pair has one extra
// bit more than the pair before.
func offsets(symbol int) entry {
	switch {
	case symbol < 2:
		return entry(symbol) << 12
	case symbol < 30:
		extra := symbol/2 - 1
		return entry((2+symbol%2)<<extra)<<12 | entry(extra)<<8
	}
	return none
}

// plain is the alphabet of code lengths: the symbol itself.
func plain(symbol int) entry { return entry(symbol) << 12 }

// build fills a table for the codes that RFC 1951, section 3.2.2, makes of the given lengths; 0 is
// the length of a symbol without a code. It returns false for lengths that are not a complete code.
// Like zlib, it accepts a single code of one bit, and no code at all.
//
// The first 1<<width entries are the first table. As in libdeflate, codes are entered by length, and
// the table grows with them: doubling it copies the entries for n bits to the second half of the
// table for n+1 bits. Longer codes with the same beginning share a second table, whose index has as
// many bits as the longest of them needs.
func build(table []entry, width int, lengths []uint8, mean alphabet) bool {
	var count, next [maxCode + 2]int // for each length: the number of codes, and their position in sorted
	for _, n := range lengths {
		count[n]++
	}
	used, code := len(lengths)-count[0], 0
	for n := 1; n <= maxCode; n++ {
		next[n+1] = next[n] + count[n]
		code = code<<1 + count[n]
	}
	if code != 1<<maxCode && used > 0 && !(used == 1 && count[1] == 1) {
		return false
	}
	var sorted [288]uint16
	for symbol, n := range lengths {
		if n > 0 {
			sorted[next[n]] = uint16(symbol)
			next[n]++
		}
	}
	left := sorted[:used]
	code, table[0] = 0, 0
	for n := 1; n <= width; n, code = n+1, code<<1 {
		copy(table[1<<(n-1):1<<n], table)
		for _, symbol := range left[:count[n]] {
			table[reversed(code, n)] = mean(int(symbol)).of(n)
			code++
		}
		left = left[count[n]:]
	}
	// of the current second table: the bits before it, its start, the bits of its index
	low, start, more, end := -1, 0, 0, 1<<width
	for n := width + 1; len(left) > 0; n, code = n+1, code<<1 {
		for ; count[n] > 0; count[n]-- {
			at := reversed(code, n)
			if at&(1<<width-1) != low {
				low, start, more = at&(1<<width-1), end, n-width
				for free := 1<<more - count[n]; free > 0; free = free<<1 - count[width+more] {
					more++
				}
				end += 1 << more
				table[low] = isMore | entry(start)<<12 | entry(more)<<8 | entry(width)
			}
			for i := at >> width; i < 1<<more; i += 1 << (n - width) {
				table[start+i] = mean(int(left[0])).of(n - width)
			}
			left = left[1:]
			code++
		}
	}
	return true
}

// reversed reverses the bits of a code: its first bit is the highest, but comes first in the data.
func reversed(code, n int) int { return int(bits.Reverse16(uint16(code)) >> (16 - n)) }
