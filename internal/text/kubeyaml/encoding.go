package kubeyaml

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// BOM is the byte order mark of UTF-8.
const BOM = "\xef\xbb\xbf"

// DecodeText converts the content of a file to UTF-8 without a byte order mark, with a line feed
// for each carriage return that ends a line alone. It recognises UTF-32 and UTF-16 by their byte
// order marks, or else by the zero bytes of the first two characters, which must be ASCII.
func DecodeText(data []byte) []byte {
	if text, found := bytes.CutPrefix(data, []byte(BOM)); found {
		return withLineFeeds(text)
	}
	for _, e := range []struct {
		mark  string
		order binary.ByteOrder
	}{{"\xff\xfe\x00\x00", binary.LittleEndian}, {"\x00\x00\xfe\xff", binary.BigEndian}} {
		isASCII := func(unit []byte) bool { c := e.order.Uint32(unit); return c > 0 && c < utf8.RuneSelf }
		text, found := bytes.CutPrefix(data, []byte(e.mark))
		if found || len(data) >= 8 && isASCII(data) && isASCII(data[4:]) {
			return withLineFeeds(decodeUTF32(text, e.order))
		}
	}
	for _, e := range []struct {
		mark  string
		order binary.ByteOrder
	}{{"\xff\xfe", binary.LittleEndian}, {"\xfe\xff", binary.BigEndian}} {
		isASCII := func(unit []byte) bool { c := e.order.Uint16(unit); return c > 0 && c < 0x80 }
		text, found := bytes.CutPrefix(data, []byte(e.mark))
		if found || len(data) >= 4 && isASCII(data) && isASCII(data[2:]) {
			return withLineFeeds(decodeUTF16(text, e.order))
		}
	}
	return withLineFeeds(data)
}

// decodeUTF16 converts text and replaces invalid data, such as an odd byte at the end, by U+FFFD.
func decodeUTF16(text []byte, order binary.ByteOrder) []byte {
	const size = 2
	out := make([]byte, 0, len(text)/size+1)
	for ; len(text) >= size; text = text[size:] {
		r := rune(order.Uint16(text))
		if utf16.IsSurrogate(r) && len(text) >= 2*size {
			r = utf16.DecodeRune(r, rune(order.Uint16(text[size:])))
		}
		if r > math.MaxUint16 { // two units
			text = text[size:]
		}
		out = utf8.AppendRune(out, r)
	}
	if len(text) > 0 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}

// decodeUTF32 converts text and replaces invalid data, such as an incomplete character at the end,
// by U+FFFD.
func decodeUTF32(text []byte, order binary.ByteOrder) []byte {
	const size = 4
	out := make([]byte, 0, len(text)/size+1)
	for ; len(text) >= size; text = text[size:] {
		out = utf8.AppendRune(out, rune(min(order.Uint32(text), utf8.MaxRune+1)))
	}
	if len(text) > 0 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}

// withLineFeeds replaces each carriage return that ends a line alone. YAML and JSON do not
// distinguish it from a line feed.
func withLineFeeds(text []byte) []byte {
	if !hasLoneCR(text) {
		return text
	}
	text = bytes.Clone(text)
	for i, c := range text {
		if c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			text[i] = '\n'
		}
	}
	return text
}
