package places

import (
	"path/filepath"
	"strings"
)

// Relative is the name of a file as it is seen from a folder that it is in. One that is elsewhere
// keeps its name, as all do where no folder is given.
func Relative(folder, file string) string {
	if folder == "" || !filepath.IsAbs(file) {
		return file
	}
	name, err := filepath.Rel(folder, file)
	if err != nil || name == ".." || strings.HasPrefix(name, ".."+string(filepath.Separator)) {
		return file
	}
	return name
}
