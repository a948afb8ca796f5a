package kubeyaml

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// DecodeText makes UTF-8 without a byte order mark of a file's content. UTF-16 and UTF-32 are
// recognised by their marks, or else by where the first two characters, which are ASCII then, have
// bytes that are zero.
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
	zeros string // where bytes of ASCII text are zero, as a 0
	width int    // bytes
	order binary.ByteOrder
}

// decode turns what is not of the encoding, such as odd bytes at the end, into U+FFFD.
func (e encoding) decode(data []byte) []byte {
	text := make(
		[]byte, 0, len(data)+len(data)/2+utf8.UTFMax,
	) // as much as there can be: to grow would take more than twice as much
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
