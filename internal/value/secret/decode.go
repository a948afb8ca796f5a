package secret

import (
	"compress/gzip"
	"encoding/base64"
	"io"
	"net/url"
	"strings"
)

// decoded removes one encoding from a text: a data URL or base64, with gzip inside or not, or gzip
// alone. It returns "" for a text without such an encoding. all is false if the result was cut off
// because it is too large.
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
	data, _ := io.ReadAll(io.LimitReader(z, int64(limit)+1)) // data before an error is searched too
	return string(data), len(data) <= limit
}

// unescaped decodes percent encoding if all of it is valid.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// isBase64 reports whether a character belongs to a base64 alphabet.
func isBase64(c rune) bool { return c <= '~' && (isWord(byte(c)) || strings.ContainsRune("+/-=", c)) }

// fromBase64 decodes a text that is only base64, of either alphabet, with or without padding, line
// breaks and blanks; "" for any other text.
func fromBase64(text string) string {
	if strings.ContainsFunc(text, func(c rune) bool { return !isBase64(c) && !isSpace(c) }) {
		return ""
	}
	var out strings.Builder
	out.Grow(base64.RawStdEncoding.DecodedLen(len(text)))
	var part [1 << 10]byte // all of a long text would take its memory again
	var decoded [len(part) / 4 * 3]byte
	filled := 0
	decode := func() {
		// The last character may have too few bits for a byte.
		n, _ := base64.RawStdEncoding.Decode(decoded[:], part[:filled])
		out.Write(decoded[:n])
		filled = 0
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '=' || isSpace(rune(c)):
			continue
		case c == '-':
			c = '+'
		case c == '_':
			c = '/'
		}
		part[filled] = c
		if filled++; filled == len(part) {
			decode()
		}
	}
	decode()
	return out.String()
}

func isSpace(c rune) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
