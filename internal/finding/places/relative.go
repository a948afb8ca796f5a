package places

import (
	"path/filepath"
	"strings"
)

// Relative returns the name of a file relative to a folder, or the name itself if the file is not
// in the folder or the folder is "".
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
