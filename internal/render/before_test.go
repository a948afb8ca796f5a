package render_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/render"
)

// A rendering must be the same with and without the cache, in any order of objects, and an
// unchanged output must not be read or copied again.
func TestWhatIsPrintedAgainIsReadAlike(t *testing.T) {
	tmpl := compile(t, `apiVersion: v1
kind: Thing
metadata:
  name: it
{{- range $k, $v := .spec.labels }}
  {{ $k }}: {{ $v }}
{{- end }}
spec:
  a: {{ .spec.a }}
  b: x-{{ .spec.b }}-x
  c: {{ .spec.c | default "none" }}
  d: {{ .spec.a }}{{ if .spec.odd }}{{ fail "odd" }}{{ violation "T-ODD" "spec.odd" "odd" }}{{ note "T-NOTE" "odd" }}{{ end }}
  e: {{ .spec.list }}
`)
	spec := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return map[string]any{"apiVersion": "v1", "kind": "Thing", "metadata": map[string]any{"name": "it"}, "spec": m}
	}
	objects := []map[string]any{
		spec("a", int64(1), "b", "1"), spec("a", "1", "b", int64(1)), spec("a", int64(1), "b", "1", "unread", true),
		spec(
			"a", int64(1), "b", "1", "odd", true,
		), spec("a", int64(1), "b", "1", "c", "none"), spec("a", int64(1)), spec("b", "1"),
		spec(
			"a", nil, "b", "1",
		), spec("a", "", "b", "1"), spec("a", int64(1), "b", "1", "list", []any{int64(1)}), spec("a", int64(1), "b", "1", "list", "[1]"),
		spec("a", 1.0, "b", "1"), spec("a", true, "b", "1"), spec("a", "true", "b", "1"), spec("a", "a: [", "b", "1"),
		spec(
			"a", int64(1), "b", "1", "labels", map[string]any{"x": "y"},
		), spec("a", int64(1), "b", "1", "labels", map[string]any{"x": true}),
	}
	result := func(i int, before *render.Before) []any {
		r, err := tmpl.Execute(objects[i], render.Options{Before: before})
		if err != nil {
			return []any{err.Error()}
		}
		return []any{r}
	}
	for i := range objects {
		for j := range objects {
			before := &render.Before{}
			for _, k := range []int{i, j, j, i} {
				got := result(k, before)
				if diff := cmp.Diff(result(k, nil), got); diff != "" {
					t.Fatalf("object %d of %d and %d: %s", k, i, j, diff)
				}
				again := result(k, before)
				if r, ok := got[0].(render.Rendering); ok &&
					isRead(objects[k]) != (address(again[0].(render.Rendering).Value) == address(r.Value)) {
					t.Errorf(
						"object %d of %d and %d: what was read is another value, or that of a list the same", k, i, j,
					)
				}
			}
		}
	}
}

// isRead reports whether an object makes the template print scalars only, which can be cached.
func isRead(object map[string]any) bool {
	_, isList := object["spec"].(map[string]any)["list"].([]any)
	return !isList
}

func address(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }
