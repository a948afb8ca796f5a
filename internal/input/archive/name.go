package archive

import (
	"path"
	"strings"
)

// maxName is the maximum length of a name in bytes. Operating systems allow the same for a whole
// path.
const maxName = 4096

// cleanName returns the name of an entry in the form that is shown, and whether it was unsafe:
// absolute, with a drive letter, with ".." that leads upwards, or too long. A name that is too long
// is cut. No file is written under these names, so an unsafe name is only a sign of an unusual
// archive. A backslash is a separator in the zip files of some Windows programs, which contain no
// slash; elsewhere it is an ordinary character.
func cleanName(name string, f format) (clean string, unsafe bool) {
	slashed := strings.ReplaceAll(name, `\`, "/")
	if f == formatZip && !strings.Contains(name, "/") {
		name = slashed
	}
	if unsafeName(slashed) {
		name, unsafe = slashed, true
		if hasDrive(name) {
			name = name[2:]
		}
	}
	if len(name) > maxName {
		name, unsafe = strings.ToValidUTF8(name[:maxName], ""), true
	}
	clean = strings.TrimPrefix(path.Clean("/"+name), "/")
	if clean == "" {
		clean = "_"
	}
	return clean, unsafe
}

func unsafeName(slashed string) bool {
	return strings.HasPrefix(slashed, "/") || hasDrive(slashed) || slashed == ".." || strings.HasPrefix(slashed, "../") ||
		strings.HasSuffix(slashed, "/..") ||
		strings.Contains(slashed, "/../")
}

// hasDrive reports whether a name begins with a drive letter. A colon alone is common in the names
// of objects.
func hasDrive(slashed string) bool {
	if len(slashed) < 3 || slashed[1] != ':' || slashed[2] != '/' {
		return false
	}
	return slashed[0]|0x20 >= 'a' && slashed[0]|0x20 <= 'z'
}
