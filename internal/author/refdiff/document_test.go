package refdiff

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// TestDocumentsInTexts: another order of keys and other blanks in a text that is compared as a document
// are no change for users.
func TestDocumentsInTexts(t *testing.T) {
	for _, c := range []struct {
		name, config, old, new string
		want                   Group
	}{
		{"the same JSON", "embedded: json", `{"a": 1, "b": 2}`, `{"b":2, "a":1}`, Authors},
		{"other JSON", "embedded: json", `{"a": 1, "b": 2}`, `{"b":2, "a":2}`, Must},
		{"no JSON any more", "embedded: json", `{"a": 1}`, `{"a": 1`, Must},
		{"a key twice", "embedded: json", `{"a": 1}`, `{"a": 1, "a": 1}`, Must},
		{"a text", "list: ordered", `{"a": 1, "b": 2}`, `{"b":2, "a":1}`, Must},
		{"YAML", "embedded: yaml", `{a: 1, b: 2}`, `{b: 2, a: 1}`, Authors},
	} {
		reference := func(name, text string) Version {
			return version(t, fstest.MapFS{
				"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: t.yaml, config: " +
					"{perField: [{pathToKey: spec.doc, " + c.config + "}]}}]}]}]\n")},
				"t.yaml": {Data: fmt.Appendf(nil,
					"apiVersion: example.com/v1\nkind: Clock\nmetadata: {name: a, namespace: b}\nspec:\n  doc: '%s'\n", text)},
			}, name)
		}
		d, err := Of(t.Context(), reference("old", c.old), reference("new", c.new))
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Changes) != 1 || d.Changes[0].Group != c.want {
			t.Errorf("%s: want %q: %v", c.name, c.want, d.Changes)
		}
	}
}
