package refconfig

import (
	"os"
	"strings"
	"testing"
)

// TestEveryKeyIsDescribed checks that the schema for editors and the chapter on references have
// every rule and every key of perField.
func TestEveryKeyIsDescribed(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	schema, chapter := read("../internal/run/schema/metadata.schema.json"), read("../docs/references.md")
	keys := ruleKeys()
	for _, key := range FieldKeys() {
		keys = append(keys, string(key))
	}
	for _, key := range keys {
		if !strings.Contains(schema, `"`+key+`": {`) {
			t.Errorf("metadata.schema.json has no %s", key)
		}
		if !strings.Contains(chapter, key) {
			t.Errorf("docs/references.md does not mention %s", key)
		}
	}
}
