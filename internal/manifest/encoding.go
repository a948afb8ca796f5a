package manifest

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/scan"
)

// decodeText makes UTF-8 without a byte order mark of a file's content. UTF-16 and UTF-32 are recognised by their marks, or else by
// where the first two characters, which are ASCII then, have bytes that are zero.
func decodeText(data []byte) []byte {
	little, big := binary.LittleEndian, binary.BigEndian
	switch {
	case bytes.HasPrefix(data, []byte(scan.BOM)):
		return data[len(scan.BOM):]
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}):
		return decodeUTF32(data[4:], little)
	case bytes.HasPrefix(data, []byte{0, 0, 0xfe, 0xff}):
		return decodeUTF32(data[4:], big)
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return decodeUTF16(data[2:], little)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return decodeUTF16(data[2:], big)
	case hasZeros(data, "x000x000"):
		return decodeUTF32(data, little)
	case hasZeros(data, "000x000x"):
		return decodeUTF32(data, big)
	case hasZeros(data, "x0x0"):
		return decodeUTF16(data, little)
	case hasZeros(data, "0x0x"):
		return decodeUTF16(data, big)
	}
	return data
}

// hasZeros reports whether the first bytes are zero where the pattern has a 0, and only there.
func hasZeros(data []byte, pattern string) bool {
	if len(data) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if (data[i] == 0) != (pattern[i] == '0') {
			return false
		}
	}
	return true
}

// decodeUTF32 turns what is no UTF-32, such as odd bytes at the end, into U+FFFD.
func decodeUTF32(data []byte, order binary.ByteOrder) []byte {
	text := make([]byte, 0, len(data)/2)
	for ; len(data) >= 4; data = data[4:] {
		text = utf8.AppendRune(text, rune(order.Uint32(data)))
	}
	if len(data) > 0 {
		text = utf8.AppendRune(text, utf8.RuneError)
	}
	return text
}

// decodeUTF16 turns what is no UTF-16, such as an odd byte at the end, into U+FFFD.
func decodeUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	text := make([]byte, 0, len(data))
	for _, r := range utf16.Decode(units) {
		text = utf8.AppendRune(text, r)
	}
	if len(data)%2 != 0 {
		text = utf8.AppendRune(text, utf8.RuneError)
	}
	return text
}
