package render

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
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, nil
	}
	return docs[0].Value(), nil
}

// fromYaml returns a map; an error stands in it under "Error", as Helm's templates expect.
func fromYaml(text string) map[string]any {
	v, err := decode(text)
	if err != nil {
		return map[string]any{"Error": err.Error()}
	}
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		return map[string]any{"Error": "the text is " + describe(v) + ", not a map"}
	}
	if m == nil {
		m = map[string]any{}
	}
	return m
}

func fromYamlArray(text string) []any {
	v, err := decode(text)
	if err != nil {
		return []any{err.Error()}
	}
	l, ok := v.([]any)
	if !ok && v != nil {
		return []any{"the text is " + describe(v) + ", not a list"}
	}
	if l == nil {
		l = []any{}
	}
	return l
}

// fromJSON returns what a JSON text means; where it is not JSON, a map with the error under "Error".
func fromJSON(text string) any {
	v, err := tree.FromJSON([]byte(text))
	if err != nil {
		return map[string]any{"Error": err.Error()}
	}
	return v
}

func fromJSONArray(text string) []any {
	v, err := tree.FromJSON([]byte(text))
	if err != nil {
		return []any{err.Error()}
	}
	l, ok := v.([]any)
	if !ok {
		return []any{"the text is " + describe(v) + ", not a list"}
	}
	return l
}
