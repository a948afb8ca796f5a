package diff

import (
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Spelled returns both values with the name and the namespace as the object's identity has them, if
// they are equal and not strings: YAML reads the y of "namespace: y" as a boolean, but it is the
// name of a namespace. It is a step before the walk, because the walk may compare metadata as a
// whole.
func Spelled(left, right any, id manifest.ID) (any, any) {
	for _, of := range [...][2]string{{"name", id.Name}, {"namespace", id.Namespace}} {
		l, hasLeft := metadata(left)[of[0]]
		r := metadata(right)[of[0]]
		switch r.(type) {
		case bool, int64, float64:
			if hasLeft && of[1] != "" && tree.Equal(l, r) {
				path := refconfig.PathOf("metadata", of[0])
				left, _ = tree.Set(left, path, of[1])
				right, _ = tree.Set(right, path, of[1])
			}
		}
	}
	return left, right
}

func metadata(v any) map[string]any {
	object, _ := v.(map[string]any)
	fields, _ := object["metadata"].(map[string]any)
	return fields
}
