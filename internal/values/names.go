package values

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/filename"
	"github.com/validationtool/validationtool/internal/manifest"
)

// unused returns the name of the file of a CR: its kind, namespace and name. Where that is taken,
// the API group is added, and else a number.
func unused(id manifest.ID, taken filename.Taken) string {
	const end = ".yaml"
	name := fileName(id.Kind, id.Namespace, id.Name)
	if taken.Has(name + end) {
		name = fileName(id.Kind+"."+cmp.Or(id.Group(), "core"), id.Namespace, id.Name)
	}
	return taken.Free(name, end)
}

// fileName joins the parts of a name that every file system takes: what is not safe stands as %XX,
// and one that is too long is cut.
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

// escaped returns a text with all but letters, digits, hyphens and dots as %XX, a dot at the
// beginning too.
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
