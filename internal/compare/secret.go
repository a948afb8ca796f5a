package compare

import (
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// secret reports whether an object's data must not be shown.
func secret(id manifest.ID) bool { return id.Kind == "Secret" }

// lastApplied is the annotation in which kubectl keeps a whole copy of an object.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// hidden reports whether a value at a path of a Secret holds secret data: the data itself, or the copy that kubectl keeps
// of it, or a map around that copy which only one side has.
func hidden(path refconfig.FieldPath, v any) bool {
	if len(path) == 0 {
		return false
	}
	switch path[0].Key {
	case "data", "stringData", lastApplied:
		return true
	case "metadata":
	default:
		return false
	}
	if len(path) >= 3 {
		return path[1].Key == "annotations" && path[2].Key == lastApplied
	}
	return holdsCopy(v)
}

// opened reports whether a map of a Secret is always shown key by key, so that what is secret in it can be told from
// what is not.
func opened(path refconfig.FieldPath) bool {
	return len(path) == 0 || path[0].Key == "metadata" && (len(path) == 1 || len(path) == 2 && path[1].Key == "annotations")
}

// holdsCopy reports whether metadata, or its annotations, hold the copy that kubectl keeps.
func holdsCopy(v any) bool {
	m, _ := v.(map[string]any)
	if _, ok := m[lastApplied]; ok {
		return true
	}
	annotations, _ := m["annotations"].(map[string]any)
	_, ok := annotations[lastApplied]
	return ok
}
