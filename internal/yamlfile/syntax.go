package yamlfile

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxFault returns where and why text is no YAML. yaml.v3 has a line in its text only, often none, and often that at
// which the broken mapping begins; so the fault is looked for.
func SyntaxFault(text []byte, err error) (line int, message string) {
	if line, message = badByte(text); message != "" {
		return line, message
	}
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, found := strings.CutPrefix(message, "line "); found {
		number, reason, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, message = n, reason
		}
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if n := faultyLine(lines, text); n > 0 {
		line = n
	}
	if line > 0 && line <= len(lines) && indentedByTab(lines[line-1]) {
		return line, "a tab in the indentation; YAML wants spaces"
	}
	return line, "not valid YAML: " + message
}

// badByte finds the first byte that no YAML text may hold; message is "" if there is none.
func badByte(text []byte) (line int, message string) {
	bom16 := bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
	if bom16 { // yaml.v3 reads UTF-16, and places faults in it by itself
		return 0, ""
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		control := r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
		if r == utf8.RuneError && size == 1 || control {
			return 1 + bytes.Count(text[:i], []byte("\n")), "the byte 0x" + strconv.FormatUint(uint64(text[i]), 16) + " cannot stand in a text file"
		}
		i += size
	}
	return 0, ""
}

func indentedByTab(line []byte) bool {
	indentation := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	return bytes.IndexByte(indentation, '\t') >= 0
}

// faultyLine returns the line behind the longest run of lines that can be parsed by itself. From the fault on no run can,
// but shorter ones need not either, where they end inside quotes or brackets: so samples are taken, and again from the last
// good one to some behind it, until every line there was tried. 0 means that the file is too long for that.
func faultyLine(lines [][]byte, text []byte) int {
	const samples, window, longest = 32, 4, 20_000
	if len(lines) > longest {
		return 0
	}
	ends := make([]int, len(lines)+1)
	for i, l := range lines {
		ends[i+1] = ends[i] + len(l)
	}
	for good, end := 0, len(lines); ; {
		step := max(1, (end-good)/samples)
		for n := good + step; n < end; n += step {
			if parses(text[:ends[n]]) {
				good = n
			}
		}
		if step == 1 {
			return good + 1
		}
		end = min(good+window*step, end)
	}
}

func parses(text []byte) bool {
	for _, err := range roots(text) {
		if err != nil {
			return false
		}
	}
	return true
}
