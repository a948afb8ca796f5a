package kubeyaml

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// DecodeText converts the content of a file to UTF-8 without a byte order mark. It recognises
// UTF-16 and UTF-32 by their marks, otherwise by the positions of the zero bytes of the first two
// characters, which must be ASCII.
func DecodeText(data []byte) []byte {
	if text, found := bytes.CutPrefix(data, []byte(BOM)); found {
		return text
	}
	encodings := [...]encoding{
		{"\xff\xfe\x00\x00", "x000x000", 4, binary.LittleEndian}, {"\x00\x00\xfe\xff", "000x000x", 4, binary.BigEndian},
		{"\xff\xfe", "x0x0", 2, binary.LittleEndian}, {"\xfe\xff", "0x0x", 2, binary.BigEndian},
	}
	for _, e := range encodings {
		if text, found := bytes.CutPrefix(data, []byte(e.mark)); found {
			return e.decode(text)
		}
	}
	for _, e := range encodings {
		if hasZeros(data, e.zeros) {
			return e.decode(data)
		}
	}
	return data
}

// encoding is one of UTF-16 or UTF-32.
type encoding struct {
	mark  string
	zeros string // pattern of the zero bytes of ASCII text, each a 0
	width int    // bytes
	order binary.ByteOrder
}

// decode converts text and replaces invalid data, such as odd bytes at the end, by U+FFFD.
func (e encoding) decode(data []byte) []byte {
	text := make(
		[]byte, 0, len(data)+len(data)/2+utf8.UTFMax,
	) // the maximum size: growing would take more than twice as much memory
	for ; len(data) >= e.width; data = data[e.width:] {
		if e.width == 4 {
			text = utf8.AppendRune(text, rune(e.order.Uint32(data)))
			continue
		}
		r := rune(e.order.Uint16(data))
		if utf16.IsSurrogate(r) {
			first := r
			if r = utf8.RuneError; len(data) >= 2*e.width {
				r = utf16.DecodeRune(first, rune(e.order.Uint16(data[e.width:])))
			}
			if r != utf8.RuneError {
				data = data[e.width:]
			}
		}
		text = utf8.AppendRune(text, r)
	}
	if len(data) > 0 {
		text = utf8.AppendRune(text, utf8.RuneError)
	}
	return text
}

// hasZeros reports whether the first bytes are zero at exactly the positions where the pattern has
// a 0.
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
