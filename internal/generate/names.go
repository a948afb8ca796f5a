package generate

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/manifest"
)

// metadataFile is what the metadata of a reference is called.
const metadataFile = "metadata.yaml"

// names are the names of the files and folders that were given away, in small letters: some file systems make no difference.
type names map[string]bool

// folder is the name of an API group, which is that of a folder, a part and a component.
func (n names) folder(group string) string { return n.unique("", cmp.Or(group, "core"), "") }

// file is the name of the file of a template, in the folder of its group.
func (n names) file(folder string, id manifest.ID) string {
	name := id.Kind + "_" + id.Name
	if id.Namespace != "" {
		name = id.Kind + "_" + id.Namespace + "_" + id.Name
	}
	return n.unique(folder, name, ".yaml")
}

// unique makes a name that every file system takes and that none before it has.
func (n names) unique(folder, name, suffix string) string {
	const longest = 200 // bytes; of 255, so that there is room for a number and a suffix
	name = regexp.MustCompile(`[^A-Za-z0-9._-]`).ReplaceAllString(name, "_")
	name = strings.TrimRight(name[:min(len(name), longest)], ".")
	if regexp.MustCompile(`(?i)^(con|prn|aux|nul|com\d|lpt\d)?(\.|$)`).MatchString(name) {
		name = "_" + name
	}
	full := path.Join(folder, name+suffix)
	for i := 2; n[strings.ToLower(full)]; i++ {
		full = path.Join(folder, fmt.Sprintf("%s-%d%s", name, i, suffix))
	}
	n[strings.ToLower(full)] = true
	return full
}
