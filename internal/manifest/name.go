package manifest

import (
	"bytes"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// name is what a file's name tells.
type name struct {
	manifest bool             // .yaml, .yml or .json
	gathered bool             // that, in a folder of the layouts of support archives
	holds    bool             // a collector wrote the file for objects, see id
	id       collector.PathID // which objects these are
	excuse   Reason           // why a file of this name may well be no Kubernetes object, or ""
}

func newName(file, entry string) name {
	full := pathOf(file, entry)
	var n name
	n.id, n.holds = collector.IDOf(full)
	full = "/" + strings.ToLower(full) // so that folders stand between slashes
	n.manifest = collector.IsObjectExtension(strings.TrimPrefix(path.Ext(full), "."))
	if !n.holds { // a CR may have any name
		n.excuse = Reason(collector.ExcuseOf(full))
	}
	n.gathered = n.holds || n.manifest && n.excuse == "" && collector.HoldsObjects(full)
	return n
}

// mayHoldObjects decides cheaply whether to look into a file at all: by its name, else by how it
// begins.
func (r *reader) mayHoldObjects(text []byte) bool {
	if r.name.manifest {
		return true
	}
	if !bytes.Contains(text, []byte("apiVersion")) && r.hints.Kind == "" {
		return false
	}
	const enough = 4096
	begin := text[:min(len(text), enough)]
	first := r.skipNoise(kubeyaml.Split(begin)[0].Body()).Text
	return beginsObject(first) || kubeyaml.LooksLikeJSON(first) || followedByJSON(begin)
}

// followedByJSON reports whether JSON begins at one of the lines.
func followedByJSON(text []byte) bool {
	i := bytes.Index(text, []byte("\n{"))
	return i >= 0 && kubeyaml.IsJSON(text[i+1:])
}
