package kubeyaml

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// BOM is the byte order mark of UTF-8.
const BOM = "\xef\xbb\xbf"

// LineEnd returns the length of the first line including its end, or 0 if it has no end. The caller
// says whether the text contains carriage returns, found once for the text.
func LineEnd(text []byte, carriage bool) int {
	if !carriage {
		return bytes.IndexByte(text, '\n') + 1
	}
	i := bytes.IndexAny(text, "\r\n")
	if i >= 0 && text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
		i++
	}
	return i + 1
}

// HasOddBreaks reports whether the text has line ends of YAML 1.1 that editors do not count as
// such.
func HasOddBreaks(text []byte) bool {
	return bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) ||
		bytes.Contains(text, []byte("\u2029"))
}

// IsBlankOrBreak reports whether a byte is white space or ends a line.
func IsBlankOrBreak(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// IsPlainText reports whether the text has only characters that the scanner handles.
func IsPlainText(text []byte) bool {
	if !isASCIIWithoutNUL(text) && (!utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 || HasOddBreaks(text)) {
		return false
	}
	return !HasLoneCR(text)
}

// isASCIIWithoutNUL checks 32 bytes at a time, because it reads every byte of every file.
func isASCIIWithoutNUL(text []byte) bool {
	const step = 4 * 8
	var found uint64
	for ; len(text) >= step; text = text[step:] {
		found |= topBits(text) | topBits(text[8:]) | topBits(text[16:]) | topBits(text[24:])
	}
	for _, c := range text {
		if c == 0 || c >= utf8.RuneSelf {
			return false
		}
	}
	return found&0x8080808080808080 == 0
}

// topBits returns eight bytes, one of which has its top bit set only if one of the input bytes is
// zero or not ASCII: subtracting one from a zero byte sets its top bit.
func topBits(text []byte) uint64 {
	v := binary.LittleEndian.Uint64(text)
	return v | (v-0x0101010101010101)&^v
}

// HasLoneCR reports whether a carriage return alone ends a line.
func HasLoneCR(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '\r')
		if i < 0 {
			return false
		}
		if i+1 == len(text) || text[i+1] != '\n' {
			return true
		}
		text = text[i+1:]
	}
}
