package kubeyaml

import (
	"bytes"
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
	const begin = "\xe2\x80" // of the last two; most texts lack it
	return hasLoneCR(text) || bytes.Contains(text, []byte("\u0085")) ||
		bytes.Contains(text, []byte(begin)) &&
			(bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029")))
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
	return utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 && !HasOddBreaks(text)
}
