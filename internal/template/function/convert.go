package function

import (
	"encoding/json"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// These are the conversions that template authors know from Helm.

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

// decodeYAML reads one YAML or JSON value.
func decodeYAML(text string) (any, error) {
	docs, err := kubeyaml.Parse([]byte(text))
	if err != nil || len(docs) == 0 {
		return nil, err
	}
	return docs[0].Value(), nil
}

// decodeJSON reads one JSON value.
func decodeJSON(text string) (any, error) { return tree.FromJSON([]byte(text)) }

// toFloats converts the numbers in a value to float64 in place and returns the value. Go's JSON
// decoder yields float64, and so does Helm, which uses it. Templates may depend on that when they
// print a number or ask for its kind. An integer that float64 cannot represent stays an integer.
func toFloats(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = toFloats(x)
		}
	case []any:
		for i, x := range v {
			v[i] = toFloats(x)
		}
	case int64:
		if f := float64(v); f < 1<<63 && int64(f) == v {
			return f
		}
	}
	return v
}

// decoded returns the value of a text that must be a map or a list (type T): empty for a text
// without a value, and the result of fault for any other text.
func decoded[T any](
	text string, decode func(text string) (any, error), what string, empty T, fault func(message string) T,
) T {
	v, err := decode(text)
	typed, ok := toFloats(v).(T)
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

// errorMap returns an error in the form that Helm's templates expect in place of a map.
func errorMap(message string) map[string]any { return map[string]any{"Error": message} }

// errorList returns an error in the form that Helm's templates expect in place of a list.
func errorList(message string) []any { return []any{message} }

func fromYaml(text string) map[string]any {
	return decoded(text, decodeYAML, "map", map[string]any{}, errorMap)
}

func fromYamlArray(text string) []any { return decoded(text, decodeYAML, "list", []any{}, errorList) }

func fromJSON(text string) map[string]any {
	return decoded(text, decodeJSON, "map", map[string]any{}, errorMap)
}

func fromJSONArray(text string) []any { return decoded(text, decodeJSON, "list", []any{}, errorList) }
