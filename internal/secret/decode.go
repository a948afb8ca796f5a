package secret

import (
	"compress/gzip"
	"encoding/base64"
	"io"
	"net/url"
	"strings"
)

// decoded returns what a text as a whole holds: in a data URL or in base64, compressed with gzip or
// not, or compressed alone; "" where it is none of these. One such encoding is taken off. It
// reports whether that is all: what unpacks to very much is cut off.
func decoded(text string) (inner string, all bool) {
	head, body, _ := strings.Cut(strings.TrimSpace(text), ",")
	head = strings.ToLower(head)
	switch {
	case !strings.HasPrefix(head, "data:"):
		inner = fromBase64(text)
	case strings.HasSuffix(head, ";base64"):
		inner = fromBase64(unescaped(body))
	default:
		inner = unescaped(body)
	}
	packed := inner
	if packed == "" {
		packed = text
	}
	if !strings.HasPrefix(packed, "\x1f\x8b") {
		return inner, true
	}
	z, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		return inner, true
	}
	limit := min(64<<10+128*len(text), 64<<20)
	data, _ := io.ReadAll(io.LimitReader(z, int64(limit)+1)) // what stands before a fault is looked at
	return string(data), len(data) <= limit
}

// unescaped puts in the bytes that percent signs stand for, if all do.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// isBase64 reports whether a character is one of base64, of either alphabet.
func isBase64(c rune) bool { return c <= '~' && (isWord(byte(c)) || strings.ContainsRune("+/-=", c)) }

// fromBase64 returns what is in base64 in a text of nothing else: of either alphabet, with padding
// or without, in lines or with blanks; "" for another text.
func fromBase64(text string) string {
	plain := make([]byte, 0, len(text))
	for _, c := range text {
		switch {
		case strings.ContainsRune(" \t\r\n=", c):
			continue
		case !isBase64(c):
			return ""
		case c == '-':
			c = '+'
		case c == '_':
			c = '/'
		}
		plain = append(plain, byte(c))
	}
	data, _ := base64.RawStdEncoding.DecodeString(string(plain)) // a last character may be too few bits for a byte
	return string(data)
}
