package kubeyaml

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// BOM is the byte order mark of UTF-8.
const BOM = "\xef\xbb\xbf"

// LineEnd is the length of the first line with its end, or 0 if it has none. Whether there are
// carriage returns at all is the caller's to know, once for the text.
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

// HasOddBreaks reports whether the text has line ends of YAML 1.1 that no editor counts as such.
func HasOddBreaks(text []byte) bool {
	return bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) ||
		bytes.Contains(text, []byte("\u2029"))
}

// IsBlankOrBreak reports whether a byte is a blank or ends a line.
func IsBlankOrBreak(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// IsPlainText reports whether the text has none of what the scanner does not look at.
func IsPlainText(text []byte) bool {
	if !isASCIIWithoutNUL(text) && (!utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 || HasOddBreaks(text)) {
		return false
	}
	return !HasLoneCR(text)
}

// isASCIIWithoutNUL looks at 32 bytes at a time: each of them is looked at, of most files more than
// once, and this is the first time.
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

// topBits is eight bytes in which the top bit of one is set only if one of them is zero or no
// ASCII: where a byte is zero, taking one away sets it.
func topBits(text []byte) uint64 {
	v := binary.LittleEndian.Uint64(text)
	return v | (v-0x0101010101010101)&^v
}

// HasLoneCR reports whether a carriage return ends a line by itself.
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
