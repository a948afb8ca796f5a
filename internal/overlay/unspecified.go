package overlay

import (
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
)

// Unspecified merges the rendered reference into the input, as ignore-unspecified-fields asks: what the reference does
// not name is taken from the input and so agrees. A null of the reference, which in a merge patch means that the key must
// not be there, stays where the input has the key, so that it shows; and so does a mandatory key that is missing.
func Unspecified(input, rendered, notes any) any {
	patch, ok := rendered.(map[string]any)
	if !ok {
		return rendered
	}
	target, _ := input.(map[string]any)
	below, _ := notes.(map[string]any)
	merged := make(map[string]any, len(target)+len(patch))
	for k, v := range target {
		merged[k] = tree.Copy(v)
	}
	for k, v := range patch {
		_, has := target[k]
		note, _ := below[k].(render.Note)
		if v == nil && !has && note.Finding == nil {
			continue
		}
		merged[k] = Unspecified(target[k], v, below[k])
	}
	return merged
}
