package manifest

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeText makes UTF-8 without a byte order mark of a file's content. UTF-16 is recognised by its mark.
func decodeText(data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, []byte(bomUTF8)):
		return data[len(bomUTF8):]
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return decodeUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return decodeUTF16(data[2:], binary.BigEndian)
	}
	return data
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
