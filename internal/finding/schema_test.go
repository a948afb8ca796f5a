package finding_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/compare/explain"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
)

// TestTheSchemasSayWhatTheStructsHold: each key of a document is in its schema, and the other way
// round; and a key that is always there is required.
func TestTheSchemasSayWhatTheStructsHold(t *testing.T) {
	for name, document := range map[string]any{"report": finding.Report{}, "explain": explain.Explanation{}, "lint": lint.Document{}, "diff": saved.Diff{}} {
		text, err := os.ReadFile("../../docs/" + name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		root := map[string]any{}
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		holdAgainst(t, root, root, reflect.TypeOf(document), name)
	}
}

// holdAgainst compares a type with the schema of its values.
func holdAgainst(t *testing.T, root, schema map[string]any, of reflect.Type, at string) {
	t.Helper()
	if ref, ok := schema["$ref"].(string); ok {
		schema = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	if of == reflect.TypeFor[finding.Sides]() {
		of = reflect.TypeFor[[]finding.Side]() // as which they are written
	}
	switch of.Kind() {
	case reflect.Pointer:
		holdAgainst(t, root, schema, of.Elem(), at)
		return
	case reflect.Slice:
		if items, ok := schema["items"].(map[string]any); ok {
			holdAgainst(t, root, items, of.Elem(), at+"[]")
		}
		return
	case reflect.Struct:
	default:
		return
	}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	var keys []string
	for _, field := range reflect.VisibleFields(of) { // those of embedded structs stand beside the others
		if field.Anonymous {
			continue
		}
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if key == "-" {
			continue
		}
		keys = append(keys, key)
		property, there := properties[key].(map[string]any)
		if !there && !optionalHere(at, key) {
			t.Errorf("%s: the schema lacks the key %q", at, key)
			continue
		}
		if always := options == ""; always && !slices.Contains(required, any(key)) {
			t.Errorf("%s: the key %q is always there, and not required by the schema", at, key)
		}
		if there {
			holdAgainst(t, root, property, field.Type, at+"."+key)
		}
	}
	for key := range properties {
		if !slices.Contains(keys, key) {
			t.Errorf("%s: the schema has the key %q, which is in no document", at, key)
		}
	}
}

// optionalHere reports whether a key of a struct that is used in two places is never set in one of
// them.
func optionalHere(at, key string) bool {
	rated := strings.HasPrefix(at, "explain.") &&
		slices.Contains([]string{"impact", "comment", "link", "change", "cause"}, key) // an explanation rates nothing
	line := strings.HasSuffix(at, "unreadable[]") || strings.HasSuffix(at, "notRead[]") ||
		strings.HasSuffix(at, "notKnown[]") // these have no columns
	return rated || line && key == "column"
}
