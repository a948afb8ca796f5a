package kubeyaml

import (
	"encoding/binary"
	"runtime"
	"testing"
	"unicode/utf16"
)

// TestUTF16IsDecodedAsTheLibraryDoes: with pairs of units, halves of pairs, and an odd byte.
func TestUTF16IsDecodedAsTheLibraryDoes(t *testing.T) {
	for _, units := range [][]uint16{
		{}, {'a'}, {'a', 0x20ac, 'b'}, {0xd83d, 0xde00, 'a'}, {0xd83d}, {0xd83d, 'a'}, {0xde00, 'a'}, {0xd83d, 0xd83d, 0xde00},
		{'a', 0xdbff, 0xdfff}, {0xffff, 'a'},
	} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			var text []byte
			for _, u := range units {
				text = order.AppendUint16(text, u)
			}
			want, reading := string(utf16.Decode(units)), order.(binary.ByteOrder)
			if got := string(decodeUTF16(text, reading)); got != want {
				t.Errorf("%x, %v: %q, want %q", units, order, got, want)
			}
			if got := string(decodeUTF16(append(text, 'x'), reading)); len(units) > 0 && units[len(units)-1] < 0x80 &&
				got != want+"\ufffd" {
				t.Errorf("%x, %v, and an odd byte: %q", units, order, got)
			}
		}
	}
}

// TestUTF16TakesNoMoreThanItsText: ASCII in UTF-16 is decoded in half of the memory of the text.
func TestUTF16TakesNoMoreThanItsText(t *testing.T) {
	const size = 20 << 20
	text := make([]byte, size)
	for i := 0; i < size; i += 2 {
		text[i] = 'a'
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := decodeUTF16(text, binary.LittleEndian)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; len(got) != size/2 || taken > size {
		t.Errorf("%d bytes, which took %d", len(got), taken)
	}
}
