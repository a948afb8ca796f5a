package function

import (
	"encoding/json"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/tree"
)

// The conversions that Helm made customary in templates.

func toJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

func toTOML(v any) string {
	var b strings.Builder
	if err := toml.NewEncoder(&b).Encode(v); err != nil {
		return err.Error()
	}
	return b.String()
}

// decode reads one YAML or JSON value.
func decode(text string) (any, error) {
	docs, err := manifest.Parse([]byte(text))
	if err != nil || len(docs) == 0 {
		return nil, err
	}
	return docs[0].Value(), nil
}

// decoded is a decoded value that has to be a map, or a list: empty in the place of nothing, and fault with a message where it is not
// that.
func decoded[T any](v any, err error, what string, empty T, fault func(message string) T) T {
	typed, ok := v.(T)
	switch {
	case err != nil:
		return fault(err.Error())
	case ok:
		return typed
	case v == nil:
		return empty
	}
	return fault("the text is " + Describe(v) + ", not a " + what)
}

// inMap is an error as Helm's templates expect it in the place of a map.
func inMap(message string) map[string]any { return map[string]any{"Error": message} }

// inList is an error as Helm's templates expect it in the place of a list.
func inList(message string) []any { return []any{message} }

func fromYaml(text string) map[string]any {
	v, err := decode(text)
	return decoded(v, err, "map", map[string]any{}, inMap)
}

func fromYamlArray(text string) []any {
	v, err := decode(text)
	return decoded(v, err, "list", []any{}, inList)
}

// fromJSON returns what a JSON text means.
func fromJSON(text string) any {
	v, err := tree.FromJSON([]byte(text))
	if err != nil {
		return inMap(err.Error())
	}
	return v
}

func fromJSONArray(text string) []any {
	v, err := tree.FromJSON([]byte(text))
	return decoded(v, err, "list", inList("the text is nothing, not a list"), inList)
}
