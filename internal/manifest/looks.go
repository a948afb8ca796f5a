package manifest

import (
	"bytes"
	"strings"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// LooksLikeObjects reports whether a file that begins with these bytes (512 are enough) may contain
// Kubernetes objects: YAML or JSON with an apiVersion or a kind, or with the items of a List first.
// It is for files whose name says nothing. It accepts no logs, but misses objects whose apiVersion
// and kind are further down.
func LooksLikeObjects(first []byte) bool {
	rest := firstContent(kubeyaml.DecodeText(first))
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

// firstContent skips blank lines, comments, directives, document separators and the prompts of a
// shell.
func firstContent(b []byte) []byte {
	for {
		b = bytes.TrimLeft(b, " \t\r\n")
		separator := kubeyaml.IsMarker(b, "---")
		if len(b) == 0 || b[0] != '#' && b[0] != '%' && !separator && !collector.IsPrompt(b) {
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

// beginsLikeJSON distinguishes an object or a list of objects from a line of a log that begins with
// a bracket.
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

// beginsWithKey reports whether b begins like "word: " or "word:" at the end of a line.
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
