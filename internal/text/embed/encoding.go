package embed

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"
)

// The encodings of documents as references name them.
const (
	Base64  = "base64"
	DataURL = "dataurl"
	Gzip    = "gzip" // in base64 or a data URL
	Auto    = "auto" // any encoding that is recognised
)

// maxLayers is the largest number of nested encodings.
const maxLayers = 4

// unwrap decodes a text. A text in a known encoding may be compressed as well.
func (r *Reader) unwrap(text, encoding string) (d Document, err error) {
	data := []byte(text)
	switch {
	case encoding == DataURL && !isDataURL(text):
		return d, errors.New("it is not a data URL")
	case encoding == DataURL || encoding == Gzip && isDataURL(text):
		data, err = d.dataURL(text)
	case encoding == Base64 || encoding == Gzip:
		data, err = d.base64(text)
	}
	for n := 0; err == nil && encoding == Auto && d.isEncodedAgain(data); n++ {
		if n == maxLayers {
			return d, fmt.Errorf("it has more than %d nested encodings", maxLayers)
		}
		data, err = r.decodeOnce(&d, data)
	}
	compressed := isGzip(data)
	if err == nil && encoding != Auto && compressed {
		data, err = r.decodeOnce(&d, data)
	}
	switch {
	case err != nil:
		return d, err
	case encoding == Gzip && !compressed:
		return d, errors.New("it is not compressed with gzip")
	case !utf8.Valid(data):
		return d, errors.New("it is not valid UTF-8 text")
	}
	d.Text = strings.TrimPrefix(string(data), "\ufeff")
	return d, nil
}

// isEncodedAgain reports whether the data is encoded once more. Ordinary words may look like
// base64, so base64 counts only if it contains gzip data or readable text.
func (d *Document) isEncodedAgain(data []byte) bool {
	text := string(data)
	if isGzip(data) || isDataURL(text) {
		return true
	}
	if !isBase64(text) {
		return false
	}
	inner, err := new(Document).base64(text)
	return err == nil && (isGzip(inner) || utf8.Valid(inner) && isPrintable(string(inner)))
}

// decodeOnce decodes one encoding.
func (r *Reader) decodeOnce(d *Document, data []byte) ([]byte, error) {
	switch text := string(data); {
	case isGzip(data):
		return r.gunzip(d, data)
	case isDataURL(text):
		return d.dataURL(text)
	default:
		return d.base64(text)
	}
}

func isDataURL(text string) bool {
	const scheme = "data:"
	return len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) && strings.Contains(text, ",")
}

// dataURL decodes a data URL (RFC 2397) in base64 or percent encoding.
func (d *Document) dataURL(text string) ([]byte, error) {
	d.Layers = append(d.Layers, "data URL")
	head, body, _ := strings.Cut(text, ",")
	data, err := url.PathUnescape(body)
	if err != nil {
		return nil, errors.New("a percent sign of its data is not followed by two hexadecimal digits")
	}
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), ";base64") {
		return d.base64(data)
	}
	return []byte(data), nil
}

// shortestBase64 is the shortest text that is recognised as base64.
const shortestBase64 = 16

// isBase64 reports whether a text has only characters of base64 and line breaks.
func isBase64(text string) bool {
	body := strings.TrimRight(text, "=\r\n")
	if len(body) < shortestBase64-2 {
		return false
	}
	for i := range len(body) {
		c := body[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("+/-_\r\n", c) >= 0) {
			return false
		}
	}
	return true
}

// Settle returns two texts in an encoding, "" for Auto. Where that leaves the encoding open, and one
// text is base64 of exactly the other, it returns the other for both. Alone, a text that is as short
// as a word does not count as base64.
func Settle(left, right, encoding string) (string, string) {
	holds := func(text, content string) bool {
		data, err := new(Document).base64(text)
		return err == nil && len(data) > 0 && string(data) == content
	}
	switch {
	case encoding != "" && encoding != Auto:
	case holds(left, right):
		return right, right
	case holds(right, left):
		return left, left
	}
	return left, right
}

// base64 decodes base64 of either alphabet, with or without padding and line breaks.
func (d *Document) base64(text string) ([]byte, error) {
	d.Layers = append(d.Layers, "base64")
	plain := strings.NewReplacer(" ", "", "\n", "", "\r", "", "\t", "", "-", "+", "_", "/").Replace(text)
	body := strings.TrimRight(plain, "=")
	padding := len(plain) - len(body)
	data, err := base64.RawStdEncoding.DecodeString(body)
	if err != nil || padding > 0 && len(plain)%4 != 0 {
		return nil, errors.New("it is not valid base64")
	}
	return data, nil
}

func isGzip(data []byte) bool { return bytes.HasPrefix(data, []byte("\x1f\x8b")) }

// gunzip decompresses gzip data. The size of the result is limited in relation to the data.
func (r *Reader) gunzip(d *Document, data []byte) ([]byte, error) {
	const least, ratio, most = 1 << 20, 50, 16 << 20
	d.Layers = append(d.Layers, "gzip")
	limit := min(least+ratio*int64(len(data)), most, r.Left)
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("it starts like gzip data, but is not valid gzip")
	}
	out, err := io.ReadAll(io.LimitReader(z, limit+1))
	switch {
	case int64(len(out)) > limit:
		return nil, fmt.Errorf("its gzip data unpacks to more than %d bytes", limit)
	case err != nil:
		return nil, errors.New("its gzip data is damaged or cut off")
	}
	return out, r.spend(len(out))
}
