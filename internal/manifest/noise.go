package manifest

import (
	"bytes"

	"github.com/validationtool/validationtool/internal/collector"
)

// skipNoise goes over what kubectl says before its output where both went into one file.
func skipNoise(d document) document {
	for collector.IsNoise(d.text) {
		length := lineEnd(d.text, false)
		if length == 0 {
			length = len(d.text)
		}
		d.text, d.base = d.text[length:], d.base+1
	}
	return d
}

// skipText goes over text between JSON values: noise, and sections of logs.
func (r *jsonReader) skipText() {
	for r.pos < len(r.text) && r.pos == r.lineStart {
		rest := r.text[r.pos:]
		length := collector.LogSection(rest)
		if length == 0 && !collector.IsNoise(rest) {
			return
		}
		if end := lineEnd(rest[length:], false); end > 0 {
			length += end
		} else {
			length = len(rest)
		}
		r.line += bytes.Count(rest[:length], []byte{'\n'})
		r.pos += length
		r.lineStart = r.pos
		r.skipSpace()
	}
}
