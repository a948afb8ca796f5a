package secret

import "github.com/validationtool/validationtool/refconfig"

// Opened reports whether a map of a Secret is always shown key by key, so that its secret parts are
// separate from the others.
func Opened(path refconfig.FieldPath) bool {
	return len(path) == 0 ||
		path[0].Key == "metadata" && (len(path) == 1 || len(path) == 2 && path[1].Key == "annotations")
}
