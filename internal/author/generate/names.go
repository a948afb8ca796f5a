package generate

import (
	"cmp"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/filename"
)

// metadataFile is the name of the metadata file of a reference.
const metadataFile = "metadata.yaml"

// folderOf returns the name for the folder, the part and the component of an API group.
func folderOf(group string, taken filename.Taken) string {
	return taken.Free(safe(cmp.Or(group, "core")), "")
}

// fileOf returns the path of a template's file, in the folder of its group.
func fileOf(folder string, id manifest.ID, taken filename.Taken) string {
	name := id.Kind + "_" + id.Name
	if id.Namespace != "" {
		name = id.Kind + "_" + id.Namespace + "_" + id.Name
	}
	return taken.Free(path.Join(folder, safe(name)), ".yaml")
}

// safe converts a name to one that is valid on every file system.
func safe(name string) string {
	const longest = 200 // bytes; file systems allow 255, and a number and an extension follow
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
