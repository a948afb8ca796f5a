package secret

import (
	"bytes"
	"compress/gzip"
	"html"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decoded returns what is encoded in a text in one way or another, one layer of it. What is no encoding of anything is not decoded, as
// far as that can be told without doing it.
func (s *search) decoded(text string, has signs) []string {
	var found []string
	if has&escapes != 0 {
		head, data, isURL := strings.Cut(text, ",")
		if !isURL || !strings.HasPrefix(head, "data:") { // which would make it no document of YAML
			data = text
		}
		if plain := unescaped(data); plain != text {
			found = append(found, plain)
		}
		found = append(found, dataURLs(data)...)
	}
	if has&zero != 0 {
		found = append(found, strings.ReplaceAll(text, "\x00", ""))
	}
	if has&packed != 0 {
		found = append(found, s.uncompressed(text)...)
	}
	return append(found, fromBase64(text)...)
}

// dataURLs returns what the data URLs among a text hold, each by itself.
func dataURLs(text string) (found []string) {
	const longest = 200 // bytes of a head
	for {
		_, after, isURL := strings.Cut(text, "data:")
		if !isURL {
			return found
		}
		text = after
		if comma := strings.IndexByte(after[:min(longest, len(after))], ','); comma >= 0 {
			data := after[comma+1:]
			if end := strings.IndexAny(data, " \t\r\n\"'\\<>"); end >= 0 {
				data = data[:end]
			}
			found, text = append(found, unescaped(data)), after[comma+1+len(data):]
		}
	}
}

// unescaped takes away escapes of HTML, URLs and strings in YAML, JSON and other languages. What looks like one and is none stays.
func unescaped(text string) string {
	if strings.Contains(text, "&") && strings.Contains(text, ";") {
		text = html.UnescapeString(text)
	}
	if !strings.ContainsAny(text, `%\`) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for at := 0; at < len(text); {
		c := text[at]
		switch {
		case c == '%' && at+2 < len(text):
			if code, err := strconv.ParseUint(text[at+1:at+3], 16, 8); err == nil {
				b.WriteByte(byte(code))
				at += 3
				continue
			}
		case c == '\\' && at+1 < len(text):
			at += 1 + unescape(&b, text[at+1:])
			continue
		}
		b.WriteByte(c)
		at++
	}
	return b.String()
}

// unescape writes what stands behind a backslash, and returns how long that is.
func unescape(b *strings.Builder, text string) int {
	switch c := text[0]; c {
	case 'n', 'r', 't', 'N', 'L', 'P':
		b.WriteByte('\n')
		return 1
	case 'x':
		return hexadecimal(b, text, 2)
	case 'u':
		return hexadecimal(b, text, 4)
	case 'U':
		return hexadecimal(b, text, 8)
	case '\r', '\n': // a line goes on
		return len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	case '0', '1', '2', '3':
		end := 1
		for end < min(3, len(text)) && text[end] >= '0' && text[end] <= '7' {
			end++
		}
		code, _ := strconv.ParseUint(text[:end], 8, 8)
		b.WriteByte(byte(code))
		return end
	default:
		b.WriteByte(c)
		return 1
	}
}

// hexadecimal writes the character of an escape with so many digits, or with any number of them in braces.
func hexadecimal(b *strings.Builder, text string, digits int) int {
	end := 1 + digits
	number := text[1:min(end, len(text))]
	if strings.HasPrefix(number, "{") {
		inner, _, closed := strings.Cut(text[2:min(len(text), len("u{00000053}"))], "}")
		if closed {
			number, end = inner, len("x{}")+len(inner)
		}
	}
	code, err := strconv.ParseUint(number, 16, 32)
	switch {
	case err != nil || code > utf8.MaxRune:
		b.WriteByte(text[0])
		return 1
	case utf16.IsSurrogate(rune(code)): // not a letter of these words
		b.WriteRune(utf8.RuneError)
	default:
		b.WriteRune(rune(code))
	}
	return min(end, len(text))
}

const gzipMagic = "\x1f\x8b\x08"

// uncompressed returns what is compressed with gzip in a text, as far as there may be more work.
func (s *search) uncompressed(text string) []string {
	const beginning = 16 << 10 // bytes that beginning is worth
	var found []string
	for at := strings.Index(text, gzipMagic); at >= 0 && s.spend(beginning); at = strings.Index(text, gzipMagic) {
		text = text[at:]
		if z, err := gzip.NewReader(strings.NewReader(text)); err == nil {
			inner, _ := io.ReadAll(io.LimitReader(z, int64(max(s.left, 0))+1)) // what stands before a fault is looked at
			s.spend(len(inner))
			found = append(found, string(inner))
		}
		text = text[len(gzipMagic):]
	}
	return found
}

// fromBase64 returns what is in base64 in a text, of either alphabet, with padding or without, in lines, with blanks, or among other
// text. Nobody can tell where base64 begins among words, which are of its alphabet too: so each of the four possible beginnings is
// tried, and the text without all characters that are not of the alphabet.
func fromBase64(text string) []string {
	hot := readable(text)
	if hot == [4]bool{} {
		return nil
	}
	var found []string
	all := make([]byte, 0, len(text)) // the values of all characters of the alphabets
	for at := 0; at < len(text); at++ {
		begin, first := at, len(all)
		for ; at < len(text); at++ {
			if v := alphabet(text[at]); v >= 0 {
				all = append(all, byte(v))
			} else if strings.IndexByte(" \n\r\t", text[at]) < 0 {
				break
			}
		}
		if at-begin > shortest {
			found = append(found, decodeBase64(all[first:]))
		}
	}
	for start, isHot := range hot {
		if isHot && start < len(all) {
			found = append(found, decodeBase64(all[start:]))
		}
	}
	return found
}

// readable reports which of the four beginnings of base64 in a text make something worth looking at: 12 bytes of ASCII in a row, or
// the beginning of compressed data. It is asked of every text that is shown, so it looks at the highest bits only: those of the three
// bytes of four characters are the highest of the first, the third of the second and the fifth of the third.
func readable(text string) (hot [4]bool) {
	const gzipped = 0x1f8b08
	var window, ascii uint32 // the last four characters; for each of the last, whether it ended three bytes of ASCII
	n := 0
	for i := range len(text) {
		v := alphabet(text[i])
		if v < 0 {
			continue
		}
		n++
		window, ascii = (window<<6|uint32(v))&0xffffff, ascii<<1
		if window&0x808080 == 0 {
			ascii |= 1
		}
		if n >= 4 && (ascii&0x1111 == 0x1111 || window == gzipped) {
			hot[n%4] = true
		}
	}
	return hot
}

// alphabet is the value of a character of base64, of either alphabet, or -1.
func alphabet(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '+' || c == '-':
		return 62
	case c == '/' || c == '_':
		return 63
	}
	return -1
}

// decodeBase64 puts together what characters of these values stand for. A last character that is too few
// bits for a byte is left out, and so is what cannot hold a manifest.
func decodeBase64(values []byte) string {
	data := make([]byte, 0, len(values)/4*3+2)
	for ; len(values) >= 4; values = values[4:] {
		data = append(data, values[0]<<2|values[1]>>4, values[1]<<4|values[2]>>2, values[2]<<6|values[3])
	}
	if len(values) > 1 {
		data = append(data, values[0]<<2|values[1]>>4)
	}
	if len(values) > 2 {
		data = append(data, values[1]<<4|values[2]>>2)
	}
	return legible(data)
}

// legible is what can hold a manifest of bytes that were decoded: all of them where they are text, and else the pieces of text of a
// length that it takes, and what begins like compressed data. The rest would be decoded again and again, to nothing.
func legible(data []byte) string {
	if utf8.Valid(data) {
		return strings.TrimPrefix(string(data), "\ufeff")
	}
	packed := len(data)
	if i := bytes.Index(data, []byte(gzipMagic)); i >= 0 {
		packed = i
	}
	var pieces []byte
	for at := 0; at < packed; at++ {
		begin := at
		for r, size := utf8.DecodeRune(data[at:packed]); size > 1 || r != utf8.RuneError; r, size = utf8.DecodeRune(data[at:packed]) {
			at += size
		}
		if at-begin >= shortest {
			pieces = append(append(pieces, data[begin:at]...), '\n')
		}
	}
	return string(append(pieces, data[packed:]...))
}
