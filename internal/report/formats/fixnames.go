package formats

import (
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/filename"
)

// longestName is the maximum number of characters of a file name without its extension. Some file
// systems allow 255 bytes, and some tools fewer.
const longestName = 150

// fileName makes a file name that is valid on every system: lower-case letters, digits, dots and
// dashes. It begins and ends with a letter or digit.
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

// fileNameOf returns the text from which fileName makes the name of an object's file.
func fileNameOf(o finding.Object) string {
	parts := []string{o.Kind}
	for _, part := range []string{o.Namespace, o.Name} {
		if part != "" && part != "*" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "-")
}
