package manifest

import "bytes"

// skipNoise goes over what kubectl says before its output where both went into one file.
func skipNoise(d document) document {
	for isNoise(d.text) {
		length := lineEnd(d.text, false)
		if length == 0 {
			length = len(d.text)
		}
		d.text, d.base = d.text[length:], d.base+1
	}
	return d
}

func isNoise(line []byte) bool {
	for _, begin := range []string{"Warning: ", "error: ", "Error from server", "No resources found", "Flag --", "Defaulted container "} {
		if bytes.HasPrefix(line, []byte(begin)) {
			return true
		}
	}
	return isLogLine(line)
}

// isLogLine knows klog's lines: a letter, month and day, the time.
func isLogLine(line []byte) bool {
	const shape = "I0102 15:04:05."
	if len(line) < len(shape) || bytes.IndexByte([]byte("IWEF"), line[0]) < 0 {
		return false
	}
	for i := 1; i < len(shape); i++ {
		digit := line[i] >= '0' && line[i] <= '9'
		if wantDigit := shape[i] >= '0' && shape[i] <= '9'; digit != wantDigit || !wantDigit && line[i] != shape[i] {
			return false
		}
	}
	return true
}

// skipText goes over text between JSON values: noise, and the logs that `kubectl cluster-info dump` writes between its Lists.
func (r *jsonReader) skipText() {
	for r.pos < len(r.text) && r.pos == r.lineStart {
		rest := r.text[r.pos:]
		length := 0
		if bytes.HasPrefix(rest, []byte("==== START logs for ")) {
			length = sectionLength(rest)
		} else if isNoise(rest) {
			length = lineEnd(rest, false)
			if length == 0 {
				length = len(rest)
			}
		}
		if length == 0 {
			return
		}
		r.line += bytes.Count(rest[:length], []byte{'\n'})
		r.pos += length
		r.lineStart = r.pos
		r.skipSpace()
	}
}

// sectionLength is the length of a section of logs with its last line.
func sectionLength(text []byte) int {
	end := bytes.Index(text, []byte("\n==== END logs for "))
	if end < 0 {
		return len(text)
	}
	line := lineEnd(text[end+1:], false)
	if line == 0 {
		return len(text)
	}
	return end + 1 + line
}
