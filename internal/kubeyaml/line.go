package kubeyaml

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// LineLength returns the length of the first line of a text including its line feed.
func LineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// HasOddBreaks reports whether the text has line ends of YAML 1.1 other than a line feed.
func HasOddBreaks(text []byte) bool {
	return hasLoneCR(text) || bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) ||
		bytes.Contains(text, []byte("\u2029"))
}

// hasLoneCR reports whether a carriage return alone ends a line.
func hasLoneCR(text []byte) bool {
	return bytes.IndexByte(text, '\r') >= 0 &&
		bytes.Count(text, []byte("\r")) > bytes.Count(text, []byte("\r\n"))
}

// isBlankOrBreak reports whether a byte is white space or ends a line.
func isBlankOrBreak(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// IsPlainText reports whether the text has only characters that the scanner handles.
func IsPlainText(text []byte) bool {
	if isASCIIWithoutNUL(text) {
		return !hasLoneCR(text)
	}
	return utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 && !HasOddBreaks(text)
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

// topBits returns eight bytes. The top bit of one of them is set only if one of the input bytes is
// zero or not ASCII: subtracting one from a zero byte sets its top bit.
func topBits(text []byte) uint64 {
	v := binary.LittleEndian.Uint64(text)
	return v | (v-0x0101010101010101)&^v
}
