package manifest

import (
	"bytes"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// name is what the name of a file shows about its content.
type name struct {
	manifest bool             // .yaml, .yml or .json
	gathered bool             // manifest, in a folder of a support archive's layout
	holds    bool             // a collector wrote the file for objects, see id
	id       collector.PathID // the objects that the path shows
	excuse   Reason           // why a file of this name may contain no Kubernetes object, or ""
}

func newName(file, entry string) name {
	full := pathOf(file, entry)
	var n name
	n.id, n.holds = collector.IDOf(full)
	full = "/" + strings.ToLower(full) // so that every folder is between slashes
	n.manifest = collector.IsObjectExtension(strings.TrimPrefix(path.Ext(full), "."))
	if !n.holds { // a CR may have any name
		n.excuse = Reason(collector.ExcuseOf(full))
	}
	n.gathered = n.holds || n.manifest && n.excuse == "" && collector.HoldsObjects(full)
	return n
}

// mayHoldObjects decides cheaply whether to read a file: by its name, or else by its beginning.
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
