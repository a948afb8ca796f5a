package values

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/filename"
)

// unused returns the file name for a CR: its kind, namespace and name. If that name is taken, it
// adds the API group, and if that is taken too, a number.
func unused(id manifest.ID, taken filename.Taken) string {
	const end = ".yaml"
	name := fileName(id.Kind, id.Namespace, id.Name)
	if taken.Has(name + end) {
		name = fileName(id.Kind+"."+cmp.Or(id.Group(), "core"), id.Namespace, id.Name)
	}
	return taken.Free(name, end)
}

// fileName joins parts to a file name that is valid on every file system. It writes unsafe
// characters as %XX, and shortens a long name.
func fileName(parts ...string) string {
	const longest = 200
	var safe []string
	for _, p := range parts {
		if p != "" {
			safe = append(safe, escaped(p))
		}
	}
	name := strings.Join(safe, "_")
	if len(name) > longest {
		name = fmt.Sprintf("%s_%.8x", name[:longest], sha256.Sum256([]byte(name)))
	}
	return name
}

// escaped writes every byte as %XX, except for letters, digits, hyphens, and dots that are not at
// the beginning.
func escaped(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.' && i > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
