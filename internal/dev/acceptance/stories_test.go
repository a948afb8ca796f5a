package acceptance

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestEveryKeyOfAReferenceHasAStory checks that a script uses each key that metadata.yaml can have.
func TestEveryKeyOfAReferenceHasAStory(t *testing.T) {
	text, err := os.ReadFile("internal/run/schema/metadata.schema.json")
	must(err)
	var schema struct {
		Properties  map[string]any
		Definitions map[string]struct{ Properties map[string]any }
	}
	must(json.Unmarshal(text, &schema))
	keys := schema.Properties
	for _, of := range schema.Definitions {
		maps.Copy(keys, of.Properties)
	}
	names, err := filepath.Glob("testdata/script/*.txtar")
	must(err)
	var stories []byte
	for _, name := range names {
		story, err := os.ReadFile(name)
		must(err)
		stories = append(stories, story...)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		before := `[\s{,"]`
		if _, ofField := schema.Definitions["perField"].Properties[key]; ofField && key != "pathToKey" {
			before = `pathToKey: ([^\n]*, |[^\n]*\n *(\w+: [^\n]*\n *)?)` // else a CR may have such a key
		}
		if !regexp.MustCompile(before + regexp.QuoteMeta(key) + `"?: `).Match(stories) {
			t.Errorf("no script in testdata/script has a reference with the key %s", key)
		}
	}
}
