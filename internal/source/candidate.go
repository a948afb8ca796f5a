package source

import (
	"bytes"
	"strings"

	"github.com/validationtool/validationtool/internal/collector"
)

// Candidate is the usual Options.Want: it leaves out what collector.LeftOut says, and looks into files whose name says nothing. Empty files
// are passed over, but for those where a collector writes objects. The size only matters where the name does not rule a file out.
func Candidate(name string, size int64) Decision {
	if size > 0 && size < mostMoment && collector.IsMoment(name) {
		return Decision{Action: Read}
	}
	if reason := collector.LeftOut(name); reason != "" {
		return Decision{Skip, reason}
	}
	if size == 0 {
		if _, ok := collector.IDOf(name); !ok {
			return Decision{Skip, ReasonEmpty}
		}
	}
	if collector.IsObjectExtension(collector.Extension(name)) {
		return Decision{Action: Read}
	}
	return Decision{Action: Sniff}
}

// mostMoment is how large a file can be in which a collector says when it ran.
const mostMoment = 4096

// headSize is how much of a file is looked at to find out what it is.
const headSize = 512

// LooksLikeObjects says whether a file that begins with these bytes (512 are enough) may hold Kubernetes objects: YAML or JSON
// that names an apiVersion or a kind, or begins with the items of a List. It is for files whose name says nothing: it takes no log
// for objects, at the price of missing objects whose apiVersion and kind stand far below.
func LooksLikeObjects(first []byte) bool {
	first = plainText(first)
	rest := content(first)
	if len(rest) == 0 {
		return false
	}
	if rest[0] == '{' || rest[0] == '[' {
		return beginsLikeJSON(rest) && hasJSONKey(rest) && !bytes.Contains(rest, []byte("audit.k8s.io"))
	}
	if bytes.HasPrefix(rest, []byte("- ")) {
		rest = bytes.TrimLeft(rest[1:], " ")
	}
	if !beginsWithKey(rest) {
		return false
	}
	for line := range bytes.Lines(rest) {
		line = bytes.TrimLeft(line, " -")
		for _, key := range []string{"apiVersion:", "kind:", "items:"} {
			if bytes.HasPrefix(line, []byte(key)) {
				return true
			}
		}
	}
	return false
}

// plainText takes byte order marks away, and the NULs of UTF-16 so that its ASCII can be seen.
func plainText(b []byte) []byte {
	switch {
	case bytes.HasPrefix(b, []byte{0xEF, 0xBB, 0xBF}):
		return b[3:]
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}), bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return bytes.ReplaceAll(b[2:], []byte{0}, nil)
	}
	return b
}

// content skips blank lines, comments, directives and document separators.
func content(b []byte) []byte {
	for {
		b = bytes.TrimLeft(b, " \t\r\n")
		separator := bytes.HasPrefix(b, []byte("---")) && (len(b) == 3 || strings.IndexByte(" \t\r\n", b[3]) >= 0)
		if len(b) == 0 || b[0] != '#' && b[0] != '%' && !separator {
			return b
		}
		_, after, found := bytes.Cut(b, []byte("\n"))
		if separator {
			after, found = b[3:], true
		}
		if !found {
			return nil
		}
		b = after
	}
}

// beginsLikeJSON tells an object or a list of objects from a line of a log that begins with a bracket.
func beginsLikeJSON(b []byte) bool {
	next := bytes.TrimLeft(b[1:], " \t\r\n")
	if b[0] == '[' {
		return len(next) > 0 && next[0] == '{'
	}
	return len(next) > 0 && next[0] == '"'
}

func hasJSONKey(b []byte) bool {
	for _, key := range []string{`"apiVersion"`, `"kind"`, `"items"`} {
		if bytes.Contains(b, []byte(key)) {
			return true
		}
	}
	return false
}

// beginsWithKey says whether b begins like "word: " or "word:" at the end of a line.
func beginsWithKey(b []byte) bool {
	word, after, found := bytes.Cut(b, []byte(":"))
	if !found || len(word) == 0 || len(after) > 0 && strings.IndexByte(" \t\r\n", after[0]) < 0 {
		return false
	}
	for _, c := range bytes.Trim(word, `"'`) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("._-/", c) < 0 {
			return false
		}
	}
	return true
}

// holdsObjects says whether a file that was read counts as objects of the archive or folder it lies in.
func holdsObjects(name string, data []byte) bool {
	if !collector.IsObjectExtension(collector.Extension(name)) && !LooksLikeObjects(data[:min(len(data), headSize)]) {
		return false
	}
	return bytes.Contains(data, []byte("apiVersion")) && bytes.Contains(data, []byte("kind"))
}
