package refdiff

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// TestDocumentKeepsTheSchema: the document is as its schema says, and what the schema has can be in
// it.
func TestDocumentKeepsTheSchema(t *testing.T) {
	const name = "../../../docs/refdiff.schema.json"
	schema, err := jsonschema.NewCompiler().Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Of(
		t.Context(),
		version(t, os.DirFS("../../../examples/references/upgrade/old"), "old"),
		version(t, os.DirFS("../../../examples/references/upgrade/new"), "new"),
	)
	if err != nil {
		t.Fatal(err)
	}
	object := finding.Object{APIVersion: "v1", Kind: "ConfigMap", Namespace: "edge", Name: "one"}
	run := func(path string) *finding.Run {
		one := &finding.Comparison{
			Object:   object,
			Result:   finding.Drifted,
			Template: finding.Template{Path: "probe.yaml"},
			Differences: []finding.Difference{
				{Category: finding.Drift, Path: path, Reference: []byte("1"), Input: []byte("2")},
			},
		}
		return &finding.Run{
			Comparisons: []*finding.Comparison{one},
			Summary:     finding.Summary{Verdict: finding.Incomplete},
		}
	}
	d.Add(run("spec.a"), run("spec.b"))
	var text bytes.Buffer
	if err := escape.WriteJSON(&text, d); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Error(err)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	described, err := jsonschema.UnmarshalJSON(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range slices.Sorted(maps.Keys(properties(described))) {
		if !strings.Contains(text.String(), `"`+key+`":`) {
			t.Errorf("no document has what the schema has: %s", key)
		}
	}
}

// properties are all that a schema has.
func properties(schema any) map[string]bool {
	all := map[string]bool{}
	switch schema := schema.(type) {
	case map[string]any:
		for key, v := range schema {
			if own, ok := v.(map[string]any); ok && key == "properties" {
				for name := range own {
					all[name] = true
				}
			}
			maps.Copy(all, properties(v))
		}
	case []any:
		for _, v := range schema {
			maps.Copy(all, properties(v))
		}
	}
	return all
}
