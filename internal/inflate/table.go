package inflate

import "math/bits"

const (
	maxCode     = 15 // bits of the longest code
	literalBits = 11 // bits of the index into the first part of the table of literals and lengths
	offsetBits  = 8  // the same for the table of offsets

	// How many entries a table can need in all, with its second parts: 2342 for 288 symbols, and 402 for 32. They are rounded up, so
	// that a masked index needs no check.
	literalSize = 4096
	offsetSize  = 512
)

// An entry of a table says what a code stands for. Its lowest byte is the number of bits that the code takes; 0 is no code at all. What
// the other bits mean depends on the flags, which are looked at in their order here; an offset has none.
//
//	literal   bits 8-15 the byte
//	more      bits 8-11 how many more bits to look at, 16-27 where the second part of the table begins that they are an index of
//	end       nothing
//	length    bits 8-11 how many extra bits follow, 16-24 the least length
//	offset    bits 8-11 how many extra bits follow, 12-26 the least offset, less one
type entry uint32

const (
	isLiteral entry = 1 << 31
	isMore    entry = 1 << 29
	isEnd     entry = 1 << 28
	none      entry = 1 << 27 // what an alphabet says of a symbol that has codes but no meaning; it never gets into a table
)

// taken is how many bits the code takes.
func (e entry) taken() uint { return uint(e & 0xff) }

// extra is how many extra bits follow, or how many more bits to look at.
func (e entry) extra() uint { return uint(e>>8) & 0xf }

// alphabet says what a symbol stands for, without the bits of its code.
type alphabet func(symbol int) entry

// literals is the alphabet of bytes, the end of the block and lengths, RFC 1951, section 3.2.5. Of the lengths, the first eight have no
// extra bits, and then each four one more than those before, but for the last.
func literals(symbol int) entry {
	switch n := symbol - 257; {
	case symbol < 256:
		return isLiteral | entry(symbol)<<8
	case symbol == 256:
		return isEnd
	case n < 8:
		return entry(3+n) << 16
	case n < 28:
		extra := n/4 - 1
		return entry(3+(4+n%4)<<extra)<<16 | entry(extra)<<8
	case n == 28:
		return 258 << 16
	}
	return none
}

// offsets is the alphabet of how far back a copy begins. From the third on, each two have one extra bit more than those before.
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

// plain is the alphabet of the lengths of codes: the symbol itself.
func plain(symbol int) entry { return entry(symbol) << 16 }

// build fills a table for codes of the given lengths, 0 for a symbol that has none, which RFC 1951, section 3.2.2, makes of them. The
// first 1<<width entries are its first part. It is false for lengths that make no complete code; as zlib does, it takes a single code of
// one bit, and no code at all.
func build(table []entry, width int, lengths []uint8, mean alphabet) bool {
	var count, next [maxCode + 1]int
	for _, n := range lengths {
		count[n]++
	}
	code, used := 0, len(lengths)-count[0]
	for n := 1; n <= maxCode; n++ {
		code <<= 1
		next[n] = code
		code += count[n]
	}
	first := table[:1<<width]
	clear(first)
	if code != 1<<maxCode && !(used == 0 || used == 1 && count[1] == 1) {
		return false
	}
	var long [288]uint16 // the codes that are longer than width, the first bit lowest
	var most [1 << literalBits]uint8
	for symbol, length := range lengths {
		n := int(length)
		if n == 0 {
			continue
		}
		at := int(bits.Reverse16(uint16(next[n])) >> (16 - n))
		next[n]++
		if n > width {
			long[symbol] = uint16(at)
			low := at & (1<<width - 1)
			most[low] = max(most[low], length)
			continue
		}
		put(first, at, n, mean(symbol))
	}
	end := 1 << width
	for symbol, length := range lengths {
		n := int(length)
		if n <= width {
			continue
		}
		low := int(long[symbol]) & (1<<width - 1)
		if first[low] == 0 {
			more := int(most[low]) - width
			first[low] = isMore | entry(end)<<16 | entry(more)<<8 | entry(width)
			clear(table[end : end+1<<more])
			end += 1 << more
		}
		start, more := int(first[low]>>16)&0xfff, first[low].extra()
		put(table[start:start+1<<more], int(long[symbol])>>width, n-width, mean(symbol))
	}
	return true
}

// put enters a code of n bits wherever these are the lowest of the index.
func put(table []entry, at, n int, e entry) {
	if e == none {
		return
	}
	for ; at < len(table); at += 1 << n {
		table[at] = e | entry(n)
	}
}
