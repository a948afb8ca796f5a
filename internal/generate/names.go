package generate

import (
	"cmp"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/filename"
	"github.com/validationtool/validationtool/internal/manifest"
)

// metadataFile is the name of the metadata file of a reference.
const metadataFile = "metadata.yaml"

// folderOf returns the name of an API group, which is that of a folder, a part and a component.
func folderOf(group string, taken filename.Taken) string {
	return taken.Free(safe(cmp.Or(group, "core")), "")
}

// fileOf returns the name of the file of a template, in the folder of its group.
func fileOf(folder string, id manifest.ID, taken filename.Taken) string {
	name := id.Kind + "_" + id.Name
	if id.Namespace != "" {
		name = id.Kind + "_" + id.Namespace + "_" + id.Name
	}
	return taken.Free(path.Join(folder, safe(name)), ".yaml")
}

// safe makes a name that every file system takes.
func safe(name string) string {
	const longest = 200 // bytes; of 255, so that there is room for a number and an end
	name = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-", c) {
			return c
		}
		return '_'
	}, name)
	name = strings.TrimRight(name[:min(len(name), longest)], ".")
	if filename.IsDevice(name) {
		return "_" + name
	}
	return name
}
