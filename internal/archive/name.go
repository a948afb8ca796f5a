package archive

import (
	"path"
	"strings"
)

// maxName is how long a name may be. Systems allow as much for a whole path.
const maxName = 4096

// cleanName brings the name of an archive's entry into the form in which it is shown, and says
// whether it was unsafe: absolute, with a drive letter, or climbing with ".."; or too long, and
// cut. Nothing is written under these names, so an unsafe one is only a sign of a strange archive.
// Backslashes separate in zip files of some Windows programs, which use no slash at all; elsewhere
// they are letters.
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

// hasDrive says whether a name begins with a drive letter. A colon alone is common in the names of
// objects.
func hasDrive(slashed string) bool {
	if len(slashed) < 3 || slashed[1] != ':' || slashed[2] != '/' {
		return false
	}
	return slashed[0]|0x20 >= 'a' && slashed[0]|0x20 <= 'z'
}
