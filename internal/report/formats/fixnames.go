package formats

import (
	"strings"

	"github.com/validationtool/validationtool/internal/filename"
	"github.com/validationtool/validationtool/internal/finding"
)

// longestName is how many characters a file's name has at most, beside its end: some file systems
// have 255 bytes, some tools less.
const longestName = 150

// fileName makes a name of small letters, digits, dots and dashes that begins and ends with no dot or
// dash, and that no system gives a meaning.
func fileName(text string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '.':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '-'
	}, text)
	for strings.Contains(name, "..") {
		name = strings.ReplaceAll(name, "..", ".")
	}
	name = strings.Trim(name[:min(len(name), longestName)], "-.")
	if filename.IsDevice(name) {
		return "cr-" + name
	}
	return name
}

// fileNameOf is what the file of an object is called after.
func fileNameOf(o finding.Object) string {
	parts := []string{o.Kind}
	for _, part := range []string{o.Namespace, o.Name} {
		if part != "" && part != "*" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "-")
}

// shellQuoted is a word for a shell, which reads nothing in it.
func shellQuoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
